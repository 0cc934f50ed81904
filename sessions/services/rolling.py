"""The rolling summary: every four turns what was said since is written into it, and the one before stays on record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from memories.extraction.material import render_material
from nebo.jobs.claims import Claim
from nebo.jobs.failures import describe
from nebo.llm.errors import LlmError
from nebo.llm.prompts import prompt_hash, read_prompt, render_prompt
from nebo.llm.types import ChatReply, ChatRequest
from nebo.tenants.scoping import tenant_scope
from sessions.background import find_rolling, find_state
from sessions.models import Message, RollingSummary, Session, SessionState
from sessions.selectors import list_messages
from sessions.services.compaction import SYSTEM
from sessions.services.extraction import as_material, session_of
from sessions.services.turns import schedule
from sessions.standing import complete
from sessions.summaries import ROLLING_CHARS, fit_rolling

PROMPT = "sessions:prompts/rolling.txt"
READ_MESSAGES = 200  # the last of what was said since; of more, compaction and the transcript speak
ASKED_CHARS = 560  # what a model is asked to keep to, so that its slips still fit


@dataclass(frozen=True, slots=True)
class Stretch:
    """What one run reads: the messages since the last one, and the summary it writes on."""

    session: Session
    state: SessionState
    earlier: RollingSummary | None
    messages: tuple[Message, ...]
    read_at: datetime

    @property
    def earlier_text(self) -> str:
        return self.earlier.text if self.earlier else ""


def roll_summary(*, claim: Claim) -> None:
    """Write the summary on; a failure stays on the state until a later attempt goes well."""
    with tenant_scope(claim.tenant_id):
        stretch = _find_stretch(claim)
    if stretch is None:
        with claim.publish() as result:
            result["read"] = 0
        return
    try:
        reply = _ask(stretch)
        text = fit_rolling(reply.text)
    except LlmError as error:
        with tenant_scope(claim.tenant_id):
            _note(stretch.state, rolling_error={"reason": type(error).__name__, "detail": describe(error)})
        raise
    with claim.publish() as result:
        result["read"] = _publish(stretch, text, reply)
        result["model"] = f"{reply.provider}/{reply.model}"


def _find_stretch(claim: Claim) -> Stretch | None:
    read_at = timezone.now()
    rows = Session.objects.for_tenant(claim.tenant_id).select_related("tenant")
    session = rows.filter(pk=session_of(claim)).first()
    state = find_state(tenant=claim.tenant_id, session=session) if session else None
    if session is None or state is None:
        return None
    unread = list_messages(tenant=claim.tenant_id, session_id=session.pk).filter(seq__gt=session.rolled_seq)
    messages = tuple(unread.order_by("-seq")[:READ_MESSAGES])[::-1]
    if not messages:
        return None
    _note(state, rolling_attempt_at=timezone.now())
    return Stretch(session, state, find_rolling(tenant=claim.tenant_id, state=state), messages, read_at)


def _ask(stretch: Stretch) -> ChatReply:
    material = tuple(map(as_material, stretch.messages))
    prompt = render_prompt(
        PROMPT,
        limit=ASKED_CHARS,
        earlier=stretch.earlier_text or "(none yet)",
        conversation=render_material(material),
    )
    return complete(
        ChatRequest(
            task="rolling",
            system=SYSTEM,
            prompt=prompt,
            material=material,
            earlier=stretch.earlier_text,
            max_output_tokens=ROLLING_CHARS,
        )
    )


def _publish(stretch: Stretch, text: str, reply: ChatReply) -> int:
    """How many messages were read; 0, and due once more, when another session's summary came in between."""
    tenant = stretch.session.tenant
    session = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=stretch.session.pk)
    state = SessionState.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=stretch.state.pk)
    if session.rolled_seq != stretch.session.rolled_seq:
        return 0
    if find_rolling(tenant=tenant, state=state) != stretch.earlier:
        schedule(tenant=tenant, session=session, kind="roll")
        return 0
    last = stretch.messages[-1].seq
    RollingSummary.objects.for_tenant(tenant).create(
        state=state,
        session=session,
        text=text,
        seq_from=stretch.messages[0].seq,
        seq_to=last,
        model=f"{reply.provider}/{reply.model}",
        prompt_hash=prompt_hash(read_prompt(PROMPT)),
        created_at=stretch.read_at,
    )
    session.rolled_seq = last
    session.turns_to_roll = _count_turns_since(session)
    session.save(update_fields=["rolled_seq", "turns_to_roll"])
    _note(state, rolling_success_at=timezone.now(), rolling_error=None)
    return len(stretch.messages)


def _count_turns_since(session: Session) -> int:
    rows = list_messages(tenant=session.tenant_id, session_id=session.pk).filter(seq__gt=session.rolled_seq)
    return rows.filter(role=Message.Role.USER).count()


def _note(state: SessionState, **fields: object) -> None:
    """Diagnostics, past whatever else changes the state meanwhile."""
    SessionState.objects.for_tenant(state.tenant_id).filter(pk=state.pk).update(**fields)
