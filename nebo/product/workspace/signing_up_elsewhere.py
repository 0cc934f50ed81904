"""Sign-up by an OpenID Connect server: its adapter and its form. Loaded only where one is configured."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.forms import SignupForm
from django.http import HttpRequest

from nebo.product.workspace.signing_up import TeamOfTheirOwn, held_invitation, may_sign_up


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """As open as sign-up with a password: the server says who somebody is, not that they belong here."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Asked before the form is shown and again when it is sent."""
        return may_sign_up(is_invited=False) or may_sign_up(is_invited=held_invitation(request) is not None)


class WorkspaceSocialSignupForm(TeamOfTheirOwn, SignupForm):  # type: ignore[misc]
    """The address that the server names, and for those who were not invited the name of their team."""

    field_order = ("email", "workspace")
