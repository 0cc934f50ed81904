"""The timeline as SVG made here: a strip a question, a bar a belief.

Places are shares of the width, so that a strip fits any screen; colours come from the style sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext

from memories.beliefs.spans import Span
from memories.models import Memory
from memories.pages.slot_words import name_slot

LANE = 16  # pixels of height that a bar takes
BAR = 12  # pixels of it that are drawn
LEAST = 0.7  # percent of the width: what is shorter is drawn as long
LANES = 4  # bars above each other at most
BARS = 12  # of one question, the last
BEFORE = 2  # earlier wordings told beside a strip
MARKS = 6  # dates named above at most
STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600)  # months from mark to mark
DAYS = (1, 2, 7, 14)  # days from mark to mark, where it is about weeks
SHORT = timedelta(days=75)


@dataclass(frozen=True, slots=True)
class Mark:
    """A date, where it stands, and on which side of it its name."""

    x: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A time in which something was believed."""

    span: Span
    x: str
    width: str
    y: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A question with everything that was believed about it, the last of it as a memory."""

    memory: Memory
    bars: Sequence[Bar]
    left_out: int

    @property
    def question(self) -> str:
        """What it answers, where that is known: `Residence`, `Decision: database`."""
        return name_slot(str(self.memory.metadata.get("slot") or ""))

    @property
    def height(self) -> int:
        """Pixels."""
        return max((bar.y for bar in self.bars), default=0) + LANE

    @property
    def last(self) -> Span | None:
        """What was believed last."""
        return self.bars[-1].span if self.bars else None

    @property
    def before(self) -> list[Span]:
        """What was believed just before that, the newest first."""
        return [bar.span for bar in reversed(self.bars[:-1])][:BEFORE]


@dataclass(frozen=True, slots=True)
class Layer:
    """The strips of one layer."""

    name: str
    strips: Sequence[Strip]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The strips of a page, and the dates above them."""

    layers: Sequence[Layer]
    marks: Sequence[Mark]
    bar: int = BAR


def draw(
    memories: Sequence[Memory],
    spans: Mapping[UUID, Sequence[Span]],
    heads: Mapping[UUID, UUID],
    window: tuple[datetime, datetime],
) -> Drawing:
    """A strip for each of `memories`; `heads` says which strip the spans of a memory belong to."""
    of_strip: dict[UUID, list[Span]] = {memory.pk: [] for memory in memories}
    for memory_id, found in spans.items():
        of_strip[heads[memory_id]] += [one for one in found if one.overlaps(*window)]
    layers: dict[str, list[Strip]] = {}
    for memory in memories:
        layers.setdefault(memory.layer, []).append(_strip(memory, of_strip[memory.pk], window))
    return Drawing([Layer(name, strips) for name, strips in layers.items()], list_marks(*window))


def _strip(memory: Memory, spans: list[Span], window: tuple[datetime, datetime]) -> Strip:
    spans.sort(key=lambda one: (one.since, one.until is None))
    shown, lanes = spans[-BARS:], [window[0]] * LANES
    return Strip(memory, [_bar(span, lanes, window) for span in shown], len(spans) - len(shown))


def _bar(span: Span, lanes: list[datetime], window: tuple[datetime, datetime]) -> Bar:
    """In the first lane that is free by then, or else in the one that is free first."""
    begin, end = max(span.since, window[0]), min(span.until or window[1], window[1])
    lane = next((n for n, free in enumerate(lanes) if free <= begin), lanes.index(min(lanes)))
    lanes[lane] = max(lanes[lane], end)
    left, right = _place(begin, *window), _place(end, *window)
    width = max(right - left, LEAST)
    return Bar(span, f"{min(left, 100 - width):.2f}%", f"{width:.2f}%", lane * LANE + (LANE - BAR) // 2)


def list_marks(start: datetime, end: datetime) -> list[Mark]:
    """Dates between two moments, a few, evenly."""
    days = _days(start, end) if end - start < SHORT else _months(start, end)
    zone = timezone.get_current_timezone()
    places = [(day, _place(datetime(day.year, day.month, day.day, tzinfo=zone), start, end)) for day in days]
    inside = [(day, x) for day, x in places if 0 <= x <= 100]
    return [Mark(f"{x:.2f}%", _name(day, n == 0), _anchor(x)) for n, (day, x) in enumerate(inside)]


def _name(day: date, is_first: bool) -> str:
    """As short as can be told: the year with the first date of it alone."""
    if day.day > 1 or is_first:
        return format_date(day, gettext("j M") if day.day > 1 else "M Y" if day.month > 1 else "Y")
    return format_date(day, "M" if day.month > 1 else "Y")


def _days(start: datetime, end: datetime) -> list[date]:
    first, last = timezone.localtime(start).date(), timezone.localtime(end).date()
    number = (last - first).days
    step = next((one for one in DAYS if number / one <= MARKS), DAYS[-1])
    return [first + timedelta(days=n) for n in range(0, number + 1, step)]


def _months(start: datetime, end: datetime) -> list[date]:
    first, last = timezone.localtime(start), timezone.localtime(end)
    begin, stop = first.year * 12 + first.month - 1, last.year * 12 + last.month - 1
    step = next((one for one in STEPS if (stop - begin) / one <= MARKS), STEPS[-1])
    return [date(n // 12, n % 12 + 1, 1) for n in range(begin, stop + 1) if n % step == 0]


def _place(at: datetime, start: datetime, end: datetime) -> float:
    return 100 * ((at - start) / (end - start))


def _anchor(x: float) -> str:
    if x < 6:
        return "start"
    return "end" if x > 94 else "middle"
