"""What of the timeline a person looks at, as the address says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from memories.entity_refs import find_ref
from memories.models import Memory
from memories.pages.filters import Select

MOST_YEARS = 30  # to choose from
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimelineFilters:
    """`on` asks for the list of one day instead of the drawing."""

    on: date | None = None
    year: int | None = None
    layer: str = ""
    entity: str = ""
    changed: bool = False

    @property
    def chosen(self) -> dict[str, str]:
        """What stands in the address."""
        given = {
            "on": self.on.isoformat() if self.on else "",
            "year": str(self.year or ""),
            "layer": self.layer,
            "entity": self.entity,
            "changed": "true" if self.changed else "",
        }
        return {name: value for name, value in given.items() if value}

    def without(self, *names: str) -> str:
        """The query of the address that no longer asks for these."""
        return urlencode({name: value for name, value in self.chosen.items() if name not in names})

    @property
    def without_day(self) -> str:
        """The query that leads back to the drawing."""
        return self.without("on")

    @property
    def without_entity(self) -> str:
        """The query that asks about everyone."""
        return self.without("entity")

    def selects(self, years: Sequence[int]) -> tuple[Select, ...]:
        """The lists to choose from: the layer, and above a drawing the year."""
        layer = Select("layer", _("Layer"), _("Any layer"), Memory.Layer.choices, self.layer)
        choices = tuple((str(year), str(year)) for year in years)
        return (
            (Select("year", _("Year"), _("All years"), choices, str(self.year or "")), layer)
            if years
            else (layer,)
        )

    @property
    def any(self) -> bool:
        """Whether something is left out by choice."""
        return bool(self.chosen)

    @property
    def condition(self) -> Q:
        """What a memory must fulfil besides its time."""
        fits = Q(layer=self.layer) if self.layer else Q()
        return fits & Q(entity_refs__contains=[self.entity]) if self.entity else fits

    @property
    def moment(self) -> datetime:
        """The end of the day asked for, in the page's zone, or now where it isn't over."""
        now = timezone.now()
        if self.on is None:
            return now
        end = datetime.combine(self.on, time.max, tzinfo=timezone.get_current_timezone())
        return min(end, now)

    def window(self, first: datetime) -> tuple[datetime, datetime]:
        """From when to when the drawing goes: the year asked for, or from the first moment until now."""
        now = timezone.now()
        if self.year is None:
            return min(first, now - DAY), now
        zone = timezone.get_current_timezone()
        end = datetime(self.year + 1, 1, 1, tzinfo=zone)
        return datetime(self.year, 1, 1, tzinfo=zone), min(
            end, max(now, datetime(self.year, 1, 2, tzinfo=zone))
        )


def read_filters(given: Mapping[str, str]) -> TimelineFilters:
    """Filters from an address; what makes no sense there is left out, and a day to come is today."""
    layer = given.get("layer", "")
    return TimelineFilters(
        on=_read_day(given.get("on", "")),
        year=_read_year(given.get("year", "")),
        layer=layer if layer in Memory.Layer.values else "",
        entity=str(find_ref(given.get("entity", "")) or ""),
        changed=given.get("changed") == "true",
    )


def list_years(first: datetime | None) -> list[int]:
    """The years there are to choose from, the newest first."""
    this = timezone.localtime().year
    begin = timezone.localtime(first).year if first else this
    return list(range(this, max(begin, this - MOST_YEARS) - 1, -1))


def _read_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return min(day, timezone.localdate()) if day.year > 1 else None


def _read_year(text: str) -> int | None:
    this = timezone.localdate().year
    year = int(text) if text.isascii() and text.isdecimal() and len(text) == 4 else 0
    return year if this - MOST_YEARS <= year <= this else None
