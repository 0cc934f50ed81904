"""How people sign in and up (allauth's adapters)."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from nebo.product.workspace.signing_up import held_invitation, may_sign_up


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up is as open as the operator has it."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Asked before the form is shown and again when it is sent."""
        return may_sign_up(is_invited=False) or may_sign_up(is_invited=held_invitation(request) is not None)
