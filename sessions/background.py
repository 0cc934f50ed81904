"""What came before: the state two share, rolling summary, spine, and the conversation before this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.db.models import ExpressionWrapper, F, Func, OuterRef, Q, QuerySet, Subquery, TextField, UUIDField
from django.utils import timezone

from memories.models import Curation, Memory
from memories.selectors import with_persona
from memories.withholding.lines import list_withheld_lines
from nebo.api.shapes import Moment, like
from nebo.api.times import as_utc
from nebo.tenants.models import Tenant
from sessions.models import Message, RollingSummary, Session, SessionState, SessionSummary, Spine
from sessions.spine import Cites, view_spine
from sessions.spine import Spine as SectionsByAudience
from sessions.withheld import texts_of, without_lines, without_withheld_rolling, without_withheld_summaries

LAST_WORDS = 6  # messages of the conversation before that stand in for its summary
STILL_WARM = timedelta(hours=6)  # since it was left; after that they are found by search alone
STANDING = (Memory.Status.ACTIVE, Memory.Status.ARCHIVED)  # archived ones are true, only out of sight
SPOKEN = (Message.Role.USER, Message.Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Background:
    """What a session goes on from. `last_words` speak where `last_summary` does not yet."""

    last_summary: SessionSummary | None = None
    last_words: tuple[Message, ...] = ()
    rolling: str = ""
    spine: dict[str, list[str]] | None = None

    @property
    def any(self) -> bool:
        """Whether there is anything of an earlier conversation."""
        return bool(self.last_summary or self.last_words or self.rolling or self.spine)


def list_before(
    *, tenant: Tenant | UUID, session_id: UUID, person_id: UUID, persona_id: UUID
) -> dict[str, QuerySet[Any, Any]]:
    """What the person and this persona talked about before, for `background_of`; each in its few newest rows."""
    sessions = Session.objects.for_tenant(tenant).filter(
        with_persona("persona_id", tenant, persona_id), person_id=person_id, turn_count__gt=0
    )
    last = sessions.exclude(pk=session_id).order_by("-last_activity_at")[:1]
    summaries = without_withheld_summaries(SessionSummary.objects.for_tenant(tenant)).filter(
        with_persona("session__persona_id", tenant, persona_id), session__person_id=person_id
    )
    told = summaries.exclude(session_id=session_id)
    lines = list_withheld_lines(tenant=tenant, person_id=person_id)
    words = Message.objects.for_tenant(tenant).filter(
        session_id=Subquery(last.values("pk")), role__in=SPOKEN, archived_at=None
    )
    rolling = list_rolling(tenant=tenant, person_id=person_id).select_related(None)
    spines = list_spines(tenant=tenant, person_id=person_id)
    said = list_said(tenant=tenant, person_id=person_id, spine_id=Subquery(spines.values("pk")[:1]))
    return {
        "last_session": last.only("last_activity_at", "next_seq"),
        "last_summary": told.order_by("-session__last_activity_at", "-created_at", "-id")[:1],
        "last_words": words.order_by("-seq")[:LAST_WORDS].only(
            "role", "name", "content", "shown", "created_at"
        ),
        "rolling": rolling.filter(with_persona("state__persona_id", tenant, persona_id)).only("text")[:1],
        "spine": spines[:1],
        "said": said.values("id", "value", "status"),
        "withheld_lines": lines.values("text"),
    }


def background_of(found: Mapping[str, Sequence[Any]], *, persona_id: UUID) -> Background:
    """The rows of `list_before` as what a session with a persona goes on from."""
    summary, words = _goodbye(found)
    spine = next(iter(found["spine"]), None)
    standing = without_gone(spine.sections, spine.cites, found["said"]) if spine else {}
    view = view_spine(without_lines(standing, texts_of(found["withheld_lines"])), str(persona_id))
    return Background(
        last_summary=summary,
        last_words=words,
        rolling=found["rolling"][0].text if found["rolling"] else "",
        spine=view if any(view.values()) else None,
    )


def find_state(*, tenant: Tenant | UUID, session: Session) -> SessionState | None:
    """What carries over between the sessions of this person with this persona."""
    rows = SessionState.objects.for_tenant(tenant).filter(person_id=session.person_id)
    return rows.filter(Q(persona_id=session.persona_id)).first()


def find_rolling(*, tenant: Tenant | UUID, state: SessionState) -> RollingSummary | None:
    """The rolling summary that speaks now."""
    rows = without_withheld_rolling(RollingSummary.objects.for_tenant(tenant)).filter(state=state)
    return rows.order_by("-created_at", "-id").first()


def list_rolling(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[RollingSummary]:
    """Every rolling summary of a person that may be told, the newest first."""
    rows = without_withheld_rolling(RollingSummary.objects.for_tenant(tenant))
    rows = rows.filter(state__person_id=person_id)
    return rows.select_related("state", "state__persona").order_by("-created_at", "-id")


def find_spine(*, tenant: Tenant | UUID, person_id: UUID) -> Spine | None:
    """The newest version."""
    return list_spines(tenant=tenant, person_id=person_id).first()


def list_spines(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Spine]:
    """Every version of a person's spine, the newest first."""
    return Spine.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-version")


