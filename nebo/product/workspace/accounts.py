"""How people sign in and up (allauth's adapters)."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from nebo.languages import find_language
from nebo.product.workspace.signing_up import FOUNDED, held_invitation, may_sign_up


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up is as open as the operator has it."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Asked before the form is shown and again when it is sent."""
        return may_sign_up(is_invited=False) or may_sign_up(is_invited=held_invitation(request) is not None)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the language that its reader chose, or else of the page that sends it."""
        chosen = find_language(getattr(context.get("user"), "language", ""))
        with translation.override(chosen or translation.get_language()):
            super().send_mail(template_prefix, email, context)

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """Who has made a team goes to its first key."""
        return _first_page(request) or str(super().get_signup_redirect_url(request))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The same after an address was verified."""
        return _first_page(request) or str(super().get_login_redirect_url(request))


def _first_page(request: HttpRequest) -> str:
    slug = request.session.get(FOUNDED)
    return reverse("dashboard:first_key", args=[slug]) if slug else ""
