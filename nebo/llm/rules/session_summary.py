"""What a conversation was about, by rule, for the next one with the same person: in the person's own sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from nebo.llm.rules.choosing import choose
from nebo.llm.rules.remembered import weigh_remembered, without_closed
from nebo.llm.rules.scored_sentences import ScoredSentence, score_sentences
from nebo.llm.rules.tone import tone_of
from nebo.llm.rules.undone import without_undone
from nebo.llm.types import ChatMessage
from nebo.reading.facts.persons import list_persons
from nebo.reading.facts.third_person import NAMELESS, name_subject
from nebo.reading.relations.restatement import stems
from nebo.reading.requests.tasks import find_task
from nebo.reading.requests.todos import FoundTodo, find_todos
from nebo.reading.times.day_spans import format_day
from nebo.reading.words.languages import is_english
from nebo.reading.words.naming import named_words
from nebo.reading.words.pronouns import leaves_somebody_unnamed

MAX_ONE_LINER_CHARS = 320  # characters
MAX_ITEMS = 6  # in one list
MATTERS_CHARS = 1_200  # characters of all that mattered
MATTERS = 0.6  # weight from which something mattered
CENTRAL = 0.8  # what a sentence weighs more whose words run through the whole conversation
LATE = 0.5  # what the last sentence weighs more as the outcome than the first
EARLY = 0.3  # what the first request weighs more as what was wanted than the last
LIKELY = 0.5  # chance of telling an event, or of promising something
HAPPENED = 0.3  # what tells an event weighs more as the outcome
ASKING_SHARE = 3  # of so many sentences one asks for something, where a conversation is about that
TAKEN_UP = 2  # other sentences that have a word of it, where it is about one request
NAMED = 0.1  # what each word weighs that names something, where nothing else tells
# "Could murder a sandwich" leaves out its "I", and asks nothing.
_MODAL_FIRST = re.compile(
    r"(?:could|can|would|should|might) (?!(?:you|we|i|he|she|they|it|there|this|that|these|those|the|an?|my|our|your"
    r"|any\w*"
    r"|some\w*|u)\b)[a-z]+ [^?]*$",
    re.IGNORECASE,
)
NOTHING_TO_TELL = "A short exchange."


def summarize_session(
    material: Sequence[ChatMessage], *, over: Sequence[str] = (), kept: Sequence[str] = ()
) -> str:
    """The summary as JSON text: one_liner, what_mattered, open_loops, commitments, people, tone.

    The headline tells what the conversation was about, also where a memory says it; what mattered besides is what no
    memory says, as long as there is room for it.
    """
    scored = score_sentences(material)
    holds = [one for one in without_closed(without_undone(scored), over) if one.weight > 0]
    sentences = [one for one in holds if one.role == "user"]
    todos = list(_list_todos(sentences))
    headline = _headline(sentences)
    others = weigh_remembered([one for one in sentences if one not in headline], kept)
    telling = [one for one in others if _is_telling(one)]
    return json.dumps(
        {
            "one_liner": " ".join(map(_restated, headline)) or NOTHING_TO_TELL,
            "what_mattered": [
                _restated(one) for one in choose(telling, limit_chars=MATTERS_CHARS, limit=MAX_ITEMS)
            ],
            "open_loops": [
                *(dated(todo) for todo in todos if todo.kind != "commitment"),
                *list_unanswered(scored),
            ][:MAX_ITEMS],
            "commitments": [dated(todo) for todo in todos if todo.kind == "commitment"][:MAX_ITEMS],
            "people": list_persons(
                [one.sentence for one in sentences], speakers={message.name for message in material}
            )[:MAX_ITEMS],
            "tone": tone_of([message.content for message in material if message.role == "user"]),
        },
        ensure_ascii=False,
    )


def _headline(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What was wanted, and what came of it: a request and the weightiest news, as they were said; one where the other
    is missing.
    """
    central = _centrality(sentences)
    last = max(sentences[-1].place, 1) if sentences else 1
    wanted = _find_wanted(sentences)
    others = [one for one in sentences if one not in wanted and _is_telling(one) and not _corrects(one)]
    news = [one for one in others if _happened(one)] if wanted else others
    asked = max(
        wanted, key=lambda one: one.weight + central[one.place] - EARLY * one.place / last, default=None
    )
    statement = max(
        [one for one in news if _stands_alone(one)] or news,
        key=lambda one: _newsworth(one) + central[one.place] + LATE * one.place / last,
        default=None,
    )
    both = sorted(filter(None, (asked, statement)), key=lambda one: one.place)
    if len(both) > 1 and sum(len(_restated(one)) for one in both) > MAX_ONE_LINER_CHARS:
        return [asked or both[0]]
    return (
        both
        or sorted(sentences, key=lambda one: (not _stands_alone(one), _is_promise(one), -_substance(one)))[:1]
    )


