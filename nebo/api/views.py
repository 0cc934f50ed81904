"""The base of every endpoint: a key, a scope, one transaction of one tenant, and each POST once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, ClassVar, cast
from uuid import UUID

import structlog
from django.db import OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from psycopg.errors import DeadlockDetected
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from nebo.api.idempotency import REPLAYED, Attempt, answer_once, find_attempt
from nebo.api.negotiation import JSONAlways
from nebo.api.operations import Operation
from nebo.api.problems import LengthRequired
from nebo.api.schema import TenantSchema
from nebo.api.serializers import check_parameters
from nebo.api.usage import note_call
from nebo.errors import NotFound
from nebo.middleware import request_id_of
from nebo.tenants.actor import Actor
from nebo.tenants.models import Pause, Tenant, UserProfile
from nebo.tenants.pauses import find_pause, find_standing
from nebo.tenants.reading import read_in_scope
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import Caller, PersonVersion, get_person, get_person_by_id, get_person_version
from nebo.tenants.services import ME, get_or_create_person

Method = Callable[..., Response]

log = structlog.get_logger(__name__)
DEADLOCK_PAUSE_S = 0.1  # in which the other transaction, which was let through, gets its lock


class TenantView(APIView):
    """Write `get`, `post`, … as `def post(self, request, prepared, **kwargs) -> Response`, name their scopes and
    what they take and answer (`operations`), and leave what needs no transaction (validation, a query's embedding)
    to `prepare`.

    The method runs inside `tenant_scope(self.caller.tenant_id)`; an exception rolls everything back. One that only
    `reads` may run on a replica: what it leaves behind goes through `write_after_reading`.
    """

    scopes: ClassVar[Mapping[str, str]] = {}
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]
    content_negotiation_class = JSONAlways
    schema = TenantSchema()
    subject = ""  # under what its operations stand in the OpenAPI document
    operations: ClassVar[Mapping[str, Operation]] = {}
    about: UUID | None = None  # the person the request turned out to be about
    known_caller: Caller | None = None  # whose call it is, once the key is known
    reads: ClassVar[tuple[str, ...]] = ("GET", "HEAD")  # methods that a replica may answer
    keeps_words: bool = True  # whether an answer about nobody is kept for an Idempotency-Key

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        """What the method is given as `prepared`; runs outside the transaction, with no tenant set."""
        return None

    def follow_up(self, request: Request, response: Response, prepared: Any, **kwargs: Any) -> Response:
        """The answer after the commit, again outside (to wait for a job, say); not for a replayed one."""
        return response

    @property
    def caller(self) -> Caller:
        """Whose key this is."""
        return cast(Caller, self.request.user)

    @property
    def actor(self) -> Actor:
        """The key, as audit entries name it."""
        return Actor("key", str(self.caller.key_id), request_id_of(self.request._request), self.caller.trust)

    @cached_property
    def tenant(self) -> Tenant:
        """The caller's tenant with its policy."""
        return Tenant.objects.get(pk=self.caller.tenant_id)

    def get_person(self, user: str, *, create: bool = False) -> UserProfile:
        """The person called `user` in this tenant, or `me`; raises NotFound, also for another than the key's own.

        With `create` an unknown person is made; raises InvalidInput for a name nobody can have.
        """
        person = self._find_person(user, create=create)
        self.about = person.pk
        return person

    def find_person(self, user: str) -> UserProfile | None:
        """The same, but None for a name that nobody here has yet; raises NotFound for another than the key's own."""
        try:
            return self.get_person(user)
        except NotFound:
            if self.caller.person_id is not None or user == ME:
                raise
            return None

    def _find_person(self, user: str, *, create: bool) -> UserProfile:
        if self.caller.person_id is not None:
            return self._own_person(user, self.caller.person_id)
        if user == ME:
            raise NotFound
        if create:
            return get_or_create_person(tenant=self.caller.tenant_id, external_id=user)
        return get_person(tenant=self.caller.tenant_id, external_id=user)

    def _own_person(self, user: str, person_id: UUID) -> UserProfile:
        own = get_person_by_id(tenant=self.caller.tenant_id, person_id=person_id)
        if user not in (ME, own.external_id):
            raise NotFound
        return own

    def get_person_version(self, user: str) -> PersonVersion:
        """The same person as `get_person` gives, as much of it as a search has to know."""
        own = self.caller.person_id
        if own is None and user == ME:
            raise NotFound
        version = get_person_version(tenant=self.caller.tenant_id, person=own or user)
        if own is not None and user not in (ME, version.external_id):
            raise NotFound
        self.about = version.person_id
        return version

    def find_pause(self, person: UserProfile | None, session_id: UUID | None = None) -> Pause | None:
        """Why what this key brings about a person isn't collected just now, if it isn't. In the open scope."""
        tenant, actor = self.caller.tenant_id, self.actor
        if person is None:  # whom nobody knows yet: a key may be paused for everybody
            return find_standing(tenant=tenant, person_id=None, key_id=actor.key_id)
        return find_pause(tenant=tenant, person=person, actor=actor, session_id=session_id)

    def show_others(self) -> None:
        """The answer has words of others than the person it is about: it is kept for no Idempotency-Key, since they
        may take them back, and is worked out again.
        """
        self.about = None
        self.keeps_words = False

    def check_person(self, person_id: UUID) -> None:
        """Raise NotFound when the key is bound to another person than the one a row is about."""
        if self.caller.person_id not in (None, person_id):
            raise NotFound
        self.about = person_id

    def bound_persona(self, persona_id: UUID | None = None) -> UUID | None:
        """The persona to work with: the key's own if it has one; raises NotFound when another is named."""
        own = self.caller.persona_id
        if own is not None and persona_id not in (None, own):
            raise NotFound("No persona has this slug.", field="persona")  # the words for a missing one
        return own or persona_id

    # --- What happens around a method -------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and count the call of a key that is known."""
        began = time.perf_counter()
        response = super().dispatch(request, *args, **kwargs)
        operation = self.operations.get(str(request.method))
        if self.known_caller and operation:
            note_call(
                tenant_id=self.known_caller.tenant_id,
                key_id=self.known_caller.key_id,
                what=operation.summary,
                status=response.status_code,
                seconds=time.perf_counter() - began,
            )
        return response

    def perform_authentication(self, request: Request) -> None:
        """Whose call is counted; of nobody where the key is unknown, or can't be looked up."""
        super().perform_authentication(request)
        if isinstance(request.user, Caller):
            self.known_caller = request.user

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {**super().default_response_headers, "Cache-Control": "no-store"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After key, scope and rate are checked, the method is wrapped: `dispatch` calls it next."""
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        method = getattr(self, name, None)
        if name in self.http_method_names and method is not None:
            setattr(self, name, partial(self._run, method))

    def _run(self, method: Method, request: Request, *args: Any, **kwargs: Any) -> Response:
        read_body(request)
        self._check_parameters(request)
        attempt = find_attempt(request, self.caller) if request.method == "POST" else None
        prepared = self.prepare(request, **kwargs)
        act = partial(self._answer, partial(method, request, prepared, **kwargs), attempt)
        response = self._in_scope(act, reads=request.method in self.reads and attempt is None)
        if REPLAYED in response.headers:
            return response
        return self.follow_up(request, response, prepared, **kwargs)

    def _check_parameters(self, request: Request) -> None:
        """Whether the method takes what the query string names; `prepare` says what is wrong with the values."""
        method = "GET" if request.method == "HEAD" else str(request.method)
        operation = self.operations.get(method)
        if operation is not None and request.query_params:
            check_parameters(request, operation.parameters)

    def _in_scope(self, act: Callable[[], Response], *, reads: bool = False) -> Response:
        """In the tenant's transaction; once more where the database ended it, as one of two that waited for each
        other.
        """
        try:
            if reads:
                return read_in_scope(self.caller.tenant_id, act)
            with tenant_scope(self.caller.tenant_id):
                return act()
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
        log.warning("api.deadlock_tried_again")
        time.sleep(DEADLOCK_PAUSE_S)
        with tenant_scope(self.caller.tenant_id):
            return act()

    def _answer(self, act: Callable[[], Response], attempt: Attempt | None) -> Response:
        if attempt is None:
            return act()
        refuse = partial(self.get_exception_handler(), context=self.get_exception_handler_context())
        return answer_once(attempt, act, refuse, lambda: self.about, lambda: self.keeps_words)


def read_body(request: Request) -> None:
    """Read and parse the body now, so that its faults come before anything is done."""
    if request.headers.get("Transfer-Encoding") and not request.headers.get("Content-Length"):
        raise LengthRequired
    _ = request._request.body  # obeys DATA_UPLOAD_MAX_MEMORY_SIZE, which a stream would not
    _ = request.data
