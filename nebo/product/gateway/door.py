"""Who comes in, and what they want of the memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import unquote

from django.http import HttpRequest

from nebo.api.authentication import let_in
from nebo.api.problems import LengthRequired, TooManyRequests, Unauthenticated
from nebo.api.throttles import count_call_of
from nebo.errors import Forbidden, InvalidInput, TooLarge
from nebo.product.gateway.headers import Sent, own_header, read_sent
from nebo.product.gateway.refusals import NO_KEY, NO_PERSON
from nebo.tenants.selectors import Caller
from nebo.tenants.services import ME, check_external_id
from sessions.context.budget import MAX_BUDGET, MIN_BUDGET
from sessions.lifecycle.identity import KEY_LIMIT

MAX_BODY = 50 * 1024 * 1024  # bytes: above the 32 MB of Anthropic; images make a request large
BUDGET = 4_000  # tokens of what is known: half of what a context has that brings the conversation along
ON, READ, WRITE, OFF = "on", "read", "write", "off"
SWITCHES = (ON, READ, WRITE, OFF)


class TooOften(TooManyRequests):
    """`wait_s` tells for how long."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = math.ceil(wait_s)
        super().__init__(f"Too many calls: wait {self.wait_s} s.")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was let in: whose key, whom it is about (`me` for the key's own), in which conversation (""
    where none is named), and what is wanted of the memory.
    """

    request: HttpRequest
    caller: Caller
    sent: Sent
    user: str
    session: str
    switch: str
    budget: int

    @property
    def reads(self) -> bool:
        return self.switch in (ON, READ)

    @property
    def writes(self) -> bool:
        return self.switch in (ON, WRITE)


def open_door(request: HttpRequest, user: str) -> Visit:
    """For a completion. Raises NeboError for a key that may not, and for headers that can't be meant."""
    switch = _switch(request)
    caller, sent = let_caller_in(request, "write" if switch in (ON, WRITE) else "read")
    return Visit(
        request,
        caller,
        sent,
        _person(request, caller, user, is_needed=switch != OFF),
        _session(request),
        switch,
        _budget(request),
    )


def let_caller_in(request: HttpRequest, scope: str) -> tuple[Caller, Sent]:
    """Whose key it is, and the rest of the headers. Raises NeboError."""
    sent = read_sent(request.headers)
    caller = let_in(sent.key) if sent.key else None
    if caller is None:
        raise Unauthenticated(NO_KEY)
    if scope not in caller.scopes:
        raise Forbidden(f"This needs a key with the scope {scope}.")
    allowance = count_call_of(caller)
    if allowance and allowance.wait_s:
        raise TooOften(allowance.wait_s)
    return caller, sent


def read_body(request: HttpRequest) -> bytes:
    """Raises NeboError for one that is too long, or doesn't say how long it is."""
    length = request.headers.get("Content-Length") or ""
    if not length.isdigit():
        raise LengthRequired
    if int(length) > MAX_BODY:
        raise TooLarge(f"At most {MAX_BODY:,} bytes at once.")
    return request.body


def _switch(request: HttpRequest) -> str:
    given = own_header(request.headers, "Memory").lower() or ON
    if given not in SWITCHES:
        raise InvalidInput(f"X-Nebo-Memory is one of {', '.join(SWITCHES)}.")
    return given


def _person(request: HttpRequest, caller: Caller, user: str, *, is_needed: bool) -> str:
    named = {name for name in (user, unquote(own_header(request.headers, "User"))) if name}
    if len(named) > 1:
        raise InvalidInput("The address and X-Nebo-User name different persons.")
    person = next(iter(named), ME if caller.person_id else "")
    if is_needed and not person:
        raise InvalidInput(NO_PERSON)
    if is_needed and caller.person_id is None:
        check_external_id(person)
    return person


def _session(request: HttpRequest) -> str:
    session = unquote(own_header(request.headers, "Session"))
    if len(session) > KEY_LIMIT or not session.isprintable():
        raise InvalidInput(f"At most {KEY_LIMIT} printable characters.")
    return session


def _budget(request: HttpRequest) -> int:
    given = own_header(request.headers, "Token-Budget") or str(BUDGET)
    if not given.isdecimal() or not MIN_BUDGET <= int(given[:9]) <= MAX_BUDGET:
        raise InvalidInput(f"A whole number from {MIN_BUDGET} to {MAX_BUDGET}.")
    return int(given)
