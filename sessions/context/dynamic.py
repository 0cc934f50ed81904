"""The dynamic block: what came before (spine, summaries), active task, open loops, entity cards, recalled memories."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest

from django.utils import timezone

from memories.extraction.material import shorten
from memories.models import Todo
from memories.screening.fencing import fence, one_line
from memories.screening.sanitize import without_orders
from memories.team.recalling import TeamMemory, format_team
from nebo.reading.relations.coverage import Coverage
from nebo.reading.requests.tasks import is_left
from sessions.context.background import Background
from sessions.context.budget import (
    DEFAULT_BUDGET,
    LAST_TALK_SHARE,
    LAST_WORDS_SHARE,
    OPEN_LOOPS_SHARE,
    PEOPLE_SHARE,
    ROLLING_SHARE,
    SNAPSHOT_SHARE,
    SPINE_SHARE,
    SUMMARY_SHARE,
    fit,
)
from sessions.context.cards import Card
from sessions.context.retelling import (
    Retelling,
    list_shorter,
    read_days,
    without_idle_replies,
    without_left_questions,
    without_small_talk,
    write_days,
)
from sessions.models import Session, SessionSummary, Snapshot
from sessions.tokens import cut_to_tokens, estimate_tokens

BETWEEN_SECTIONS = "\n\n"
OPEN_LOOPS = 10  # shown at most
LAST_WORDS_CHARS = 300  # characters of one message
NOTHING_BEFORE = Background()
# "- Profile: ", "- [commitment] ", "- 3 May 2024, user: "; ", due 9 May 2024"
_LABEL = re.compile(
    r"^(?:- )?(?:\[\w+\] |\d{1,2} [A-Z]\w+ \d{4}, [^:\n]{1,60}: |[A-Z][\w ]{2,20}: )"
    r"|, (?:overdue since|due) \d{1,2} \w+ \d{4}$",
    re.MULTILINE,
)
_PERSON = re.compile(r"^\[[^\]]*\]: ")
RECALLED_HEADING = "## Recalled For This Turn"
# A search can miss something: no more is claimed than that it found nothing.
NOTHING_FOUND = "Nothing was found about this in what was said or learned before."
NOTHING_MORE = "Beyond what stands above, nothing was found about this in what was said or learned before."
RECALLED_FRAME = f"{RECALLED_HEADING}\n{fence('recalled', [])}"
TITLES = {"PROFILE": "Profile", "PROJECTS": "Projects", "PEOPLE": "People", "OPEN_LOOPS": "Open"}
_OF_A_TALK = re.compile(r"[A-Z][a-z]+ \d{4}: ")  # what an earlier conversation was about, by its month


@dataclass(frozen=True, slots=True)
class DynamicParts:
    """What the dynamic block is made of; empty parts are left out. `budget` is the whole context's, in tokens.

    `room` is what the parts that don't depend on the question may take together; None for no such limit. `people` are
    the cards of whom the recalled speaks: a reference and its facts. `coverage` is what the context says already,
    `spoken` what its messages say, `over` what was said before and no longer holds, `recalled` are ids of messages that
    cards show; `nothing` says in words that what was asked for is not known, `words` what the person said last, the
    oldest first.
    """

    session: Session
    background: Background = NOTHING_BEFORE
    snapshot: Snapshot | None = None
    todos: Sequence[Todo] = ()
    people: Sequence[tuple[str, Sequence[str]]] = ()
    budget: int = DEFAULT_BUDGET
    room: int | None = None
    coverage: Coverage = field(default_factory=Coverage)
    spoken: Coverage = field(default_factory=Coverage)
    recalled: frozenset[str] = frozenset()
    nothing: str = ""
    at: datetime = field(default_factory=timezone.now)
    over: Coverage = field(default_factory=Coverage)
    words: Sequence[str] = ()

    @property
    def retelling(self) -> Retelling:
        """What of earlier conversations is still to be told."""
        return Retelling([self.coverage], self.over)


@dataclass(frozen=True, slots=True)
class FixedSections:
    """The rendered parts that don't depend on which cards are chosen, by name; `people` stand above those."""

    sections: Mapping[str, str]
    people: tuple[str, ...]
    nothing: str = ""

    @property
    def tokens(self) -> int:
        """With the lines between them, and the frame of the recalled block."""
        return sum(estimate_tokens(section) + 1 for section in self.sections.values()) + _frame(self.people)


