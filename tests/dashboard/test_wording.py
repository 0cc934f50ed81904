"""How the dashboard says things."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from memories.models import Memory, Observation, Version
from nebo.jobs.models import Job
from nebo.jobs.registry import get_handler, list_kinds
from nebo.llm.errors import PermanentError, RetryableError
from nebo.product.dashboard.job_words import list_results
from nebo.product.dashboard.templatetags import wording
from nebo.product.dashboard.vocabulary import WORDS
from personality.models import Persona
from sessions.lifecycle.identity import SessionIdentity, v2_key
from sessions.models import Message


@pytest.mark.parametrize(
    "subject, values",
    [
        ("layer", Memory.Layer.values),
        ("type", Memory.Type.values),
        ("status", Memory.Status.values),
        ("trust", Memory.Trust.values),
        ("source", Memory.Source.values),
        ("fact", Memory.FactType.values),
        ("scope", Memory.Scope.values),
        ("role", Message.Role.values),
        ("state", Job.State.values),
        ("tone", Job.State.values),
    ],
)
def test_every_value_the_database_keeps_has_its_word(subject: str, values: list[str]) -> None:
    assert set(values) == set(WORDS[subject])


def test_every_kind_of_job_has_its_words() -> None:
    ours = {kind for kind in list_kinds() if not get_handler(kind).__module__.startswith("tests.")}

    assert ours <= set(WORDS["kind"])


@pytest.mark.parametrize("confidence, said", [(0.5, "Unsure"), (0.65, "Fairly sure"), (0.9, "Sure")])
def test_confidence_is_said_in_words(confidence: float, said: str) -> None:
    assert wording.sure_word(confidence) == said


@pytest.mark.parametrize(
    "error, said",
    [
        (PermanentError("openai", "gpt", "the key was not accepted (401)", kind="refused"), "refused the key"),
        (RetryableError("openai", "gpt", "too many requests (429)", kind="busy"), "slow down"),
        (RetryableError("openai", "gpt", "server error (503)", kind="busy"), "a problem of its own"),
        ("The worker stopped in the middle of attempt 2 (crash 1).", "The worker stopped"),
        ("Unexpected ZeroDivisionError; whatever", "no words for"),
    ],
)  # fmt: skip
def test_an_error_is_said_so_that_one_can_act(error: object, said: str) -> None:
    assert said in wording.error_word(str(error))


@pytest.mark.parametrize(
    "passed, said",
    [
        (timedelta(seconds=2), "just now"),
        (timedelta(seconds=50), "50 s ago"),
        (timedelta(hours=3, minutes=7), "3 h ago"),
        (timedelta(days=6), "6 d ago"),
        (timedelta(minutes=-5, seconds=-5), "in 5 min"),
    ],
)
def test_a_moment_is_told_as_people_tell_it(passed: timedelta, said: str) -> None:
    assert f">{said}</time>" in wording.ago(timezone.now() - passed)


def test_no_moment_is_never() -> None:
    assert wording.ago(None) == "never"


def cited(text: str, quote: str, start: int | None = None) -> Observation:
    seen = Observation(quote=quote, quote_start=start)
    seen._state.fields_cache["message"] = Message(content=text)
    return seen


def test_a_quote_is_marked_in_its_place_and_everything_is_escaped() -> None:
    assert wording.quoted(cited("a <b> & c <b>", "<b>", 10)) == "a &lt;b&gt; &amp; c <mark>&lt;b&gt;</mark>"
    assert wording.quoted(cited("a <b> & c", "<b>")) == "a <mark>&lt;b&gt;</mark> &amp; c"


def test_a_long_turn_is_shown_around_the_quote() -> None:
    shown = wording.quoted(cited("word " * 200 + "HERE" + " word" * 200, "HERE"))

    assert "<mark>HERE</mark>" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) < 700


def test_a_quote_that_no_longer_stands_there_is_shown_by_itself() -> None:
    assert wording.quoted(cited("something else", "the <old> words")) == "the &lt;old&gt; words"


def test_changes_name_what_differs_before_and_after() -> None:
    version = Version(
        before={"value": "tea", "pinned": False, "tags": [], "reinforced_count": 1},
        after={"value": "coffee", "pinned": True, "tags": ["drinks"], "reinforced_count": 2},
    )

    assert wording.changes(version) == [
        ("Wording", "tea", "coffee"),
        ("Tags", "", "drinks"),
        ("Pinned", "no", "yes"),
    ]


def test_a_session_is_called_by_what_it_was_about() -> None:
    session = SimpleNamespace(one_liner="", first_words="", identity={}, key="chat-1")
    assert wording.session_title(session) == "chat-1"
    session.identity = {"conversation": "studio"}
    assert wording.session_title(session) == "studio"
    session.first_words = "Where do I get clay?\nAnd glazes?"
    assert wording.session_title(session) == "Where do I get clay?"
    session.one_liner = "About clay"
    assert wording.session_title(session) == "About clay"


def test_nobody_has_to_read_a_key_that_is_a_hash() -> None:
    day = timezone.make_aware(datetime(2026, 11, 27, 12))
    session = SimpleNamespace(identity={}, key=v2_key(SessionIdentity("", "", "", "")), started_at=day)

    assert wording.session_title(session) == "Conversation of 27 November 2026"


@pytest.mark.parametrize(
    "name, slug, said",
    [
        ("Nebo", "default", "Nebo"),
        ("Nebo", "work", "Nebo (work)"),
        ("Running Coach", "running-coach", "Running Coach"),
        ("Running Coach", "coach", "Running Coach (coach)"),
        ("R" * 200, "runner", "R" * 59 + "… (runner)"),
    ],
)
def test_a_persona_that_stands_alone_says_which_it_is(name: str, slug: str, said: str) -> None:
    assert wording.persona_name(Persona(name=name, slug=slug)) == said
    assert wording.persona_name({"name": name, "slug": slug}) == said


@pytest.mark.parametrize(
    "personas, said",
    [
        ([("Nebo", "default"), ("Nebo", "nebo")], ["Nebo (default)", "Nebo (nebo)"]),
        (
            [("Running Coach", "coach"), ("Running  coach", "running")],
            ["Running Coach (coach)", "Running  coach (running)"],
        ),
        ([("Running Coach", "coach"), ("Chef", "kitchen")], ["Running Coach", "Chef"]),
        ([("N" * 70 + "a", "one"), ("N" * 70 + "b", "two")], ["N" * 59 + "… (one)", "N" * 59 + "… (two)"]),
    ],
)
def test_personas_in_a_list_can_be_told_apart(personas: list[tuple[str, str]], said: list[str]) -> None:
    rows = [Persona(name=name, slug=slug) for name, slug in personas]

    assert wording.told_apart(rows) == list(zip(rows, said, strict=True))


def test_what_came_of_a_job_is_told_without_what_came_to_nothing() -> None:
    result = {
        "read": 1200,
        "settled": 0,
        "model": "openai/gpt",
        "rolled": True,
        "records": {"memories": 3, "todos": 0},
    }

    assert list_results({**result, "merged_into": "x", "bytes": 2048, "of_late": 1}) == [
        ("Messages read", "1,200"),
        ("Read by", "openai/gpt"),
        ("Running summary written anew", "yes"),
        ("In the file: Memories", "3"),
        ("Size", "2.0\xa0KB"),
        ("Of late", "1"),
    ]
    assert list_results({"archived": 0, "more": False}) == []
    counts = {"memories_memory": 3, "memories_foldmember": 1, "search_posting": 40, "search_chunk": 2}
    assert list_results({"erasure_id": "x", "counts": counts, "total": 46}) == [
        ("Memories", "3"),
        ("The search index", "42"),
        ("Links between them, and the rest", "1"),
    ]
