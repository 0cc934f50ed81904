"""`Idempotency-Key`: a POST that is sent again gets the first answer again.

The answer is written in the transaction of the effect, so there is never one without the other. Refusals
(4xx) of the method itself are answers too; its effects are rolled back to a savepoint. Nothing is kept of a
request that never got as far: broken input, no right, too many calls. Nor of a 5xx.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.models import IdempotencyRecord
from nebo.api.problems import ANSWERED
from nebo.errors import Conflict, InvalidInput, Unprocessable
from nebo.postgres.locks import try_lock
from nebo.tenants.models import Tenant
from nebo.tenants.selectors import Caller

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
NOT_KEPT = "Body-Not-Kept"  # stands with a kept answer alone, and is never sent
KEY_LENGTH = 255  # characters
KEPT = timedelta(hours=24)
FORGOTTEN_AT_ONCE = 1_000  # answers a statement
HIDDEN_AT_ONCE = 500  # answers, the newest, that are looked through for forgotten words


class StillRunning(Conflict):
    """Another request with this key has not ended."""

    code = "idempotency-key-in-use"
    headers = {"Retry-After": "1"}


class KeyReused(Unprocessable):
    """The key was used for another request."""

    code = "idempotency-key-reused"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that carries a key."""

    caller: Caller
    key: str
    fingerprint: str


def find_attempt(request: Request, caller: Caller) -> Attempt | None:
    """The request's key and what it stands for; None without the header. Raises InvalidInput."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not 0 < len(key) <= KEY_LENGTH or not key.isprintable():
        raise InvalidInput(f"{HEADER} has 1 to {KEY_LENGTH} printable characters.", field="")
    return Attempt(caller, key, fingerprint(request))


def fingerprint(request: Request) -> str:
    """SHA-256 of method, address and body; the body's spacing and order of names do not count."""
    body = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    text = "\n".join((str(request.method), request._request.get_full_path(), body))
    return hashlib.sha256(text.encode()).hexdigest()


def answer_once(
    attempt: Attempt,
    act: Callable[[], Response],
    refuse: Callable[[Exception], Response | None],
    about: Callable[[], UUID | None],
    keeps_words: Callable[[], bool] = lambda: True,
) -> Response:
    """The stored answer, or `act`'s, stored. Inside the tenant's scope. Raises StillRunning and KeyReused.

    `refuse` makes the answer of an exception; one it does not know is raised, and nothing is stored. `about` tells
    afterwards whose data the answer shows: it is erased with theirs. Without `keeps_words` an answer about nobody,
    which no erasure would reach, is kept without its body, and `act`, which has no effect, works it out again.
    """
    _lock(attempt)
    stored = _stored(attempt)
    if stored is not None:
        return _replay(stored, attempt, _act(act, refuse) if _has_no_body(stored, attempt) else None)
    response = _act(act, refuse)
    if response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        whose = about()
        _store(attempt, response, whose, keeps_body=keeps_words() or whose is not None)
    return response


def hide_in_answers(
    *, tenant: Tenant | UUID, person_id: UUID, words: Iterable[str], says: Callable[[str], bool], mark: str
) -> int:
    """Put a mark in the place of texts in kept answers about a person that say it; how many answers. `words` are
    pieces of which such an answer has one.
    """
    has_any = Q(pk=None)
    for word in words:
        has_any |= Q(body__icontains=word)
    rows = IdempotencyRecord.objects.for_tenant(tenant).filter(has_any, person_id=person_id)
    changed = []
    for record in rows.order_by("-created_at")[:HIDDEN_AT_ONCE]:
        body = _without(json.loads(record.body), says, mark)
        record.body, before = JSONRenderer().render(body).decode(), record.body
        changed += [record] if record.body != before else []
    IdempotencyRecord.objects.for_tenant(tenant).bulk_update(changed, ["body"])
    return len(changed)


def _without(data: Any, says: Callable[[str], bool], mark: str) -> Any:
    if isinstance(data, str):
        return mark if says(data) else data
    if isinstance(data, dict):
        return {name: _without(value, says, mark) for name, value in data.items()}
    return [_without(one, says, mark) for one in data] if isinstance(data, list) else data


def _lock(attempt: Attempt) -> None:
    """An advisory lock, since the row that could be locked is not there yet; the commit lets it go."""
    if not try_lock(f"idempotency:{attempt.caller.tenant_id}:{attempt.caller.key_id}:{attempt.key}"):
        raise StillRunning("A request with this Idempotency-Key is still running.")


def _stored(attempt: Attempt) -> IdempotencyRecord | None:
    """The first answer, unless it is too old to be kept."""
    found: IdempotencyRecord | None = (
        IdempotencyRecord.objects.for_tenant(attempt.caller.tenant_id)
        .filter(api_key_id=attempt.caller.key_id, key=attempt.key)
        .first()
    )
    if found is not None and found.created_at < timezone.now() - KEPT:
        found.delete()
        return None
    return found


def _replay(record: IdempotencyRecord, attempt: Attempt, anew: Response | None) -> Response:
    """`anew` is the answer worked out again, where its body wasn't kept."""
    if record.fingerprint != attempt.fingerprint:
        raise KeyReused("This Idempotency-Key came with another request before.")
    if anew is not None:
        anew.headers[REPLAYED] = "true"
        return anew
    headers = {**record.headers, REPLAYED: "true"}
    content_type = headers.pop("Content-Type", None)
    body = json.loads(record.body) if record.body else None
    return Response(body, record.status, headers=headers, content_type=content_type)


def _act(act: Callable[[], Response], refuse: Callable[[Exception], Response | None]) -> Response:
    try:
        with transaction.atomic():
            return act()
    except ANSWERED as error:
        response = refuse(error)
        if response is None or response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return response


def _has_no_body(record: IdempotencyRecord, attempt: Attempt) -> bool:
    """Whether it says no more than that this request was answered."""
    return record.fingerprint == attempt.fingerprint and record.headers.get(NOT_KEPT) == "true"


def _store(attempt: Attempt, response: Response, person_id: UUID | None, *, keeps_body: bool) -> None:
    keeps_body = keeps_body or response.status_code != HTTPStatus.OK
    IdempotencyRecord.objects.for_tenant(attempt.caller.tenant_id).create(
        api_key_id=attempt.caller.key_id,
        key=attempt.key,
        person_id=person_id,
        fingerprint=attempt.fingerprint,
        status=response.status_code,
        headers=_headers(response) if keeps_body else {NOT_KEPT: "true"},
        body="" if response.data is None or not keeps_body else JSONRenderer().render(response.data).decode(),
    )


def _headers(response: Response) -> dict[str, str]:
    """Those the method set; the content type only where it is not the usual one."""
    headers = {name: value for name, value in response.headers.items() if name != "Content-Type"}
    return headers | ({"Content-Type": response.content_type} if response.content_type else {})


def list_outlived_answers(*, tenant: Tenant | UUID) -> QuerySet[IdempotencyRecord]:
    """Answers past their time."""
    return IdempotencyRecord.objects.for_tenant(tenant).filter(created_at__lt=Now() - KEPT)


def forget_answers(*, tenant: Tenant | UUID) -> int:
    """Delete a batch of them; how many. Inside the tenant's scope."""
    ids = list(list_outlived_answers(tenant=tenant).values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return IdempotencyRecord.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]
