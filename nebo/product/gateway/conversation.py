"""Whose conversation a request belongs to, and what is known for its question."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.core.cache import cache

from memories.api.search import RecallView
from memories.screening.fencing import fence, one_line
from nebo.api.agent import Agent, Refused, agent_for
from nebo.api.pausing import PausedFields, paused_json
from nebo.product.gateway.asked import ASSISTANT, USER, Asked, Known, storable
from nebo.product.gateway.door import Visit
from nebo.product.mcp.profile import profile_text
from nebo.tenants.pauses import find_standing
from nebo.tenants.scoping import tenant_scope
from sessions.api.views import ContextView, SessionListView

REMEMBERED_S = 600  # for which a process knows which session is meant
QUERY_CHARS = 4_000  # of the question, as a context takes them for a missing one
RECALLED = 12  # memories, where there is no session yet
EARLIER = "## Earlier In This Conversation"


@dataclass(frozen=True, slots=True)
class Conversation:
    """Somebody's session, or none where nothing may be made."""

    agent: Agent
    session_id: UUID | None

    def recall(self, asked: Asked, budget: int) -> Known:
        """What is known for the question. Raises Refused."""
        if self.session_id is None:
            return _of_person(self.agent, storable(asked.question)[:QUERY_CHARS])
        query = {"query": storable(asked.question)[:QUERY_CHARS], "token_budget": budget, "own_prompt": True}
        try:
            context = self._ask(query)
        except Refused as refused:
            if refused.problem["code"] != "continuity-missing":
                raise
            context = self._find_known(query)
        return _known(context, asked)

    def find_pause(self) -> PausedFields | None:
        """Why nothing of a turn is kept here just now, where that isn't known from what was recalled."""
        caller = self.agent.caller
        with tenant_scope(caller.tenant_id):
            standing = find_standing(
                tenant=caller.tenant_id,
                person_id=caller.person_id,
                key_id=caller.key_id,
                session_id=self.session_id,
            )
            return paused_json(standing)

    def _ask(self, query: dict[str, Any]) -> Any:
        return self.agent.ask(ContextView, "POST", body=query, session_id=self.session_id)

    def _find_known(self, query: dict[str, Any]) -> Any:
        """Nothing is known of what the question goes back to; the person may be known all the same."""
        try:
            return self._ask({**query, "query": "", "lean": True})
        except Refused as refused:
            if refused.problem["code"] != "continuity-missing":
                raise
            return {"stable": "", "dynamic": "", "messages": []}


def find_conversation(visit: Visit, asked: Asked) -> Conversation:
    """The session that is named, or else the one that began with the same words. Raises Refused."""
    key = visit.session or _key_of(visit, asked)
    if not visit.writes:
        return _find_only(visit, key)
    known = cache.get(_name(visit, key)) if visit.reads else None  # reading tells whether it is still there
    if known is not None:
        agent = Agent(visit.request, visit.user, *(2 * [replace(visit.caller, person_id=known[0])]))
        return Conversation(agent, known[1])
    return open_conversation(visit, asked)


def open_conversation(visit: Visit, asked: Asked) -> Conversation:
    """The same, asking the database. Raises Refused."""
    key = visit.session or _key_of(visit, asked)
    agent = agent_for(visit.request, visit.caller, visit.user)
    session = agent.ask(SessionListView, "POST", body={"user": agent.user, "key": key}, making=True)
    if agent.is_new:
        agent = agent_for(visit.request, visit.caller, visit.user)
    session_id = UUID(session["id"])
    cache.set(_name(visit, key), (agent.caller.person_id, session_id), REMEMBERED_S)
    return Conversation(agent, session_id)


def _find_only(visit: Visit, key: str) -> Conversation:
    agent = agent_for(visit.request, visit.caller, visit.user)
    if agent.is_new:
        return Conversation(agent, None)
    found = agent.ask(SessionListView, "GET", query={"user": agent.user, "key": key})["results"]
    return Conversation(agent, UUID(found[0]["id"]) if found else None)


def _key_of(visit: Visit, asked: Asked) -> str:
    """By the words that a conversation began with: its later requests bring them along."""
    began = f"{visit.caller.persona_id}\n{asked.first_words}".encode("utf-8", "surrogatepass")
    return f"gateway-{hashlib.sha256(began).hexdigest()[:32]}"


def _name(visit: Visit, key: str) -> str:
    who = (visit.caller.key_id, visit.user, key)
    return f"gateway:{hashlib.sha256(repr(who).encode()).hexdigest()}"


def _of_person(agent: Agent, query: str) -> Known:
    """Of somebody who has no such session: who they are, and what is remembered about the question."""
    if agent.is_new:
        return Known()
    block = ""
    if query:
        asked = {"query": query, "limit": RECALLED}
        block = agent.ask(RecallView, "POST", body=asked, user=agent.user)["block"]
    return Known(profile_text(agent), block)


def _known(context: Any, asked: Asked) -> Known:
    """The two blocks; with the second, what was said before in this session and the request doesn't bring along."""
    lines = [
        f"- {'You' if message['role'] == ASSISTANT else 'User'}: {one_line(message['content'])}"
        for message in context["messages"]
        if message["role"] in (USER, ASSISTANT) and not asked.has_words(message["role"], message["content"])
    ]
    earlier = f"{EARLIER}\n{fence('earlier', lines)}" if lines else ""
    dynamic = "\n\n".join(filter(None, (context["dynamic"], earlier)))
    return Known(context["stable"], dynamic, context.get("paused"))
