"""Reading spines: every version, and what of one still stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import ExpressionWrapper, F, Func, QuerySet, Subquery, TextField, UUIDField
from django.db.models.functions import MD5

from memories.models import Memory
from memories.withholding.lines import list_withheld_lines
from nebo.tenants.models import Tenant
from sessions.models import Spine
from sessions.spine.sections import Cites
from sessions.spine.sections import Spine as SectionsByAudience
from sessions.withheld import without_lines

TRUE_STATUSES = (Memory.Status.ACTIVE, Memory.Status.ARCHIVED)  # archived ones are true, only out of sight


def find_spine(*, tenant: Tenant | UUID, person_id: UUID) -> Spine | None:
    """The newest version."""
    return list_spines(tenant=tenant, person_id=person_id).first()


def list_spines(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Spine]:
    """Every version of a person's spine, the newest first."""
    return Spine.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-version")


def list_current_sections(*, tenant: Tenant | UUID, spine: Spine) -> SectionsByAudience:
    """A spine's sections without what was forgotten, replaced or held back since: it says no more than memory does."""
    cited = list_cited_memories(tenant=tenant, person_id=spine.person_id, spine_id=spine.pk)
    standing = without_gone(spine.sections, spine.cites, chain(*cited.values()))
    lines = list_withheld_lines(tenant=tenant, person_id=spine.person_id)
    return without_lines(standing, list(lines.values_list("text", flat=True)))


def list_cited_memories(
    *, tenant: Tenant | UUID, person_id: UUID, spine_id: UUID | Subquery
) -> dict[str, QuerySet[Memory, dict[str, Any]]]:
    """Two queries, for `without_gone`: the memories, in any state, that a stored spine rests on, and those that it says
    word for word. Either finds them by an index, however many there are.
    """
    items = Func(F("sections"), template="jsonb_path_query(%(expressions)s, '$.*.*[*]') #>> '{}'")
    cited = Func(F("cites"), template="(jsonb_path_query(%(expressions)s, '$.*.memories[*]') #>> '{}')::uuid")
    spines = Spine.objects.for_tenant(tenant).filter(pk=spine_id)
    lines = spines.annotate(lines=MD5(ExpressionWrapper(items, output_field=TextField()))).values("lines")
    rests_on = spines.annotate(cited=ExpressionWrapper(cited, output_field=UUIDField())).values("cited")
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id)
    shown = ("id", "value", "status")
    return {
        "cited_memories": rows.filter(pk__in=rests_on).values(*shown),
        "cited_words": rows.annotate(words=MD5("value")).filter(words__in=lines).values(*shown),
    }


def without_gone(
    sections: SectionsByAudience, cites: Cites, memories: Iterable[Mapping[str, Any]]
) -> SectionsByAudience:
    """Sections without the lines that rest on a memory, `{id, value, status}`, which stands no more, and without those
    whose words only such memories say.
    """
    gone, stands = set[str](), dict[str, bool]()
    for memory in memories:
        holds = memory["status"] in TRUE_STATUSES
        stands[memory["value"]] = stands.get(memory["value"], False) or holds
        gone |= set() if holds else {str(memory["id"])}
    return {
        audience: {
            name: [
                item
                for item in items
                if stands.get(item, True) and not gone.intersection(cites.get(item, {}).get("memories", ()))
            ]
            for name, items in own.items()
        }
        for audience, own in sections.items()
    }
