"""What a case may expect, and how each is judged: the table at the end is the list.

Wrong is what is there and must not be, or is gone and had to stay; missed is what was wanted and isn't there, or
what should have changed and is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.client import JSON
from benchmarks.truth.expecting import read_continuity, read_days, read_list, read_pair, read_true
from benchmarks.truth.view import View, tell_todo
from benchmarks.truth.words import Words

Verdict = Literal["right", "wrong", "missed"]
Findings = Iterator["Finding"]
TWICE = 2  # observations


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that doesn't hold."""

    verdict: Verdict
    told: str


def wrong(told: str) -> Finding:
    """Something is there that must not be, or gone that had to stay."""
    return Finding("wrong", told)


def missed(told: str) -> Finding:
    """Something wanted is absent, or still as it was."""
    return Finding("missed", told)


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Wrong if anything is, else missed if anything is."""
    verdicts = {finding.verdict for finding in findings}
    return "wrong" if "wrong" in verdicts else "missed" if verdicts else "right"


def judge(view: View, expected: Mapping[str, Any]) -> list[Finding]:
    """What doesn't hold of what was expected."""
    return [finding for name, wanted in expected.items() for finding in CHECKS[name].judge(view, wanted)]


def check_expected(written: Mapping[str, Any]) -> dict[str, Any]:
    """What a case expects, read once. Raises ValueError for a name or a value that nothing judges."""
    if unknown := written.keys() - CHECKS.keys():
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(CHECKS))}")
    return {name: check.read(written[name]) for name, check in CHECKS.items() if name in written}


# --- Memories --------------------------------------------------------------------------------------------


def has_memories(view: View, wanted: list[Words]) -> Findings:
    """A live memory has the words."""
    return (missed(f"no live memory `{w.source}`") for w in wanted if not _live(view, w))


def has_no_memories(view: View, unwanted: list[Words]) -> Findings:
    """No live memory has the words."""
    return (wrong(f"live: {_values(there)}") for w in unwanted if (there := _live(view, w)))


def keeps_memories(view: View, wanted: list[Words]) -> Findings:
    """A live memory with the words is still there."""
    return (wrong(f"`{w.source}` is live no more") for w in wanted if not _live(view, w))


def has_forgotten(view: View, unwanted: list[Words]) -> Findings:
    """No live memory has the words, or the person is asked which is meant."""
    asked = [memory["value"] for request in view.forget_requests for memory in request["memories"]]
    for words in unwanted:
        if _live(view, words) and not words.among(asked):
            yield missed(f"`{words.source}` is still live, and no forget request names it")


def asks_nothing(view: View, _: bool) -> Findings:
    """Nobody is asked what to forget."""
    return (wrong(f"an open forget request: {request['what']}") for request in view.forget_requests)


def has_one(view: View, wanted: list[Words]) -> Findings:
    """Exactly one live memory has the words."""
    for words in wanted:
        live = _live(view, words)
        if not live:
            yield missed(f"no live memory `{words.source}`")
        elif len(live) > 1:
            yield wrong(f"{len(live)} live memories `{words.source}`: {_values(live)}")


def has_replaced(view: View, change: tuple[Words, Words]) -> Findings:
    """The new one is live, the old one is not; as it was before is missed."""
    old, new = (_live(view, words) for words in change)
    if old and new:
        yield wrong(f"both are live: {_values([*old, *new])}")
    elif old:
        yield _unheard(old, change[1])
    elif not new:
        yield wrong(f"neither the old nor `{change[1].source}` is live")


def has_apart(view: View, both: tuple[Words, Words]) -> Findings:
    """Each is live in a memory of its own."""
    first, second = (_live(view, words) for words in both)
    if {memory["id"] for memory in first} & {memory["id"] for memory in second}:
        yield wrong(f"made one: {_values(first)}")
    elif bool(first) != bool(second):
        yield _unheard(first or second, both[0] if second else both[1])
    elif not first:
        yield missed(f"neither `{both[0].source}` nor `{both[1].source}` is live")


def has_newer(view: View, both: tuple[Words, Words]) -> Findings:
    """The newer one is live and was told once; the older may be live or not."""
    older, newer = (_live(view, words) for words in both)
    if not newer:
        yield _unheard(older, both[1]) if older else missed(f"no live memory `{both[1].source}`")
    elif all(_was_told_again(memory) for memory in newer):
        yield wrong(f"taken for the same as `{both[0].source}`: {_values(newer)}")


def has_waiting(view: View, wanted: list[Words]) -> Findings:
    """A memory in review has the words, and says why."""
    for words in wanted:
        if not any(memory["quarantine_reason"] for memory in view.in_review if words.are_in(memory["value"])):
            yield missed(f"nothing `{words.source}` waits in review with a reason")