def render_dynamic(
    fixed: FixedSections, cards: Sequence[Card], more: Sequence[str] = (), team: Sequence[TeamMemory] = ()
) -> dict[str, str]:
    """The block's sections by name; `more` are lines of What You Know that the prefix had no room for, `team` what
    others shared.
    """
    also = f"## Also Known\n{fence('also-known', list(more))}" if more else ""
    recalled = _recalled(fixed.people, cards)
    if fixed.nothing and not recalled:
        recalled = f"{RECALLED_HEADING}\n{fixed.nothing}"
    sections = {**fixed.sections, "also": also, "team": format_team(team), "recalled": recalled}
    return {name: text for name, text in sections.items() if text}


def join_sections(sections: Mapping[str, str]) -> str:
    """The block as text."""
    return BETWEEN_SECTIONS.join(sections.values())


def render_fixed(parts: DynamicParts) -> FixedSections:
    """What was said before and what is open, each within its share; what matters least is left out where even that is
    too much. What one says, the others after it don't.
    """
    left = parts.budget if parts.room is None else parts.room
    kept: dict[str, str] = {}
    for name, render in IMPORTANT_FIRST.items():
        text = render(parts)
        size = estimate_tokens(text) + 1
        if text and size <= left:
            kept[name] = text
            left -= size
            parts.coverage.add(_LABEL.sub("", text))
    people = _people(parts) if left > 0 else []
    if _frame(people) > left:
        people = []
    for line in people:
        for fact in _PERSON.sub("", line).split("; "):
            parts.coverage.add(fact)
    return FixedSections(
        {name: kept[name] for name in IN_ORDER if name in kept}, tuple(people), parts.nothing
    )


def _frame(people: Sequence[str]) -> int:
    """Tokens of the recalled block without its cards."""
    return estimate_tokens(_recalled(people, ()) or f"{RECALLED_FRAME}{NOTHING_MORE}") + 1


def _spine(parts: DynamicParts) -> str:
    """What lasts, the newest of each section first to fit; what stands elsewhere is not said twice."""
    coverage, listed = parts.coverage.copy(), {todo.text for todo in parts.todos}
    rows = [
        [
            _titled(name, one_line(new))
            for line in reversed(lines)
            if line not in listed and (new := coverage.take_new(parts.retelling.cut_known(line)))
        ]
        for name, lines in (parts.background.spine or {}).items()
    ]
    in_turns = dict.fromkeys(line for lines in zip_longest(*rows) for line in lines if line)
    kept = _fitting(list(in_turns), int(parts.budget * SPINE_SHARE))
    lines = sorted(kept, key=[line for row in rows for line in row].index)
    return f"## Long-Term Summary\n{fence('spine', lines)}" if lines else ""


def _titled(section: str, line: str) -> str:
    return f"- Talk of {line}" if _OF_A_TALK.match(line) else f"- {TITLES[section]}: {line}"


def _summary(parts: DynamicParts) -> str:
    lines = "\n".join(write_days(read_days(parts.session.served_summary, parts.retelling)))
    summary = cut_to_tokens(lines, int(parts.budget * SUMMARY_SHARE))
    return f"[Previous Conversation Summary]\n{fence('summary', [summary])}" if summary else ""


def _snapshot(parts: DynamicParts) -> str:
    """What stood when the summary was written, without what stands elsewhere now."""
    if parts.snapshot is None:
        return ""
    lines = [
        f"- {title}: {one_line(item)}"
        for title, items in _snapshot_rows(parts.snapshot)
        for item in items
        if parts.retelling.is_new(item)
    ]
    taken = (
        f"- Taken: {_day(parts.snapshot.created_at)}, when the earlier part of this session was folded away"
    )
    lines = _fitting([taken, *lines], int(parts.budget * SNAPSHOT_SHARE))
    return f"## Session Snapshot\n{fence('snapshot', lines)}" if lines else ""


def _snapshot_rows(snapshot: Snapshot) -> list[tuple[str, list[str]]]:
    return [
        ("Constraint", snapshot.constraints),
        ("Task", snapshot.tasks),
        ("Open", snapshot.open_loops),
        ("Preference", snapshot.preferences),
        ("Fact", snapshot.facts),
    ]


def _rolling(parts: DynamicParts) -> str:
    """A line for each speaker of each day, without what the shown messages and the spine say; the newest where room is
    short.
    """
    lasting = [line for lines in (parts.background.spine or {}).values() for line in lines]
    retelling = Retelling([parts.coverage, parts.spoken, Coverage(lasting)], parts.over)
    for days in list_shorter(read_days(parts.background.rolling, retelling)):
        lines = write_days(days)
        if sum(estimate_tokens(line) + 1 for line in lines) <= int(parts.budget * ROLLING_SHARE):
            return f"## So Far\n{fence('rolling', lines)}"
    return ""


