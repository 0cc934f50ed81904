"""What came before: the state two share, rolling summary, spine, and the conversation before this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Subquery
from django.utils import timezone

from memories.closed_words import list_closed_words, replacements_of_closed
from memories.selectors import with_persona
from memories.withholding.lines import list_withheld_lines
from nebo.postgres.sql_files import read_part
from nebo.tenants.models import Tenant
from sessions.models import Message, Session, SessionSummary
from sessions.spine.sections import Cites, view_spine
from sessions.spine.selectors import list_spines, without_gone
from sessions.summaries.selectors import list_rolling
from sessions.withheld import texts_of, without_lines, without_withheld_summaries

LAST_WORDS = 6  # messages of the conversation before that stand in for its summary
STILL_WARM = timedelta(hours=6)  # since it was left; after that they are found by search alone
CITED = read_part("agent_sessions", "cited_memories")
SPOKEN = (Message.Role.USER, Message.Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Background:
    """What a session goes on from. `last_words` speak where `last_summary` does not yet. `over` is what was said and
    no longer holds, each with what holds in its place, if anything does. `cites` says of each line of the spine which
    memories and messages it rests on.
    """

    last_summary: SessionSummary | None = None
    last_words: tuple[Message, ...] = ()
    rolling: str = ""
    spine: dict[str, list[str]] | None = None
    over: Mapping[str, str] = field(default_factory=dict)
    cites: Cites = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether there is anything of an earlier conversation."""
        return bool(self.last_summary or self.last_words or self.rolling or self.spine)


def list_texts(background: Background) -> Iterator[str]:
    """Everything that it says."""
    last = background.last_summary
    if last is not None:
        yield last.one_liner
        for lines in (last.what_mattered, last.open_loops, last.commitments, last.people):
            yield from map(str, lines)
    yield from (message.words for message in background.last_words)
    yield background.rolling
    for items in (background.spine or {}).values():
        yield from items
    yield from background.over


def list_before(
    *, tenant: Tenant | UUID, session_id: UUID, person_id: UUID, persona_id: UUID
) -> dict[str, QuerySet[Any, Any] | str]:
    """What the person and this persona talked about before, for `background_of`; each in its few newest rows."""
    sessions = Session.objects.for_tenant(tenant).filter(
        with_persona("persona_id", tenant, persona_id), person_id=person_id, turn_count__gt=0
    )
    last = sessions.exclude(pk=session_id).order_by("-last_activity_at")[:1]
    summaries = without_withheld_summaries(SessionSummary.objects.for_tenant(tenant)).filter(
        with_persona("session__persona_id", tenant, persona_id), session__person_id=person_id
    )
    served = summaries.exclude(session_id=session_id)
    lines = list_withheld_lines(tenant=tenant, person_id=person_id)
    words = Message.objects.for_tenant(tenant).filter(
        session_id=Subquery(last.values("pk")), role__in=SPOKEN, archived_at=None
    )
    rolling = list_rolling(tenant=tenant, person_id=person_id).select_related(None)
    spines = list_spines(tenant=tenant, person_id=person_id)
    return {
        "last_session": last.only("last_activity_at", "next_seq"),
        "last_summary": served.order_by("-session__last_activity_at", "-created_at", "-id")[:1],
        "last_words": words.order_by("-seq")[:LAST_WORDS].only(
            "role", "name", "content", "shown", "created_at", "passing"
        ),
        "rolling": rolling.filter(with_persona("state__persona_id", tenant, persona_id)).only("text")[:1],
        "spine": spines[:1],
        "cited": CITED,
        "withheld_lines": lines.values("text"),
        **list_closed_words(tenant=tenant, person_id=person_id),
    }


def background_of(found: Mapping[str, Sequence[Any]], *, persona_id: UUID) -> Background:
    """The rows of `list_before` as what a session with a persona goes on from."""
    summary, words = _last_conversation(found)
    spine = next(iter(found["spine"]), None)
    standing = without_gone(spine.sections, spine.cites, found["cited"]) if spine else {}
    view = view_spine(without_lines(standing, texts_of(found["withheld_lines"])), str(persona_id))
    return Background(
        last_summary=summary,
        last_words=words,
        rolling=found["rolling"][0].text if found["rolling"] else "",
        spine=view if any(view.values()) else None,
        over=replacements_of_closed([*found["closed_facts"], *found["closed_todos"]]),
        cites=spine.cites if spine else {},
    )


def _last_conversation(
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
    if summary is not None and summary.session_id != last.pk and found["rolling"]:
        summary = None  # of a conversation before the last one, which the rolling summary speaks for
    warm = last.last_activity_at >= timezone.now() - STILL_WARM
    return summary, tuple(reversed(found["last_words"])) if warm else ()
