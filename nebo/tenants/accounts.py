"""How people sign in (allauth's adapter)."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody signs up by themselves: a tenant's owner or the operator makes the login."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
