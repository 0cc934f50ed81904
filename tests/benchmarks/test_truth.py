"""The labelled cases, and how they are judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scripted import Script
from benchmarks.truth.__main__ import main
from benchmarks.truth.cases import (
    LANGUAGES,
    UNSEEN,
    WITH_MODEL,
    BadCase,
    Case,
    read_families,
    read_family,
)
from benchmarks.truth.checks import CHECKS, check_expected, judge, verdict_of
from benchmarks.truth.proposing import TEMPERS, teach
from benchmarks.truth.report import render_report
from benchmarks.truth.telling import Outcome
from benchmarks.truth.words import Words, read_words

FAMILIES = read_families()
CASES = [case for family in FAMILIES for case in family.cases]
UNSEEN_FAMILIES = read_families(UNSEEN)
UNSEEN_CASES = [case for family in UNSEEN_FAMILIES for case in family.cases]
MODEL_FAMILIES = read_families(WITH_MODEL)
MODEL_CASES = [case for family in MODEL_FAMILIES for case in family.cases]
IN_THEIR_WORDS = (
    "memory", "one", "kept", "todo", "done", "dropped", "closed", "prompt", "still_prompt", "found", "still_found",
)  # fmt: skip
CHANGES = ("replaced", "newer", "apart")


class Seen:
    """What would be seen of a person, for checks that are judged without a server."""

    def __init__(
        self,
        *values: str,
        todos: list[dict[str, Any]] | None = None,
        told: int = 1,
        superseded: tuple[dict[str, Any], ...] = (),
        undone: tuple[str, ...] = (),
    ) -> None:
        self.memories = [{"id": v, "value": v, "reinforced_count": told} for v in values]
        self.todos = todos or []
        self.forget_requests: list[dict[str, Any]] = []
        self.prompt = self.summaries = list(values)
        self.in_review = [{"value": v, "quarantine_reason": "Nobody said so."} for v in values]
        self.superseded, self.live_once_undone = superseded, undone


def verdict(seen: Seen, **expected: Any) -> str:
    return verdict_of(judge(seen, check_expected(expected)))  # type: ignore[arg-type]


def todo(text: str, status: str = "open", due: str | None = None) -> dict[str, Any]:
    return {"text": text, "status": status, "due_at": due}


@pytest.mark.parametrize(
    "words, text",
    [
        ("dentist call|ring", "Ring up the Dentist."),
        ("allerg* -pollen", "Is allergic to nuts"),
        ("new_york", "lives in New  York"),
        ("weißwein cafe", "Weisswein im Café"),
        ("can't", "I can’t stand it"),
        ("9.15", "standup is at 9.15, not 9"),
        ("*", "anything"),
    ],
)
def test_words_are_found_without_case_accents_and_order(words: str, text: str) -> None:
    assert read_words(words).are_in(text)


@pytest.mark.parametrize(
    "words, text",
    [
        ("tea", "is on a team"),
        ("dentist call", "the dentist"),
        ("leeds -york", "moved from Leeds to York"),
        ("5 km", "15 km"),
    ],
)
def test_words_are_whole_and_all_of_them_count(words: str, text: str) -> None:
    assert not read_words(words).are_in(text)


def test_what_is_there_and_must_not_be_is_wrong_and_what_is_absent_is_missed() -> None:
    seen = Seen("Lives in Leeds")

    assert verdict(seen, memory="leeds") == "right"
    assert verdict(seen, memory="york") == "missed"
    assert verdict(seen, memory="york", no_memory="leeds") == "wrong"
    assert verdict(seen, kept="york") == "wrong"


@pytest.mark.parametrize(
    "values, expected",
    [
        (["Lives in York"], "right"),
        (["Lives in Leeds"], "missed"),
        (["Lives in Leeds", "Lives in York"], "wrong"),
        ([], "wrong"),
    ],
)
def test_a_correction_is_missed_as_it_was_and_wrong_when_both_or_none_are_live(
    values: list[str], expected: str
) -> None:
    assert verdict(Seen(*values), replaced=["leeds -york", "york"]) == expected


def test_two_things_that_became_one_are_wrong() -> None:
    opposite = ["coffee -never", "coffee never"]

    assert verdict(Seen("Drinks coffee", "Never drinks coffee"), newer=opposite) == "right"
    assert verdict(Seen("Drinks coffee"), newer=opposite) == "missed"
    assert verdict(Seen("Drinks coffee", told=2), newer=opposite) == "wrong"
    assert verdict(Seen("Never drinks coffee", told=2), newer=opposite) == "wrong"
    assert verdict(Seen("Sisters Anna and Hannah"), apart=["anna", "hannah"]) == "wrong"


def test_a_todo_that_ended_otherwise_is_wrong_and_one_that_is_open_still_is_missed() -> None:
    seen = Seen(todos=[todo("Pay the rent"), todo("Call Ben", "dropped")])

    assert verdict(seen, todo="rent", no_todo="ben", dropped="ben", closed="ben") == "right"
    assert verdict(seen, done="rent") == "missed"
    assert verdict(seen, done="ben") == "wrong"
    assert verdict(seen, todo="ben") == "wrong"


def test_a_day_that_is_absent_is_missed_and_another_is_wrong() -> None:
    seen = Seen(todos=[todo("Renew passport", due="2031-05-31T23:59:59Z"), todo("Call Ben")])

    assert verdict(seen, due={"passport": ["2031-05-31", "2031-06-01"], "ben": "no day"}) == "right"
    assert verdict(seen, due={"ben": "2031-05-31"}) == "missed"
    assert verdict(seen, due={"passport": "2031-06-02"}) == "wrong"
    assert verdict(seen, due={"passport": "no day"}) == "wrong"
    assert verdict(seen, put_off={"passport": "2031-06-02"}) == "missed"


def test_what_changed_has_a_history_with_a_link_and_comes_back_when_undone() -> None:
    over = {"value": "Lives in Leeds", "superseded_by": "Lives in York", "valid_to": "2031-01-01T00:00:00Z"}
    moved = ["leeds", "york"]

    assert verdict(Seen("Lives in York", superseded=(over,)), history=moved) == "right"
    assert verdict(Seen("Lives in York"), history=moved) == "missed"
    assert verdict(Seen("Lives in York", superseded=({**over, "valid_to": None},)), history=moved) == "wrong"
    assert verdict(Seen("Lives in Bath", superseded=(over,)), history=moved) == "wrong"
    assert verdict(Seen(undone=("Lives in Leeds",)), undone=moved) == "right"
    assert verdict(Seen(undone=("Lives in York",)), undone=moved) == "wrong"


def test_what_waits_and_what_a_summary_says_is_looked_for_by_its_words() -> None:
    seen = Seen("Is a spy")

    assert verdict(seen, waits="spy", summary="spy") == "right"
    assert verdict(seen, waits="baker") == verdict(seen, summary="baker") == "missed"
    assert verdict(seen, no_summary="spy") == "wrong"


def test_a_case_is_judged_before_it_is_undone() -> None:
    assert list(check_expected({"undone": ["a", "b"], "one": "b"}))[-1] == "undone"


def test_a_report_counts_look_alikes_apart_and_tells_what_is_not_right() -> None:
    family = FAMILIES[0]
    first, last = family.cases[0], family.cases[-1]
    missed = judge(Seen(), first.expect)  # type: ignore[arg-type]

    report = render_report(
        [family], [Outcome(first, missed, {"todos": []}), Outcome(last, [], {})], verbose=False
    )

    assert f"MISSED {first.name}" in report
    assert last.name not in report
    cells = [cell.strip() for cell in report.partition("| todos-made")[2].splitlines()[0].split("|")]
    assert cells[1:-1] == ["1", "0", "0", "1", "1", "1", "0", "0"]


def test_a_mistake_in_a_case_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "01-some.toml"
    file.write_text('about = "x"\n[[case]]\nlanguage = "en"\nsaid = ["hello"]\nexpect.memry = "x"\n')

    with pytest.raises(BadCase, match=r"some 1.*hello.*memry"):
        read_family(file)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_has_cases_and_look_alikes_in_every_language(family: Any) -> None:
    lookalikes = [case for case in family.cases if case.is_lookalike]

    assert len(family.cases) - len(lookalikes) >= 15
    assert len(lookalikes) >= 8
    assert {case.language for case in family.cases} == {"en", "de", "es", "fr", "it"}


@pytest.mark.parametrize("family", UNSEEN_FAMILIES, ids=lambda family: family.name)
def test_every_family_has_ten_cases_and_five_look_alikes_that_nothing_is_mended_by(family: Any) -> None:
    assert Counter(case.is_lookalike for case in family.cases) == {False: 10, True: 5}
    assert {case.language for case in family.cases} == set(LANGUAGES)


def test_what_nothing_is_mended_by_has_the_same_families_and_none_of_the_same_cases() -> None:
    assert [(one.name, one.about) for one in UNSEEN_FAMILIES] == [(one.name, one.about) for one in FAMILIES]
    words = Counter(case.words.casefold() for case in [*CASES, *UNSEEN_CASES])
    assert [case.name for case in UNSEEN_CASES if words[case.words.casefold()] > 1] == []


def test_cases_with_a_model_have_every_temper_in_every_language() -> None:
    seen = {(family.temper, case.language) for family in MODEL_FAMILIES for case in family.cases}

    assert seen == {(temper, language) for temper in TEMPERS for language in LANGUAGES}
    assert len(MODEL_CASES) >= 60


@pytest.mark.parametrize("family", MODEL_FAMILIES, ids=lambda family: family.name)
def test_what_is_wanted_was_said_or_is_what_a_truthful_model_makes_of_it(family: Any) -> None:
    unsaid = []
    for case in family.cases:
        known = [*case.known, *(todo.text for todo in case.todos), case.earlier_model.words]
        said = [*known, *(line.content for line in (*case.earlier, *case.said)), case.model.words]
        wanted = [
            words for name in ("memory", "one", "kept", "todo", "done") for words in case.expect.get(name, ())
        ]
        unsaid += [(case.name, w.source) for w in wanted if not w.among([*said, " ".join(said)])]

    assert unsaid == []


@pytest.mark.parametrize("family", MODEL_FAMILIES, ids=lambda family: family.name)
def test_a_model_says_its_entries_where_it_is_shown_the_messages(family: Any) -> None:
    for case in family.cases:
        says_its_entries(case)


def says_its_entries(case: Case) -> None:
    script = Script()
    teach(script, case.model)
    lines = "\n".join(f"[{number}] user: {line.content}" for number, line in enumerate(case.said))

    prompt = f'"preferences"\n{lines}'
    *raw, answer = [script.answer("", prompt) or "" for _ in range(len(case.model.raw) + 1)]

    assert raw == list(case.model.raw), case.name
    told = json.loads(answer)
    quotes = {entry["quote"] for entries in told.values() for entry in entries}
    assert quotes == {one.quote for one in case.model.proposals}, case.name
    assert not any(json.loads(script.answer("", '"preferences"\n[0] user: Hello.') or "").values())


def test_a_folder_without_cases_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", str(tmp_path)]) == 2
    assert f"No cases in {tmp_path}" in capsys.readouterr().err


def test_stories_belong_to_no_folder_of_cases(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["--cases", str(tmp_path), "--story", "ines"])


@pytest.mark.parametrize(
    "family",
    [*FAMILIES, *UNSEEN_FAMILIES],
    ids=[family.name for family in FAMILIES] + [f"unseen {family.name}" for family in UNSEEN_FAMILIES],
)
def test_whoever_keeps_the_persons_own_words_can_be_right(family: Any) -> None:
    unsaid = []
    for case in family.cases:
        known = [*case.known, *(line.content for line in case.earlier), *(todo.text for todo in case.todos)]
        said = [*known, *(line.content for line in case.said)]
        unsaid += [(case.name, w.source) for w in _wanted(case) if not w.are_in(" ".join(said))]
        for name, (old, new) in ((name, case.expect[name]) for name in CHANGES if name in case.expect):
            before = said if name == "apart" else known
            unsaid += [(case.name, w.source) for w, told in ((old, before), (new, said)) if not w.among(told)]

    assert unsaid == []


def _wanted(case: Case) -> Iterator[Words]:
    for name in IN_THEIR_WORDS:
        yield from case.expect.get(name, ())
        yield from case.before.get(name, ())
        yield from case.elsewhere.expect.get(name, ()) if case.elsewhere else ()
    for name in ("due", "put_off"):
        yield from (words for words, _ in case.expect.get(name, ()))


def test_the_page_names_every_check() -> None:
    page = Path("docs/truth.md").read_text("utf-8")

    assert [name for name in CHECKS if f"`{name}" not in page] == []
