"""Reading spines: every version, and what of one still stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import ExpressionWrapper, F, Func, Q, QuerySet, Subquery, TextField, UUIDField

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
    standing = without_gone(spine.sections, spine.cites, cited.values("id", "value", "status"))
    lines = list_withheld_lines(tenant=tenant, person_id=spine.person_id)
    return without_lines(standing, list(lines.values_list("text", flat=True)))


def list_cited_memories(
    *, tenant: Tenant | UUID, person_id: UUID, spine_id: UUID | Subquery
) -> QuerySet[Memory]:
    """The memories, in any state, that a stored spine says word for word or rests on."""
    items = Func(F("sections"), template="jsonb_path_query(%(expressions)s, '$.*.*[*]') #>> '{}'")
    cited = Func(F("cites"), template="(jsonb_path_query(%(expressions)s, '$.*.memories[*]') #>> '{}')::uuid")
    spines = Spine.objects.for_tenant(tenant).filter(pk=spine_id)
    lines = spines.annotate(lines=ExpressionWrapper(items, output_field=TextField())).values("lines")
    rests_on = spines.annotate(cited=ExpressionWrapper(cited, output_field=UUIDField())).values("cited")
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id)
    return rows.filter(Q(value__in=lines) | Q(pk__in=rests_on))


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