def _last_session(parts: DynamicParts) -> str:
    """What the last conversation was about; of one that was left just now, its last words."""
    about = _last_conversation(parts.background.last_summary, parts.retelling)
    kept = _fitting(about, int(parts.budget * LAST_TALK_SHARE))
    lines = [*kept, *_last_words(parts)]
    return f"## Last Conversation\n{fence('last-session', lines)}" if lines else ""


def _last_conversation(summary: SessionSummary | None, retelling: Retelling) -> list[str]:
    """What of a summary still holds and stands nowhere else; nothing where only names and dates would be left."""
    if summary is None or not summary.one_liner:
        return []
    about = retelling.keep_new([summary.one_liner])
    matters = [
        ("Left open", retelling.keep_new(summary.open_loops)),
        ("Promised", retelling.keep_new(summary.commitments)),
        ("What mattered", retelling.keep_new(summary.what_mattered)),
    ]
    if not about and not any(items for _, items in matters):
        return []
    rows = [
        ("It was about", about),
        ("On", [_days(summary)]),
        *matters,
        ("People", summary.people),
        ("Tone", [summary.tone] if summary.tone else []),
    ]
    return [f"- {name}: {one_line('; '.join(items))}" for name, items in rows if items]


def _days(summary: SessionSummary) -> str:
    """When it was said, not when it was summarised: an import tells of long ago."""
    first, last = _day(summary.said_from or summary.created_at), _day(summary.said_to or summary.created_at)
    return last if first == last else f"{first} to {last}"


def _last_words(parts: DynamicParts) -> list[str]:
    """Without what the context says already, or brings up for the question, with what it answers."""
    telling = without_idle_replies(without_small_talk(parts.background.last_words))
    words = [m for m in reversed(telling) if str(m.pk) not in parts.recalled]
    unseen = without_left_questions([(m, parts.retelling.cut_known(m.words)) for m in words])
    lines = [
        f"- {_day(m.created_at)}, {one_line(m.name) or m.role}: {_in_short(new)}" for m, new in unseen if new
    ]
    return _fitting(lines, int(parts.budget * LAST_WORDS_SHARE))[::-1]


def _in_short(words: str) -> str:
    return shorten(one_line(without_orders(words)), LAST_WORDS_CHARS)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    return list(lines[: fit([estimate_tokens(line) + 1 for line in lines], room)])


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _active_task(parts: DynamicParts) -> str:
    task = one_line(parts.session.served_task)
    if is_left(task, parts.words):
        return ""
    return f"## ACTIVE TASK\nYou are currently working on: {task}" if task else ""


def _open_loops(parts: DynamicParts) -> str:
    shown = parts.todos[:OPEN_LOOPS]
    lines = [f"- [{todo.kind}] {one_line(todo.text)}{_due(todo, parts.at)}" for todo in shown]
    lines = _fitting(lines, int(parts.budget * OPEN_LOOPS_SHARE))
    return f"## Open Loops\n{fence('open-loops', lines)}" if lines else ""


def _due(todo: Todo, at: datetime) -> str:
    """`, due 9 May 2024`, unless the text names that day; an overdue one says so."""
    if todo.due_at is None:
        return ""
    day = _day(todo.due_at)
    named = day in todo.text
    if todo.due_at < at:
        return ", overdue" if named else f", overdue since {day}"
    return "" if named else f", due {day}"


def _people(parts: DynamicParts) -> list[str]:
    """A line of each reference, with what no other part says of it."""
    lines = []
    for ref, facts in parts.people:
        new = [one_line(fact) for fact in facts if not parts.coverage.has(fact)]
        if new:
            lines.append(f"[{one_line(ref)}]: {'; '.join(new)}")
    return _fitting(lines, int(parts.budget * PEOPLE_SHARE))


def _recalled(people: Sequence[str], cards: Sequence[Card]) -> str:
    lines = [*people, *(f"- {one_line(card.text)} [{cite(card)}]" for card in cards)]
    return f"{RECALLED_HEADING}\n{fence('recalled', lines)}" if lines else ""


def cite(card: Card) -> str:
    """How a card names its source inside the prompt."""
    return f"memory {card.memory_id}" if card.memory_id else f"message {', '.join(card.message_ids)}"


# The most important first: what has no room is left out, and a fact stands where it comes first.
IMPORTANT_FIRST: Mapping[str, Callable[[DynamicParts], str]] = {
    "active_task": _active_task,
    "open_loops": _open_loops,
    "summary": _summary,
    "last_session": _last_session,
    "snapshot": _snapshot,
    "rolling": _rolling,
    "spine": _spine,
}
IN_ORDER = ("spine", "summary", "snapshot", "rolling", "last_session", "active_task", "open_loops")
