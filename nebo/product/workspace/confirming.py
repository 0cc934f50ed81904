"""That it is really they: before what can't be undone, whoever is signed in shows it once more.

With their password, a passkey or a code, as allauth asks for it on its own page; that holds for five minutes. Who signs
in with another service alone has nothing to show here, and is taken at that service's word.
"""

from __future__ import annotations

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import urlencode


def has_confirmed(request: HttpRequest) -> bool:
    """Whether they showed it within the last minutes."""
    return bool(did_recently_reauthenticate(request))


def confirm_address(request: HttpRequest) -> str:
    """Where they are asked to, and come back from to this very page."""
    return f"{resolve_url('account_reauthenticate')}?{urlencode({'next': request.path})}"
