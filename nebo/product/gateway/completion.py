"""A completion with a memory: what is known goes in, the rest is relayed as it is, and the turn is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import structlog
from django.db import DatabaseError
from django.http import HttpRequest, StreamingHttpResponse

from nebo.api.agent import Refused
from nebo.errors import NeboError
from nebo.middleware import request_id_of
from nebo.product.gateway.asked import Asked, Known
from nebo.product.gateway.conversation import Conversation, find_conversation, open_conversation
from nebo.product.gateway.dialects.dialect import Dialect
from nebo.product.gateway.door import OFF, Visit, open_door, read_body
from nebo.product.gateway.headers import list_returned
from nebo.product.gateway.recording import Turn, begin, code_of, read_ahead, turn_of
from nebo.product.gateway.relayed import Relayed, answer_of, enter, leave
from nebo.product.gateway.upstream import address_of, send

log = structlog.get_logger(__name__)

PAUSED = "X-Nebo-Paused"
UNAVAILABLE, NOT_READ = "unavailable", "not-understood"


class NotLetIn(Exception):
    """The API refuses whom or what the headers name: its problem document."""

    def __init__(self, refused: Refused) -> None:
        self.problem = refused.problem
        super().__init__(str(refused))


def complete(request: HttpRequest, dialect: Dialect, user: str) -> StreamingHttpResponse:
    """The provider's answer. Raises NeboError and NotLetIn for what doesn't get as far as the provider."""
    visit = open_door(request, user)
    body = read_body(request)
    url = address_of(dialect.provider, dialect.path, request.META.get("QUERY_STRING", ""))
    asked = None if visit.switch == OFF else _read(dialect, body)
    if asked is not None and visit.writes:
        read_ahead(asked)
    conversation, known, state = _remember(visit, asked)
    if asked is not None and known is not None:
        body = dialect.with_known(asked, known).encode("utf-8", "surrogatepass")
    turn = turn_of(visit, conversation, asked) if visit.writes and conversation and asked else None
    paused = _find_pause(conversation, known) if turn and conversation else None
    enter()
    answer = relay(visit, url, body, dialect, None if paused else turn)
    outgoing = _answer(visit, answer, conversation, state)
    if paused:
        outgoing[PAUSED] = header_of(paused)
    return outgoing


def _find_pause(conversation: Conversation, known: Known | None) -> Mapping[str, Any] | None:
    """Why nothing of the turn is kept. A memory that fails never fails a completion: then the turn asks itself."""
    if known is not None:
        return known.paused
    try:
        return conversation.find_pause()
    except DatabaseError as error:
        log.warning("gateway.pause_not_known", code=code_of(error))
        return None


def header_of(paused: Mapping[str, Any]) -> str:
    """`person; until=2026-12-03T08:00:00Z`, and without the end until somebody resumes."""
    until = f"; until={paused['until']}" if paused["until"] else ""
    return f"{paused['scope']}{until}"


def relay(
    visit: Visit, url: str, body: bytes, dialect: Dialect, turn: Turn | None
) -> tuple[httpx.Response, Relayed]:
    """Ask the provider, while the person's words are kept. Raises NeboError, and then they are kept all the same."""
    question = begin(turn.keep_question) if turn else None
    try:
        response = send("POST", url, visit.sent.passed, body)
    except NeboError:
        leave()
        raise
    relayed = Relayed(response, answer_of(response, dialect) if turn else None, turn)
    if question is not None:
        relayed.wait_for(question)
    return response, relayed


def _answer(
    visit: Visit, answer: tuple[httpx.Response, Relayed], conversation: Conversation | None, state: str
) -> StreamingHttpResponse:
    response, relayed = answer
    outgoing = respond(visit.request, response, relayed)
    outgoing["X-Nebo-Memory"] = state
    if conversation and conversation.session_id:
        outgoing["X-Nebo-Session"] = str(conversation.session_id)
    return outgoing


def respond(request: HttpRequest, response: httpx.Response, relayed: Relayed) -> StreamingHttpResponse:
    """A provider's answer as ours: its status, its headers, its pieces."""
    outgoing = StreamingHttpResponse(relayed, status=response.status_code, reason=response.reason_phrase)
    del outgoing["Content-Type"]
    for name, value in list_returned(response.headers.multi_items()):
        outgoing[name] = f"{outgoing[name]}, {value}" if name in outgoing else value
    if "content-encoding" not in response.headers and "content-length" in response.headers:
        outgoing["Content-Length"] = response.headers["content-length"]
    outgoing["X-Nebo-Request-ID"] = request_id_of(request)
    return outgoing


def _read(dialect: Dialect, body: bytes) -> Asked | None:
    """None for a body that the provider is to judge."""
    try:
        return dialect.read(body.decode())
    except (ValueError, RecursionError):
        return None


def _remember(visit: Visit, asked: Asked | None) -> tuple[Conversation | None, Known | None, str]:
    """The session, what is known, and how it went; a memory that fails is done without. Raises NotLetIn."""
    if visit.switch == OFF:
        return None, None, OFF
    if asked is None:
        return None, None, NOT_READ
    conversation, known = None, None
    try:
        conversation = _let_in(visit, asked)
        if visit.reads:
            conversation, known = _recall(visit, conversation, asked)
    except (Refused, DatabaseError) as error:
        log.warning("gateway.without_memory", code=code_of(error))
        return conversation, None, UNAVAILABLE
    return conversation, known, visit.switch


def _let_in(visit: Visit, asked: Asked) -> Conversation:
    """Raises NotLetIn for what the client can mend, Refused for what it can't."""
    try:
        return find_conversation(visit, asked)
    except Refused as refused:
        if refused.problem["status"] < 500:
            raise NotLetIn(refused) from refused
        raise


def _recall(visit: Visit, conversation: Conversation, asked: Asked) -> tuple[Conversation, Known]:
    """Once more with the session asked for, where the one that was known here is gone."""
    try:
        return conversation, conversation.recall(asked, visit.budget)
    except Refused as refused:
        if refused.problem["code"] != "not-found" or not visit.writes:
            raise
    opened = open_conversation(visit, asked)
    return opened, opened.recall(asked, visit.budget)