def _stands_alone(one: ScoredSentence) -> bool:
    """Whether somebody who reads this sentence alone knows whom and what it is about."""
    return not (one.points_back or leaves_somebody_unnamed(one.text))


def _find_wanted(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What was asked for, where the conversation was about that: a question on the way is soon answered."""
    asked = [one for one in sentences if find_task(one.sentence)]
    others = [stems(one.text) for one in sentences if one not in asked]
    if len(asked) * ASKING_SHARE >= len(sentences):
        return asked
    return [one for one in asked if sum(bool(stems(one.text) & words) for words in others) >= TAKEN_UP]


def _is_promise(one: ScoredSentence) -> bool:
    return one.meaning.chances["todo"] >= LIKELY


def _substance(one: ScoredSentence) -> float:
    """Of talk in which nothing weighs much, what names most."""
    return one.weight + NAMED * len(named_words(one.text))


def _happened(one: ScoredSentence) -> bool:
    """Whether it tells of something that happened, was decided, or will."""
    return one.meaning.chances["event"] >= LIKELY or one.meaning.slot == "decision"


def _newsworth(one: ScoredSentence) -> float:
    return one.weight + (HAPPENED if one.meaning.is_sure("event") else 0.0)


def _centrality(sentences: Sequence[ScoredSentence]) -> dict[int, float]:
    """How much of the conversation shares a sentence's words, 0 to CENTRAL."""
    words = {one.place: stems(one.text) for one in sentences}
    common = Counter(word for own in words.values() for word in own)
    most = max((count for _, count in common.most_common(1)), default=1)
    return {
        place: CENTRAL * sum(common[word] for word in own) / (len(own) * most) if own else 0.0
        for place, own in words.items()
    }


def _is_telling(one: ScoredSentence) -> bool:
    """What is to be done, or was, and who speaks stand elsewhere; a question that brings nothing else tells nothing."""
    meaning = one.meaning
    acts = any(meaning.is_sure(kind) for kind in ("todo", "done", "dropped"))
    if one.text.endswith("?") and meaning.is_sure("question") and not find_task(one.sentence):
        return False
    return one.weight >= MATTERS and not acts and meaning.slot != "name"


def _corrects(one: ScoredSentence) -> bool:
    return one.meaning.may_be("correction")


def _restated(one: ScoredSentence) -> str:
    """A request as it was asked; anything else told of the person."""
    name = "" if one.speaker in ("", "User") else one.speaker
    if find_task(one.sentence):
        return f"{name or NAMELESS} asked: “{one.text}”{'' if one.text[-1:] in '.!?…' else '.'}"
    turned = name_subject(one.text, speaker=name, english=is_english(one.text))
    return f"{name}: {one.text}" if name and f"{name} is {name}" in turned else turned


def _list_todos(sentences: Sequence[ScoredSentence]) -> Iterator[FoundTodo]:
    """What is still to be done after the conversation."""
    for one in sentences:
        on = one.on or datetime.now(UTC).date()
        yield from find_todos(one.sentence, on)


def dated(todo: FoundTodo) -> str:
    """With its day: of "tomorrow" nobody knows later when that was."""
    return f"{todo.text} ({format_day(todo.due)})" if todo.due else todo.text


def list_unanswered(scored: Sequence[ScoredSentence]) -> list[str]:
    """Questions of the last message: nobody has answered them yet."""
    if not scored:
        return []
    last = [one for one in scored if one.message == scored[-1].message]
    asked = [one for one in last if one.meaning.is_sure("question") and not _MODAL_FIRST.match(one.text)]
    return [one.text for one in asked if named_words(one.text)][:2]
