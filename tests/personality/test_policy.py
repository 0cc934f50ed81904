"""What becomes of a wish: the table of the gate."""

from __future__ import annotations

import pytest

from personality.models import Persona
from personality.overlays.overlay import ENDED, already_so, overlaid, own_rules, with_wish, without_wish
from personality.wishes.finding import Mode, Wish
from personality.wishes.policy import Situation, combine, decide, threshold

STABLE, VOLATILE = "name", "response_length"


def wish(field: str = VOLATILE, mode: Mode = "explicit", *, unsafe: bool = False) -> Wish:
    return Wish(field, "short", mode, "words", 0, 5, unsafe=unsafe)


def verdict(asked: Wish, **situation: object) -> tuple[str, str]:
    decided = decide(asked, Situation(**situation))  # type: ignore[arg-type]
    return decided.decision, decided.reason


@pytest.mark.parametrize(
    ("asked", "situation", "expected"),
    [
        (wish(), {}, ("accepted", "explicit_directive")),
        (wish(STABLE), {}, ("accepted", "explicit_directive")),
        (wish(unsafe=True), {"already_so": True}, ("rejected", "safety_conflict")),
        (wish(mode="reported"), {}, ("rejected", "not_addressed_to_agent")),
        (wish(mode="hypothetical"), {}, ("rejected", "hypothetical")),
        (wish(), {"locked": True}, ("rejected", "locked_by_team")),
        (wish(), {"already_so": True}, ("rejected", "duplicate")),
        (wish(STABLE, "hedged"), {}, ("deferred", "needs_confirmation")),
        (wish(STABLE, "hedged"), {"weights": (0.6,)}, ("deferred", "needs_confirmation")),
        (wish(STABLE, "hedged"), {"weights": (0.6, 0.6)}, ("accepted", "repeated_evidence")),
        (wish(mode="hedged"), {}, ("deferred", "below_threshold")),
        (wish(mode="hedged"), {"weights": (0.6,)}, ("accepted", "repeated_evidence")),
        (wish(mode="passing"), {}, ("deferred", "below_threshold")),
        (
            wish(mode="hedged"),
            {"weights": (0.6,), "contradicts_recent": True},
            ("deferred", "contradicts_recent"),
        ),
        (
            wish(mode="hedged"),
            {"weights": (0.6, 0.6), "contradicts_recent": True},
            ("accepted", "repeated_evidence"),
        ),
    ],
)
def test_the_gate_decides_by_safety_then_address_then_weight(
    asked: Wish, situation: dict[str, object], expected: tuple[str, str]
) -> None:
    assert verdict(asked, **situation) == expected


def test_stable_fields_take_more_than_volatile_ones() -> None:
    assert [threshold(field) for field in ("name", "role", "creature", "rules")] == [0.9] * 4
    assert {threshold(field) for field in ("voice_style", "response_length", "emoji_usage")} == {0.7}
    assert combine((0.35, 0.35, 0.35)) == pytest.approx(0.7254, abs=1e-4)


def test_the_overlay_covers_the_persona_and_the_persona_the_default() -> None:
    default, persona = Persona(), Persona(name="Coach", creature="owl", formality="formal")
    wished = {"name": "Ada", "formality": "casual", "rules": ["Cite sources"]}

    shown = overlaid(persona, wished)

    assert default.name == "Nebo"
    assert (shown.name, shown.creature, shown.formality) == ("Ada", "owl", "casual")
    assert (shown.voice_style, persona.name) == (default.voice_style, "Coach")
    assert own_rules(persona, wished) == ["Cite sources"]


def test_a_field_the_team_locks_is_out_of_reach() -> None:
    persona = Persona(name="Coach", locked=["name", "rules"])

    assert overlaid(persona, {"name": "Ada"}).name == "Coach"
    assert own_rules(persona, {"rules": ["Cite sources"]}) == []


def test_rules_add_up_and_an_empty_value_takes_a_field_back() -> None:
    fields = with_wish({}, "rules", "Cite sources")
    fields = with_wish(fields, "rules", "No small talk")
    fields = with_wish(with_wish(fields, "creature", "pirate"), "creature", "")

    assert fields == {"rules": ["Cite sources", "No small talk"]}
    assert already_so(Persona(), fields, "rules", "cite SOURCES")
    assert already_so(Persona(name="Ada"), {}, "name", "ada")
    assert not already_so(Persona(), fields, "rules", "Be brief")


def test_a_rule_that_is_taken_back_comes_again_when_that_is_undone() -> None:
    fields = {"rules": ["Cite sources", "No small talk"]}

    ended = with_wish(fields, "rules", f"{ENDED}Cite sources")

    assert ended == {"rules": ["No small talk"]}
    assert already_so(Persona(), ended, "rules", f"{ENDED}Cite sources")
    assert not already_so(Persona(), fields, "rules", f"{ENDED}cite sources")
    assert without_wish(ended, "rules", f"{ENDED}Cite sources", fields) == {
        "rules": ["No small talk", "Cite sources"]
    }


def test_there_is_one_form_of_address() -> None:
    chief = with_wish({"rules": ["Cite sources"]}, "rules", "Address them as Chief")

    doc = with_wish(chief, "rules", "Address them as Doc")

    assert doc == {"rules": ["Cite sources", "Address them as Doc"]}
    assert without_wish(doc, "rules", "Address them as Doc", chief) == {
        "rules": ["Cite sources", "Address them as Chief"]
    }
