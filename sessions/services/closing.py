"""Closing a conversation: it is summarised for the next one with the same person."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from memories.extraction.json_repair import read_loosely
from memories.extraction.material import render_material
from nebo.jobs.claims import Claim
from nebo.llm.prompts import render_prompt
from nebo.llm.routing import complete
from nebo.llm.types import ChatReply, ChatRequest
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session, SessionSummary
from sessions.selectors import list_messages
from sessions.services.compaction import SYSTEM
from sessions.services.extraction import as_material, session_of

SUMMARISED_MESSAGES = 200  # the last of a session; the earlier ones stand in its compaction summary
LIST_ITEMS = 10
ITEM_CHARS = 300
LIST_FIELDS = ("what_mattered", "open_loops", "commitments", "people")


def close_session(*, claim: Claim) -> None:
    """Summarise and close; a session with no messages is closed without a summary."""
    with tenant_scope(claim.tenant_id):
        session = Session.objects.for_tenant(claim.tenant_id).filter(pk=session_of(claim)).first()
        messages = _last_messages(session) if session else []
    reply = _summarize(messages) if messages else None
    with claim.publish() as result:
        if session is None:
            return
        if reply is not None:
            summary = parse_session_summary(reply)
            SessionSummary.objects.for_tenant(claim.tenant_id).create(session=session, **summary)
            result["one_liner"] = bool(summary["one_liner"])
        rows = Session.objects.for_tenant(claim.tenant_id).filter(pk=session.pk, next_seq=session.next_seq)
        result["closed"] = bool(rows.update(ended_at=timezone.now()))


def _last_messages(session: Session) -> list[Message]:
    rows = list_messages(tenant=session.tenant_id, session_id=session.pk).order_by("-seq")[
        :SUMMARISED_MESSAGES
    ]
    return list(rows)[::-1]


def _summarize(messages: list[Message]) -> ChatReply:
    material = tuple(map(as_material, messages))
    prompt = render_prompt("sessions:prompts/session_summary.txt", conversation=render_material(material))
    return complete(
        ChatRequest(task="session_summary", system=SYSTEM, prompt=prompt, material=material, json=True)
    )


def parse_session_summary(reply: ChatReply) -> dict[str, Any]:
    """The fields of SessionSummary, whatever the model wrapped them in; prose alone becomes the one-liner."""
    found = read_loosely(reply.text[max(reply.text.find("{"), 0) :])
    answer = found if isinstance(found, dict) else {"one_liner": reply.text}
    fields: dict[str, Any] = {name: _texts(answer.get(name)) for name in LIST_FIELDS}
    return {
        **fields,
        "one_liner": str(answer.get("one_liner") or "").strip()[:400],
        "tone": str(answer.get("tone") or "").strip()[:200],
        "model": f"{reply.provider}/{reply.model}",
    }


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    texts = [str(item).strip()[:ITEM_CHARS] for item in items if isinstance(item, str | int | float)]
    return [text for text in texts if text][:LIST_ITEMS]
