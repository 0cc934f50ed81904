"""The pages on which people pause collection by hand: of everything, in one conversation, through one key."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import NotFound
from nebo.product.governance.everyone import list_people
from nebo.product.governance.pauses import (
    Wanted,
    get_key_for,
    list_acting_keys,
    list_pauses,
    pause_collection,
    resume_collection,
)
from nebo.tenants.models import ApiKey, Pause, UserProfile
from nebo.tenants.pages import PageRequest, TenantPage
from nebo.tenants.pause_form import PauseForm
from nebo.tenants.pauses import Thing, get_standing
from sessions.models import Session
from sessions.selectors import get_seen_session

OVERVIEW = "governance:pauses"
SHOWN = 100  # pauses, the newest


class PausesPage(TenantPage):
    """What is collected, and what isn't just now: of everything, of each key, of conversations."""

    def get(self, request: PageRequest) -> HttpResponse:
        tenant, person = self.access.tenant, self.person
        standing = list(list_pauses(tenant=tenant, person_id=person.pk)[:SHOWN])
        by_key: dict[UUID | None, list[Pause]] = {}
        for pause in standing:
            by_key.setdefault(pause.key_id, []).append(pause)
        own = next((one for one in standing if one.scope == Pause.Scope.PERSON), None)
        keys = list_acting_keys(tenant=tenant, person_id=person.pk)
        shown = {
            "pause": own,
            "form": PauseForm(pause=own),
            "sessions": [one for one in standing if one.scope == Pause.Scope.SESSION],
            "keys": [(key, _first(by_key.get(key.pk, []))) for key in keys],
        }
        return TemplateResponse(request, "governance/pauses.html", shown)


def _first(pauses: list[Pause]) -> Pause | None:
    """The team's goes before one's own: it is not theirs to end."""
    return min(pauses, key=lambda one: one.person_id is not None, default=None)


class PausePage(TenantPage):
    """The form for one thing; `resume` in what is sent ends it."""

    back = OVERVIEW

    def find_thing(self, **names: Any) -> tuple[Thing, dict[str, Any]]:
        """What is paused, and how the page names it; raises NotFound."""
        return Thing(person_id=self.person.pk), {}

    def list_back(self, **names: Any) -> list[Any]:
        """What the address behind the form needs, beside the place."""
        return []

    def get(self, request: PageRequest, **names: Any) -> HttpResponse:
        thing, named = self.find_thing(**names)
        pause = get_standing(tenant=self.access.tenant, thing=thing)
        return self.draw(request, thing, pause, PauseForm(pause=pause), named)

    def post(self, request: PageRequest, **names: Any) -> HttpResponseBase:
        thing, named = self.find_thing(**names)
        tenant, actor = self.access.tenant, self.access.actor
        if "resume" in request.POST:
            if resume_collection(tenant=tenant, thing=thing, actor=actor, manages=True):
                messages.success(request, _("Resumed. What is said from now on is collected again."))
            return redirect(self.back, self.access.place, *self.list_back(**names))
        form = PauseForm(request.POST)
        if not form.is_valid():
            pause = get_standing(tenant=tenant, thing=thing)
            return self.draw(request, thing, pause, form, named, status=422)
        wanted = Wanted(form.end, form.cleaned_data["reason"])
        pause_collection(tenant=tenant, thing=thing, wanted=wanted, actor=actor, manages=True)
        messages.success(request, _("Paused. What is said now is neither kept nor learned."))
        return redirect(self.back, self.access.place, *self.list_back(**names))

    def draw(
        self,
        request: PageRequest,
        thing: Thing,
        pause: Pause | None,
        form: PauseForm,
        named: dict[str, Any],
        status: int = 200,
    ) -> HttpResponse:
        """The page, again with what was wrong."""
        shown = {"thing": thing.scope.value, "pause": pause, "form": form, **named}
        return TemplateResponse(request, "governance/pause.html", shown, status=status)


class PausePersonPage(PausePage):
    """Everything about oneself."""


class PauseSessionPage(PausePage):
    """One conversation."""

    back = "sessions:detail"

    def find_thing(self, **names: Any) -> tuple[Thing, dict[str, Any]]:
        session: Session = get_seen_session(
            tenant=self.access.tenant, person_ids=[self.person.pk], session_id=names["session_id"]
        )
        return Thing(person_id=session.person_id, session_id=session.pk), {"session": session}

    def list_back(self, **names: Any) -> list[Any]:
        return [names["session_id"]]


class PauseOwnKeyPage(PausePage):
    """A key, for oneself alone."""

    def find_thing(self, **names: Any) -> tuple[Thing, dict[str, Any]]:
        tenant, person = self.access.tenant, self.person
        keys: list[ApiKey] = list_acting_keys(tenant=tenant, person_id=person.pk)
        found = next((key for key in keys if key.pk == names["key_id"]), None)
        if found is None:
            raise NotFound
        return Thing(person_id=person.pk, key_id=found.pk), {"key": found}


class PauseKeyPage(PausePage):
    """A key, for everybody: the team's owners and admins decide."""

    needs_person = False
    needs_manager = True
    back = "keys:detail"

    def find_thing(self, **names: Any) -> tuple[Thing, dict[str, Any]]:
        key = get_key_for(tenant=self.access.tenant, key_id=names["key_id"])
        return Thing(key_id=key.pk), {"key": key, "everybody": True}

    def list_back(self, **names: Any) -> list[Any]:
        return [names["key_id"]]


class PauseAnybodyPage(PausePage):
    """Somebody else, where the team's policy lets owners and admins look at them."""

    needs_person = False
    needs_manager = True
    back = "everyone:look"

    def find_thing(self, **names: Any) -> tuple[Thing, dict[str, Any]]:
        tenant = self.access.tenant
        people = list_people(tenant=tenant).filter(pk=names["person_id"])
        person: UserProfile | None = people.first() if tenant.admins_look else None
        if person is None:
            raise NotFound
        return Thing(person_id=person.pk), {"somebody": person}

    def list_back(self, **names: Any) -> list[Any]:
        return [names["person_id"]]