def has_history(view: View, change: tuple[Words, Words]) -> Findings:
    """The old one is kept as over, with its end and a link to the new one that is live."""
    old, new = change
    live = {memory["id"] for memory in _live(view, new)}
    over = [memory for memory in view.superseded if old.are_in(memory["value"])]
    linked = [memory for memory in over if memory["superseded_by"] in live and memory["valid_to"]]
    if not over:
        yield missed(f"nothing `{old.source}` is kept as over")
    elif not linked:
        yield wrong(f"over without its end or a link to `{new.source}`: {_values(over)}")


def undoes(view: View, change: tuple[Words, Words]) -> Findings:
    """Once the last run is undone, the old one is live again and the new one isn't."""
    old, new = change
    live = view.live_once_undone
    if not old.among(live):
        yield wrong(f"undone, `{old.source}` is not live: {' | '.join(live)}")
    if there := new.among(live):
        yield wrong(f"undone, still live: {' | '.join(there)}")


def summarises(view: View, wanted: list[Words]) -> Findings:
    """Some summary has a line with the words."""
    return (missed(f"`{w.source}` is in no summary") for w in wanted if not w.among(view.summaries))


def does_not_summarise(view: View, unwanted: list[Words]) -> Findings:
    """No line of a summary has them, and no task."""
    return (
        wrong(f"in a summary: {' | '.join(there)}") for w in unwanted if (there := w.among(view.summaries))
    )


def _unheard(live: list[JSON], other: Words) -> Finding:
    """The other one is not there; wrong where it was taken for what is."""
    told = f"no live memory `{other.source}`"
    if any(_was_told_again(memory) for memory in live):
        return wrong(f"{told}; it was taken for {_values(live)}")
    return missed(f"{told}; only {_values(live)}")


def _was_told_again(memory: JSON) -> bool:
    return bool(memory["reinforced_count"] >= TWICE)


def _live(view: View, words: Words) -> list[JSON]:
    return [memory for memory in view.memories if words.are_in(memory["value"])]


def _values(memories: Iterable[JSON]) -> str:
    return " | ".join(memory["value"] for memory in memories)


# --- Todos -----------------------------------------------------------------------------------------------


def has_todos(view: View, wanted: list[Words]) -> Findings:
    """An open todo has the words; one that was closed is wrong."""
    for words in wanted:
        found = _todos(view, words)
        if not found:
            yield missed(f"no todo `{words.source}`")
        elif not _with_status(found, "open"):
            yield wrong(f"not open: {_tell(found)}")


def has_no_todos(view: View, unwanted: list[Words]) -> Findings:
    """No open todo has the words."""
    for words in unwanted:
        if there := _with_status(_todos(view, words), "open"):
            yield wrong(f"an open todo: {_tell(there)}")


def has_closed(*statuses: str) -> Callable[[View, list[Words]], Findings]:
    """A todo with the words is in one of these states; still open is missed, another end is wrong."""

    def judge_closed(view: View, wanted: list[Words]) -> Findings:
        for words in wanted:
            found = _todos(view, words)
            if not found or _with_status(found, "open"):
                yield missed(f"still open: {_tell(found)}" if found else f"no todo `{words.source}`")
            elif not _with_status(found, *statuses):
                yield wrong(f"not {' or '.join(statuses)}: {_tell(found)}")

    return judge_closed


def is_due(view: View, wanted: list[tuple[Words, list[str]]]) -> Findings:
    """A todo with the words is due on one of the days; without a day is missed, on another is wrong."""
    for words, days in wanted:
        found = _todos(view, words)
        there = {(todo["due_at"] or "no day")[:10] for todo in found}
        if not found:
            yield missed(f"no todo `{words.source}`")
        elif there == {"no day"} and "no day" not in days:
            yield missed(f"no day: {_tell(found)}; wanted {' or '.join(days)}")
        elif not there <= set(days):
            yield wrong(f"{_tell(found)}; wanted {' or '.join(days)}")


def is_put_off(view: View, wanted: list[tuple[Words, list[str]]]) -> Findings:
    """Of those with the words that are open, one is due on one of the days; as it was is missed, gone is wrong."""
    for words, days in wanted:
        found = _todos(view, words)
        still = _with_status(found, "open")
        there = {(todo["due_at"] or "no day")[:10] for todo in still}
        if not still:
            yield wrong(f"not open: {_tell(found)}") if found else missed(f"no todo `{words.source}`")
        elif there - set(days):
            yield missed(f"{_tell(still)}; wanted {' or '.join(days)}")


def _todos(view: View, words: Words) -> list[JSON]:
    return [todo for todo in view.todos if words.are_in(todo["text"])]


