"""Who may sign up, and what they get: a team of their own, or a place in the one that invited them."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.forms import SignupForm
from allauth.core import context
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.errors import NotFound
from nebo.middleware import request_id_of
from nebo.product.workspace.founding import found_team
from nebo.product.workspace.invitations import FoundInvitation, accept, find_held_invitation
from nebo.tenants.models import User

FOUNDED = "nebo.founded"  # in the browser's session: the slug of a team that has just been made, until its first page
HELD = "nebo.invitation"  # in the browser's session: the public id of the invitation that was shown


def may_sign_up(*, is_invited: bool) -> bool:
    """As `NEBO_SIGNUP` has it."""
    return settings.SIGNUP == "open" or (settings.SIGNUP == "invited" and is_invited)


def held_invitation(request: HttpRequest) -> FoundInvitation | None:
    """The open invitation whose link was followed in this browser."""
    return find_held_invitation(request.session.get(HELD, ""))


class TeamOfTheirOwn(forms.Form):
    """What both ways to sign up share: the name of a new team, unless one was invited to a team."""

    workspace = forms.CharField(
        max_length=200,
        required=False,
        label=_("Name of your team"),
        help_text=_("You can leave it empty, and invite others later."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.invitation = held_invitation(context.request)
        if self.invitation is not None:
            del self.fields["workspace"]
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        if "password1" in self.fields:
            self.fields["password1"].help_text = gettext(
                "At least 8 characters, and nothing that others would guess."
            )

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """The login with its team; none of it where the invitation was used by somebody else just now."""
        try:
            return cast("tuple[User | None, HttpResponse | None]", super().try_save(request))  # type: ignore[misc]
        except NotFound:
            return None, redirect("join")

    def save(self, request: HttpRequest) -> User:
        """In one transaction: nobody is left with a login and no team."""
        with transaction.atomic():
            user = cast(User, super().save(request))  # type: ignore[misc]
            if self.invitation is not None:
                accept(found=self.invitation, user=user, request_id=request_id_of(request))
            else:
                name = self.cleaned_data["workspace"] or gettext("%(name)s's team") % {
                    "name": user.email.partition("@")[0]
                }
                tenant = found_team(name=name, owner=user, request_id=request_id_of(request))
                request.session[FOUNDED] = tenant.slug
        request.session.pop(HELD, None)
        return user


class WorkspaceSignupForm(TeamOfTheirOwn, SignupForm):  # type: ignore[misc]
    """E-mail address and password, and for those who were not invited the name of their team."""

    field_order = ("email", "workspace", "password1")