def list_standing(*, tenant: Tenant | UUID, spine: Spine) -> SectionsByAudience:
    """A spine's sections without what was forgotten, replaced or held back since: it says no more than memory does."""
    said = list_said(tenant=tenant, person_id=spine.person_id, spine_id=spine.pk)
    standing = without_gone(spine.sections, spine.cites, said.values("id", "value", "status"))
    lines = list_withheld_lines(tenant=tenant, person_id=spine.person_id)
    return without_lines(standing, list(lines.values_list("text", flat=True)))


def list_said(*, tenant: Tenant | UUID, person_id: UUID, spine_id: UUID | Subquery) -> QuerySet[Memory]:
    """The memories, in any state, that a stored spine says word for word or rests on."""
    items = Func(F("sections"), template="jsonb_path_query(%(expressions)s, '$.*.*[*]') #>> '{}'")
    cited = Func(F("cites"), template="(jsonb_path_query(%(expressions)s, '$.*.memories[*]') #>> '{}')::uuid")
    spines = Spine.objects.for_tenant(tenant).filter(pk=spine_id)
    said = spines.annotate(said=ExpressionWrapper(items, output_field=TextField())).values("said")
    rests_on = spines.annotate(cited=ExpressionWrapper(cited, output_field=UUIDField())).values("cited")
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id)
    return rows.filter(Q(value__in=said) | Q(pk__in=rests_on))


def without_gone(
    sections: SectionsByAudience, cites: Cites, memories: Iterable[Mapping[str, Any]]
) -> SectionsByAudience:
    """Sections without the lines that rest on a memory, `{id, value, status}`, which stands no more, and without those
    whose words only such memories say.
    """
    gone, stands = set[str](), dict[str, bool]()
    for memory in memories:
        holds = memory["status"] in STANDING
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


def list_states(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[SessionState]:
    """What carries over between sessions, by persona, each with `rolling_text`; the last used first."""
    rows = SessionState.objects.for_tenant(tenant).filter(person_id=person_id).select_related("persona")
    rolling = without_withheld_rolling(RollingSummary.unscoped.all()).filter(
        tenant_id=OuterRef("tenant_id"), state_id=OuterRef("pk")
    )
    newest = rolling.order_by("-created_at", "-id").values("text")[:1]
    return rows.annotate(rolling_text=Subquery(newest)).order_by("-last_interaction_at", "-id")


class CuratorFields(TypedDict):
    """The last curation."""

    last_run_at: Moment
    last_memory_count_at_run: Annotated[int, like(120)]


def find_curation(*, tenant: Tenant | UUID, person_id: UUID) -> CuratorFields | None:
    """When the person's memories were last looked through, and how many there were."""
    found = Curation.objects.for_tenant(tenant).filter(person_id=person_id).first()
    if found is None:
        return None
    return {"last_run_at": as_utc(found.last_run_at), "last_memory_count_at_run": found.last_memory_count}


def list_summaries(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[SessionSummary]:
    """What was written about a session each time it closed and may be told, the newest first."""
    rows = without_withheld_summaries(SessionSummary.objects.for_tenant(tenant)).filter(session_id=session_id)
    return rows.order_by("-created_at", "-id")


def _goodbye(
    found: Mapping[str, Sequence[Any]],
) -> tuple[SessionSummary | None, tuple[Message, ...]]:
    """The summary of the last conversation with this persona; while it lacks one that speaks for all of it, its last
    words too, unless it was left long ago.
    """
    if not found["last_session"]:
        return None, ()
    (last,) = found["last_session"]
    summary = next(iter(found["last_summary"]), None)
    if summary is not None and summary.session_id == last.pk and summary.seq_to >= last.next_seq - 1:
        return summary, ()
    warm = last.last_activity_at >= timezone.now() - STILL_WARM
    return summary, tuple(reversed(found["last_words"])) if warm else ()
