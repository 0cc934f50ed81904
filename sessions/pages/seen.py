"""The page of what an agent sees: the context of one conversation and question, line by line, and what it leaves out.

It is composed by what answers `context/`, and nothing is noted: looking is no use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.http import urlencode

from memories.selectors import get_reader_id
from nebo.errors import ContinuityMissing, NotFound
from nebo.tenants.ids import read_id
from nebo.tenants.pages import PageRequest, TenantPage
from sessions.context.asking import Asked, complete_request
from sessions.context.assembly import Composed, ContextRequest, compose_context
from sessions.context.budget import DEFAULT_BUDGET, MAX_BUDGET, MIN_BUDGET
from sessions.context.inputs import ContextInputs, read_inputs
from sessions.context.outline import lay_open, list_cited
from sessions.context.why_not import explain_absence, list_left_out
from sessions.models import Session
from sessions.pages.seen_reads import Around, read_around
from sessions.selectors import list_seen_sessions

QUESTION_CHARS = 4_000
LEFT_OUT_SHOWN = 8  # of what was found and isn't shown


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the address asks for; `why` is the memory that is asked about, `find` words to find one by."""

    session: str = ""
    q: str = ""
    budget: int = DEFAULT_BUDGET
    persona: str = ""
    why: str = ""
    find: str = ""

    @property
    def address(self) -> str:
        """The same without what is asked about, as the query of an address."""
        chosen = {"session": self.session, "q": self.q, "persona": self.persona}
        if self.budget != DEFAULT_BUDGET:
            chosen["budget"] = str(self.budget)
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def request(self) -> ContextRequest:
        return ContextRequest(self.q, token_budget=self.budget)


def read_wanted(given: dict[str, str]) -> Wanted:
    """As the address has it; a budget that can't be one is the nearest that can."""
    budget = given.get("budget", "")
    number = int(budget) if budget.isdecimal() and len(budget) < 9 else DEFAULT_BUDGET
    return Wanted(
        session=given.get("session", ""),
        q=given.get("q", "").strip()[:QUESTION_CHARS],
        budget=min(max(number, MIN_BUDGET), MAX_BUDGET),
        persona=given.get("persona", ""),
        why=given.get("why", ""),
        find=given.get("find", "").strip()[:QUESTION_CHARS],
    )


class SeenPage(TenantPage):
    """`?session=`, without which the last active one is shown; `q`, `budget`, `persona`; `find` and `why`."""

    asked: Asked | None = None

    def prepare(self, request: PageRequest) -> None:
        self.wanted = read_wanted(request.GET.dict())
        if not self.wanted.session:
            return

        def check(session: Session) -> None:
            login = session.person_login  # type: ignore[attr-defined]  # annotated
            if str(login) != str(request.user.pk):
                raise NotFound

        self.asked = complete_request(
            tenant=self.membership.tenant_id,
            session_id=read_id(self.wanted.session),
            request=self.wanted.request,
            check=check,
        )

    def get(self, request: PageRequest) -> HttpResponseBase:
        if self.asked is None:
            return self.without_session(request)
        shown = {"wanted": self.wanted, "budgets": (MIN_BUDGET, MAX_BUDGET), **self.compose(self.asked)}
        return TemplateResponse(request, "sessions/seen.html", shown)

    def without_session(self, request: PageRequest) -> HttpResponseBase:
        """To the conversation that was last active, if there is one."""
        sessions = list_seen_sessions(tenant=self.access.tenant, person_id=self.person.pk)
        last = sessions.values_list("pk", flat=True).first()
        if last is None:
            return TemplateResponse(request, "sessions/seen.html", {"wanted": self.wanted})
        query = request.GET.copy()
        query["session"] = str(last)
        return redirect(f"{resolve_url('context:page', self.access.place)}?{query.urlencode()}")

    def compose(self, asked: Asked) -> dict[str, Any]:
        """The context and what it leaves out; why there is none, where an agent would get none."""
        tenant = self.access.tenant
        inputs = read_inputs(
            tenant=tenant, session_id=read_id(self.wanted.session), as_persona=self.persona_id()
        )
        if inputs.session.person_id != self.person.pk:
            raise NotFound
        try:
            made = compose_context(tenant=tenant, inputs=inputs, request=asked.wait())
        except ContinuityMissing as error:
            around = self.read(inputs)
            return {"session": inputs.session, "around": around, "refused": error}
        around = self.read(inputs, made)
        return {
            "session": inputs.session,
            "around": around,
            "made": made,
            "blocks": lay_open(made, around.places),
            **self.left_out(made, around),
        }

    def persona_id(self) -> UUID | None:
        """The persona to look through; None for the conversation's own."""
        slug = self.wanted.persona
        return get_reader_id(tenant=self.access.tenant, slug=slug) if slug else None

    def read(self, inputs: ContextInputs, made: Composed | None = None) -> Around:
        """What stands beside the context. Raises NotFound for a memory that isn't the person's."""
        why = [read_id(self.wanted.why)] if self.wanted.why else []
        around = read_around(
            tenant=self.access.tenant,
            inputs=inputs,
            message_ids=list(list_cited(made)) if made else (),
            memory_ids=[*why, *list_left_out(made)[:LEFT_OUT_SHOWN]] if made else why,
            words=self.wanted.find,
        )
        if any(one not in around.memories for one in why):
            raise NotFound
        return around

    def left_out(self, made: Composed, around: Around) -> dict[str, Any]:
        """The memory that is asked about, and the first of what was found and isn't shown, each with why."""
        verdicts = [
            explain_absence(tenant=self.access.tenant, made=made, memory=memory)
            for memory in around.memories.values()
        ]
        asked = verdicts.pop(0) if self.wanted.why else None
        return {"verdict": asked, "left_out": [one for one in verdicts if one.reasons]}
