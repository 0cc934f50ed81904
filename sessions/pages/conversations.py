"""The pages of what was said: the list of conversations, and one of them with what was remembered beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.template.response import TemplateResponse

from memories.models import Memory
from memories.pages.finder import list_by_message
from nebo.tenants.models import Pause, Tenant
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch
from nebo.tenants.pause_form import PauseForm
from nebo.tenants.pauses import list_own, with_session_pause
from sessions.compaction.journal import without_forgotten
from sessions.models import Message, Session, Spine
from sessions.pages.reads import read_beside_messages
from sessions.selectors import get_seen_session, list_messages, list_seen_sessions
from sessions.spine.sections import view_whole
from sessions.spine.selectors import list_current_sections, list_spines
from sessions.summaries.selectors import list_rolling, list_states

PAGE_SIZE = 25  # sessions
TRANSCRIPT_SIZE = 200  # messages a page
HISTORY = 20  # the last summaries and versions shown


@dataclass(frozen=True, slots=True)
class MessageWithMemories:
    """A message and what was remembered from it."""

    message: Message
    memories: list[Memory]


@dataclass(frozen=True, slots=True)
class SpineVersion:
    """A version of the spine with its sections as the person reads them; how many of its lines no longer stand."""

    spine: Spine
    sections: dict[str, list[str]]
    left_out: int = 0


class SessionListPage(TenantPage):
    """Conversations of the person, the last active first."""

    def get(self, request: PageRequest) -> HttpResponse:
        tenant = self.access.tenant
        rows = with_session_pause(list_seen_sessions(tenant=tenant, person_id=self.person.pk), tenant=tenant)
        template = "sessions/_results.html" if is_refetch(request, "results") else "sessions/list.html"
        return TemplateResponse(request, template, {"page": get_page(rows, request, size=PAGE_SIZE)})


class LongTermPage(TenantPage):
    """What lasts: the newest spine, and how spine and running summary became what they are."""

    def get(self, request: PageRequest) -> HttpResponse:
        tenant, person = self.access.tenant, self.person
        spines = list(list_spines(tenant=tenant, person_id=person.pk)[:HISTORY])
        versions = [SpineVersion(spine, view_whole(spine.sections)) for spine in spines[1:]]
        shown = {
            "newest": _as_it_stands(tenant, spines[0]) if spines else None,
            "versions": versions,
            "rolling": list_rolling(tenant=tenant, person_id=person.pk)[:HISTORY],
            "states": list_states(tenant=tenant, person_id=person.pk),
        }
        return TemplateResponse(request, "sessions/long_term.html", shown)


def _as_it_stands(tenant: Tenant, spine: Spine) -> SpineVersion:
    """As agents go on from it: without what was forgotten, replaced or held back since."""
    written, standing = (
        view_whole(spine.sections),
        view_whole(list_current_sections(tenant=tenant, spine=spine)),
    )
    left_out = sum(len(written[name]) - len(standing[name]) for name in written)
    return SpineVersion(spine, standing, left_out)


class SessionDetailPage(TenantPage):
    """One conversation. `?at=<seq>` opens the page on which that message stands."""

    def get(self, request: PageRequest, session_id: UUID) -> HttpResponse:
        tenant = self.access.tenant
        session = get_seen_session(tenant=tenant, person_ids=[self.person.pk], session_id=session_id)
        page = self.get_transcript(request, session)
        beside = read_beside_messages(tenant=tenant, session=session)
        shown = {
            "session": session,
            "summary": beside.summaries[0] if beside.summaries else None,
            "earlier": beside.summaries[1:],
            "journal": without_forgotten(
                tenant=tenant, person_id=session.person_id, snapshots=beside.snapshots
            ),
            "page": page,
            "spoken": self.with_memories(session, page.object_list),
            "memory_count": beside.memory_count,
            **self.pauses(session),
        }
        return TemplateResponse(request, "sessions/detail.html", shown)

    def pauses(self, session: Session) -> dict[str, Any]:
        """The conversation's own, with the form to begin or change it, and the one of all about the person. Asked only
        where there is any.
        """
        tenant, person = self.access.tenant, self.person
        found = list_own(tenant=tenant, person_id=person.pk, session_id=session.pk)
        standing = {one.scope: one for one in found} if person.has_pause else {}
        own = standing.get(Pause.Scope.SESSION)
        return {
            "pause": own,
            "pause_of_all": standing.get(Pause.Scope.PERSON),
            "pause_form": PauseForm(pause=own),
        }

    def get_transcript(self, request: PageRequest, session: Session) -> Page[Message]:
        """Numbers count up from 1 without gaps, so a message's number tells its page."""
        rows = list_messages(tenant=self.access.tenant, session_id=session.pk)
        pages = Paginator(rows, TRANSCRIPT_SIZE)
        pages.__dict__["count"] = session.message_count  # type: ignore[attr-defined]  # annotated
        at, asked = request.GET.get("at", ""), request.GET.get("page", "")
        if at.isdecimal() and not asked:
            return pages.get_page((int(at) - 1) // TRANSCRIPT_SIZE + 1)
        return pages.get_page(asked)

    def with_memories(self, session: Session, messages: Iterable[Message]) -> list[MessageWithMemories]:
        """Each message with the live memories that rest on it."""
        found = list_by_message(
            tenant=self.access.tenant,
            person_id=session.person_id,
            message_ids=[message.pk for message in messages],
        )
        return [MessageWithMemories(message, found.get(message.pk, [])) for message in messages]