def _with_status(todos: list[JSON], *statuses: str) -> list[JSON]:
    return [todo for todo in todos if todo["status"] in statuses]


def _tell(todos: list[JSON]) -> str:
    return " | ".join(tell_todo(todo) for todo in todos)


# --- What the next prompt says ---------------------------------------------------------------------------


def says(view: View, wanted: list[Words]) -> Findings:
    """A line of the next session's stable prompt, that not everybody's has, has the words."""
    return (missed(f"no line `{w.source}` in the next prompt") for w in wanted if not w.among(view.prompt))


def still_says(view: View, wanted: list[Words]) -> Findings:
    """The same, of what was never taken back."""
    return (wrong(f"gone from the prompt: `{w.source}`") for w in wanted if not w.among(view.prompt))


def does_not_say(view: View, unwanted: list[Words]) -> Findings:
    """No such line has the words."""
    return (
        wrong(f"in the next prompt: {' | '.join(there)}") for w in unwanted if (there := w.among(view.prompt))
    )


def says_no_more(view: View, unwanted: list[Words]) -> Findings:
    """A line that was there is gone."""
    return (
        missed(f"still in the next prompt: {' | '.join(there)}")
        for w in unwanted
        if (there := w.among(view.prompt))
    )


def wishes_nothing(view: View, _: bool) -> Findings:
    """Nothing was learned of how to speak."""
    if view.manner:
        yield wrong(f"taken for a wish: {' | '.join(view.manner)}")


def recalls(view: View, wanted: list[Words]) -> Findings:
    """The context for what is asked has the words."""
    text = view.context.text
    return (missed(f"`{w.source}` is not in the context") for w in wanted if not w.are_in(text))


def does_not_recall(view: View, unwanted: list[Words]) -> Findings:
    """The context for what is asked has no line with the words."""
    lines = view.context.text.splitlines()
    return (wrong(f"in the context: {' | '.join(there)}") for w in unwanted if (there := w.among(lines)))


def goes_on(view: View, wanted: str) -> Findings:
    """`missing`: the context is refused for want of anything to go on from; `ok`: it isn't."""
    refused = view.context.refused
    if wanted == "missing" and "continuity-missing" not in refused:
        yield missed("answered, with nothing to go on from")
    elif wanted == "ok" and refused:
        yield wrong(f"refused: {refused}")


# --- What the search finds -------------------------------------------------------------------------------


def finds(view: View, wanted: list[Words]) -> Findings:
    """Some result has the words."""
    return (missed(f"the search finds nothing `{w.source}`") for w in wanted if not w.among(view.found))


def still_finds(view: View, wanted: list[Words]) -> Findings:
    """The same, of what was never to be hidden."""
    return (wrong(f"hidden from the search: `{w.source}`") for w in wanted if not w.among(view.found))


def does_not_find(view: View, unwanted: list[Words]) -> Findings:
    """No result has the words."""
    return (wrong(f"found: {' | '.join(there)}") for w in unwanted if (there := w.among(view.found)))


# --- How each is written ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """How what a case writes is read, and how it is judged."""

    read: Callable[[Any], Any]
    judge: Callable[[View, Any], Findings]


CHECKS = {
    "memory": Check(read_list, has_memories),
    "no_memory": Check(read_list, has_no_memories),
    "kept": Check(read_list, keeps_memories),
    "forgotten": Check(read_list, has_forgotten),
    "no_forget_request": Check(read_true, asks_nothing),
    "one": Check(read_list, has_one),
    "replaced": Check(read_pair, has_replaced),
    "apart": Check(read_pair, has_apart),
    "newer": Check(read_pair, has_newer),
    "todo": Check(read_list, has_todos),
    "no_todo": Check(read_list, has_no_todos),
    "done": Check(read_list, has_closed("done")),
    "dropped": Check(read_list, has_closed("dropped")),
    "closed": Check(read_list, has_closed("done", "dropped")),
    "due": Check(read_days, is_due),
    "put_off": Check(read_days, is_put_off),
    "prompt": Check(read_list, says),
    "still_prompt": Check(read_list, still_says),
    "no_prompt": Check(read_list, does_not_say),
    "unsaid": Check(read_list, says_no_more),
    "no_wish": Check(read_true, wishes_nothing),
    "context": Check(read_list, recalls),
    "no_context": Check(read_list, does_not_recall),
    "continuity": Check(read_continuity, goes_on),
    "found": Check(read_list, finds),
    "still_found": Check(read_list, still_finds),
    "not_found": Check(read_list, does_not_find),
    "waits": Check(read_list, has_waiting),
    "history": Check(read_pair, has_history),
    "summary": Check(read_list, summarises),
    "no_summary": Check(read_list, does_not_summarise),
    "undone": Check(read_pair, undoes),  # the last, since it changes what there is
}
