"""What a person looks for in the list of memories, as the address says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.entity_refs import find_ref
from memories.models import Memory
from memories.screening.checks import REASON_INSTRUCTION, REASON_SENSITIVE
from memories.screening.personal import REASON
from memories.screening.sanitize import clean_text

QUERY_CHARS = 500  # characters, as the search field has it
Choice = tuple[str, "str | Promise"]  # a value and its label

STATUSES: tuple[Choice, ...] = tuple(
    (status.value, status.label)
    for status in (
        Memory.Status.QUARANTINED,
        Memory.Status.ARCHIVED,
        Memory.Status.SUPERSEDED,
        Memory.Status.WRONG,
        Memory.Status.UNMENTIONED,
        Memory.Status.DELETED,
    )
)
SENSITIVITIES: tuple[Choice, ...] = (
    ("confidential", _("Told to one persona alone")),
    ("secret", _("Held a secret")),
    ("order", _("Reads like an order")),
    ("matter", _("Of a sensitive class")),
    ("hearsay", _("Not in their own words")),
)
SENSITIVE: Mapping[str, Q] = {
    "confidential": Q(persona_id__isnull=False),
    "secret": Q(quarantine_reason__startswith=REASON_SENSITIVE.partition("{")[0]),
    "order": Q(quarantine_reason__startswith=REASON_INSTRUCTION.partition("(")[0])
    | Q(quarantine_reason__startswith="Not the person’s own words"),
    "matter": Q(quarantine_reason__startswith=REASON.partition("{")[0]),
    "hearsay": ~Q(trust=Memory.Trust.USER),
}
IN_REVIEW = ("secret", "order", "matter")  # such ones wait in review, so that is where they are looked for
SINCE: Mapping[str, tuple[str | Promise, timedelta]] = {
    "day": (_("In the last day"), timedelta(days=1)),
    "week": (_("In the last week"), timedelta(days=7)),
    "month": (_("In the last month"), timedelta(days=30)),
    "year": (_("In the last year"), timedelta(days=365)),
}
SORTS: Mapping[str, tuple[str | Promise, tuple[str, ...]]] = {
    "": (_("Last changed"), ("-updated_at", "-id")),
    "learned": (_("Last learned"), ("-created_at", "-id")),
    "oldest": (_("First learned"), ("created_at", "id")),
    "heard": (_("Last heard"), ("-last_reinforced", "-id")),
    "unsure": (_("Least sure"), ("confidence", "-id")),
    "important": (_("Most important"), ("-importance", "-confidence", "-id")),
    "used": (_("Most used"), ("-access_count", "-id")),
    "words": (_("A to Z"), ("value", "id")),
}


@dataclass(frozen=True, slots=True)
class Select:
    """A list to choose from, with what stands there where nothing is chosen."""

    name: str
    label: str
    unchosen: str | Promise
    choices: Iterable[Choice]
    chosen: str


@dataclass(frozen=True, slots=True)
class Chip:
    """One thing that was chosen, and the address without it."""

    label: str
    name: str
    without: str


@dataclass(frozen=True, slots=True)
class Facets:
    """What a person's own memories can be chosen by: personas and entities, by their addresses.

    `asked_to_forget` says that a request waits for a decision.
    """

    personas: tuple[Choice, ...] = ()
    entities: tuple[Choice, ...] = ()
    asked_to_forget: bool = False


@dataclass(frozen=True, slots=True)
class MemoryFilters:
    """Empty ones let everything through; without a status the live memories are meant."""

    q: str = ""
    layer: str = ""
    type: str = ""
    status: str = ""
    source: str = ""
    persona: str = ""
    sensitivity: str = ""
    since: str = ""
    entity: str = ""
    pinned: bool = False
    sort: str = ""

    @property
    def chosen(self) -> dict[str, str]:
        """What is chosen, as the address has it."""
        return {name: "true" if value is True else value for name, value in asdict(self).items() if value}

    @property
    def address(self) -> str:
        """The same as the query of an address, without the question mark."""
        return urlencode(self.chosen)

    @property
    def any(self) -> bool:
        """Whether anything is left out by choice."""
        return any(name != "sort" for name in self.chosen)

    @property
    def is_status_alone(self) -> bool:
        """Whether nothing but the status is asked for: the trash, what waits for review."""
        return {name for name in self.chosen if name != "sort"} == {"status"}

    @property
    def is_question(self) -> bool:
        """Whether search can help: only what is live stands in its index."""
        return bool(self.q) and self.effective_status == Memory.Status.ACTIVE

    @property
    def effective_status(self) -> str:
        """The state looked in."""
        unsaid = Memory.Status.QUARANTINED if self.sensitivity in IN_REVIEW else Memory.Status.ACTIVE
        return self.status or unsaid

    @property
    def order(self) -> tuple[str, ...]:
        """By what the list is sorted where no question says what is best."""
        return SORTS[self.sort][1]

    @property
    def condition(self) -> Q:
        """What a row must fulfil besides its state and the question."""
        wanted = {"layer": self.layer, "type": self.type, "source": self.source, "pinned": self.pinned}
        fits = Q(**{name: value for name, value in wanted.items() if value})
        if self.persona:
            fits &= Q(persona_id=self.persona)
        if self.entity:
            fits &= Q(entity_refs__contains=[self.entity])
        if self.since:
            fits &= Q(created_at__gte=Now() - SINCE[self.since][1])
        return fits & SENSITIVE[self.sensitivity] if self.sensitivity else fits

    @property
    def selects(self) -> tuple[Select, ...]:
        """The lists of the page that are always in sight."""
        return (
            Select("layer", gettext("Layer"), gettext("Any layer"), Memory.Layer.choices, self.layer),
            Select("type", gettext("Type"), gettext("Any type"), Memory.Type.choices, self.type),
            Select("status", gettext("Status"), str(Memory.Status.ACTIVE.label), STATUSES, self.status),
        )

    def more_selects(self, facets: Facets) -> tuple[Select, ...]:
        """The lists behind “More filters”."""
        since = tuple((value, label) for value, (label, _age) in SINCE.items())
        lists = (
            Select("source", gettext("Source"), gettext("Any source"), Memory.Source.choices, self.source),
            Select("since", gettext("Learned"), gettext("At any time"), since, self.since),
            Select(
                "sensitivity",
                gettext("Sensitivity"),
                gettext("Sensitive or not"),
                SENSITIVITIES,
                self.sensitivity,
            ),
            Select(
                "entity",
                gettext("About"),
                gettext("About anyone"),
                _with(facets.entities, self.entity),
                self.entity,
            ),
            Select(
                "persona",
                gettext("Persona"),
                gettext("Any persona"),
                _with(facets.personas, self.persona),
                self.persona,
            ),
        )
        return tuple(one for one in lists if one.choices)

    @property
    def sorts(self) -> Select:
        """The orders of the list."""
        first = gettext("Best answer") if self.q else SORTS[""][0]
        orders = tuple((value, label) for value, (label, _order) in SORTS.items() if value)
        return Select("sort", gettext("Order"), first, orders, self.sort)

    def chips(self, facets: Facets) -> list[Chip]:
        """What is chosen besides the words, each with the address without it."""
        chips = [
            Chip(
                f"{one.label}: {dict(one.choices).get(one.chosen, one.chosen)}",
                one.name,
                self.without(one.name),
            )
            for one in (*self.selects, *self.more_selects(facets))
            if one.chosen
        ]
        return [*chips, Chip(gettext("Pinned"), "pinned", self.without("pinned"))] if self.pinned else chips

    def without(self, name: str) -> str:
        """The query of the address that no longer asks for one thing."""
        return urlencode({key: value for key, value in self.chosen.items() if key != name})


def read_filters(given: Mapping[str, str]) -> MemoryFilters:
    """Filters from an address; what makes no sense there is left out."""
    allowed: dict[str, Iterable[str]] = {
        "layer": Memory.Layer.values,
        "type": Memory.Type.values,
        "status": Memory.Status.values,
        "source": Memory.Source.values,
        "sensitivity": SENSITIVE,
        "since": SINCE,
        "sort": SORTS,
    }
    chosen: dict[str, Any] = {name: _one_of(values, given.get(name, "")) for name, values in allowed.items()}
    return MemoryFilters(
        q=clean_text(given.get("q", ""))[:QUERY_CHARS],
        pinned=given.get("pinned") == "true",
        persona=_as_id(given.get("persona", "")),
        entity=str(find_ref(given.get("entity", "")) or ""),
        **chosen,
    )


def _one_of(choices: Iterable[str], value: str) -> str:
    return value if value in choices else ""


def _as_id(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def _with(choices: tuple[Choice, ...], chosen: str) -> tuple[Choice, ...]:
    """With the one that is chosen, where it isn't among them."""
    known = not chosen or any(value == chosen for value, _label in choices)
    return choices if known else (*choices, (chosen, chosen))
