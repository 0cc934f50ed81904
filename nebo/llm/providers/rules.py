"""The model that is always there: answers by rule, offline, at no cost."""

from __future__ import annotations

import time
from collections.abc import Callable

from nebo.llm.rules.directive import compose_directive
from nebo.llm.rules.facts import join_facts
from nebo.llm.rules.session_summary import summarize_session
from nebo.llm.rules.spine import write_spine
from nebo.llm.rules.summaries import find_active_task, roll_on, summarize
from nebo.llm.types import ChatReply, ChatRequest, Task

NOTHING = "{}"  # facts are read by meaning, in the turn and by its job, never by way of a chat model

_ANSWERS: dict[Task, Callable[[ChatRequest], str]] = {
    "extract": lambda request: NOTHING,
    "verify": lambda request: NOTHING,  # what code can't tell, rules can't either
    "summarize": lambda request: summarize(
        request.material, max_output_tokens=request.max_output_tokens, over=request.over
    ),
    "session_summary": lambda request: summarize_session(
        request.material, over=request.over, kept=request.kept
    ),
    "rolling": lambda request: roll_on(
        request.earlier, request.material, over=request.over, kept=request.kept
    ),
    "spine": lambda request: write_spine(request.material, earlier=request.earlier),
    "active_task": lambda request: find_active_task(request.material, current=request.earlier),
    "fold": lambda request: join_facts(request.material),
    "directive": lambda request: compose_directive(request.prompt),
}


class RulesModel:
    """A chat model that reads `request.material` (for directives `request.prompt`) by rule.

    Its answers have the shape a language model's would have; it never fails and costs no tokens.
    """

    provider = "rules"
    model = "english-1"

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """Answer at once; reading is linear in the text, so `timeout_s` is never near."""
        started = time.monotonic()
        text = _ANSWERS[request.task](request)
        duration_ms = round((time.monotonic() - started) * 1000)
        return ChatReply(text, self.provider, self.model, 0, 0, duration_ms)
