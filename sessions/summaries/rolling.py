"""The rolling summary: every four turns what was said since is merged into it, and earlier ones stay on record.

A model reads in batches, and merges each into the summary so far. The next run reads what there was no time for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memories.extraction.material import render_material
from nebo.jobs.claims import Claim
from nebo.jobs.failures import describe
from nebo.llm.errors import LlmError
from nebo.llm.prompts import prompt_hash, read_prompt, render_prompt
from nebo.llm.routing import has_chat_model
from nebo.llm.types import ChatReply, ChatRequest
from nebo.tenants.scoping import tenant_scope
from sessions.material import as_material, count_for_a_turn
from sessions.models import Message, RollingSummary, Session, SessionState
from sessions.scheduling import schedule, session_of
from sessions.selectors import list_messages
from sessions.summaries.batches import Batch, ask_through, list_batches
from sessions.summaries.known import NOTHING_KNOWN, KnownWords, read_known_words
from sessions.summaries.selectors import find_rolling, find_state
from sessions.summaries.supported import SYSTEM
from sessions.summaries.text import ROLLING_CHARS, fit_rolling

PROMPT = "sessions:prompts/rolling.txt"
READ_MESSAGES = 400  # the next of what was said since; more are read by the next run
ASKED_CHARS = 560  # what a model is asked to keep to, so that its slips still fit


@dataclass(frozen=True, slots=True)
class RollingWindow:
    """What one run reads: the messages since the last one, and the summary it writes on; `more` wait behind."""

    session: Session
    state: SessionState
    earlier: RollingSummary | None
    messages: tuple[Message, ...]
    read_at: datetime
    more: bool = False
    known: KnownWords = NOTHING_KNOWN

    @property
    def earlier_text(self) -> str:
        return self.earlier.text if self.earlier else ""


def roll_summary(*, claim: Claim) -> None:
    """Write the summary on; a failure stays on the state until a later attempt goes well."""
    with tenant_scope(claim.tenant_id):
        window = _find_window(claim)
    if window is None:
        with claim.publish() as result:
            result["read"] = 0
        return
    try:
        replies, read = _read_through(window)
        text = fit_rolling(_latest(window, replies), window.session.tenant.sensitive_classes)
    except LlmError as error:
        with tenant_scope(claim.tenant_id):
            _note(window.state, rolling_error={"reason": type(error).__name__, "detail": describe(error)})
        raise
    with claim.publish() as result:
        result["read"] = _publish(claim, _narrow(window, read), text, replies[-1])
        result["model"] = f"{replies[-1].provider}/{replies[-1].model}"


def _find_window(claim: Claim) -> RollingWindow | None:
    read_at = timezone.now()
    session = _find_session(claim)
    state = find_state(tenant=claim.tenant_id, session=session) if session else None
    if session is None or state is None:
        return None
    unread = list_messages(tenant=claim.tenant_id, session_id=session.pk).filter(seq__gt=session.rolled_seq)
    messages = tuple(unread[: READ_MESSAGES + 1])
    if not messages:
        return None
    _note(state, rolling_attempt_at=timezone.now())
    earlier = find_rolling(tenant=claim.tenant_id, state=state)
    read = messages[: READ_MESSAGES if has_chat_model() else count_for_a_turn(messages)]
    more = len(read) < len(messages)
    known = read_known_words(tenant=claim.tenant_id, person_id=session.person_id, messages=read)
    return RollingWindow(session, state, earlier, read, read_at, more, known)


def _find_session(claim: Claim) -> Session | None:
    """The session of the job; first one that was left before it and still has something to be read. Else old news
    would be written behind the new, and take its place. The job of the session itself comes again after that.
    """
    rows = Session.objects.for_tenant(claim.tenant_id).select_related("tenant")
    session = rows.filter(pk=session_of(claim)).first()
    if session is None:
        return None
    unread = Message.objects.for_tenant(claim.tenant_id).filter(
        session_id=OuterRef("pk"), seq__gt=OuterRef("rolled_seq")
    )
    before = rows.filter(
        Exists(unread),
        Q(persona_id=session.persona_id),
        person_id=session.person_id,
        turns_to_roll__gt=0,
        last_activity_at__lt=session.started_at,
    )
    first = before.order_by("last_activity_at").first()
    if first is not None:
        schedule(tenant=session.tenant, session=session, kind="roll")
    return first or session


def _narrow(window: RollingWindow, read: int) -> RollingWindow:
    """What was read of it."""
    more = window.more or read < len(window.messages)
    return replace(window, messages=window.messages[:read], more=more)


def _read_through(window: RollingWindow) -> tuple[list[ChatReply], int]:
    """The summary after each batch, and how many messages it speaks for. Raises LlmError."""
    batches = list_batches(tuple(map(as_material, window.messages)))
    return ask_through(
        batches,
        lambda batch, earlier: _request(batch, earlier, window.known),
        known=lambda before: _latest(window, before),
    )


def _latest(window: RollingWindow, before: Sequence[ChatReply]) -> str:
    """The summary after the batches read so far; one without a word in it leaves what stood before."""
    written = [reply.text for reply in before if reply.text.strip()]
    return fit_rolling(written[-1]) if written else window.earlier_text


def _request(batch: Batch, earlier: str, known: KnownWords) -> ChatRequest:
    prompt = render_prompt(
        PROMPT,
        limit=ASKED_CHARS,
        earlier=earlier or "(none yet)",
        conversation=render_material(batch.material),
    )
    return ChatRequest(
        task="rolling",
        system=SYSTEM,
        prompt=prompt,
        material=batch.material,
        earlier=earlier,
        max_output_tokens=ROLLING_CHARS,
        over=known.over,
        kept=known.kept,
    )


def _publish(claim: Claim, window: RollingWindow, text: str, reply: ChatReply) -> int:
    """How many messages were read; 0, and due once more, when another session's summary came in between."""
    tenant = window.session.tenant
    session = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=window.session.pk)
    claim.hold_words()
    state = SessionState.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=window.state.pk)
    if session.rolled_seq != window.session.rolled_seq:
        return 0
    if find_rolling(tenant=tenant, state=state) != window.earlier:
        schedule(tenant=tenant, session=session, kind="roll")
        return 0
    last = window.messages[-1].seq
    RollingSummary.objects.for_tenant(tenant).create(
        state=state,
        session=session,
        text=text,
        seq_from=window.messages[0].seq,
        seq_to=last,
        model=f"{reply.provider}/{reply.model}",
        prompt_hash=prompt_hash(read_prompt(PROMPT)),
        created_at=window.read_at,
    )
    session.rolled_seq = last
    session.turns_to_roll = _count_turns_since(session)
    session.save(update_fields=["rolled_seq", "turns_to_roll"])
    _note(state, rolling_success_at=timezone.now(), rolling_error=None)
    if window.more:
        schedule(tenant=tenant, session=session, kind="roll")
    return len(window.messages)


def _count_turns_since(session: Session) -> int:
    rows = list_messages(tenant=session.tenant_id, session_id=session.pk).filter(seq__gt=session.rolled_seq)
    return rows.filter(role=Message.Role.USER).count()


def _note(state: SessionState, **fields: object) -> None:
    """Diagnostics, past whatever else changes the state meanwhile."""
    SessionState.objects.for_tenant(state.tenant_id).filter(pk=state.pk).update(**fields)
