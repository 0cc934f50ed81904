"""`v1/memories/`, and `memories` of mem0's own server: GET lists, POST adds, DELETE forgets."""

from __future__ import annotations

import time
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.product.mem0.api.adding import AddView
from nebo.product.mem0.api.asked import Asked, read_asked
from nebo.product.mem0.api.base import counted, user_of
from nebo.product.mem0.api.inputs import DELETING, LISTING, Mem0Input
from nebo.product.mem0.api.reading import PageView
from nebo.product.mem0.filters.conditions import matching
from nebo.product.mem0.keeping import forget, list_held
from nebo.tenants.scoping import tenant_scope

FORGOTTEN_AT_ONCE = 50  # memories in one transaction
FORGETTING_S = 60.0  # within which all of them mostly are


class MemoriesView(AddView, PageView):
    """All three."""

    scopes = {**AddView.scopes, "GET": "read", "DELETE": "write"}
    operations = {**AddView.operations, **counted(GET="list memories", DELETE="delete all memories")}
    parameters = {"GET": LISTING, "DELETE": DELETING}

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        if request.method == "POST":
            return super().prepare(request, **kwargs)
        if request.method == "GET":
            return self.asked_of(request)
        asked = read_asked(Mem0Input, request, any_name=self.is_server)
        return asked, self.name_person(asked.ids)

    def get(self, request: Request, prepared: tuple[Asked, str]) -> Response:
        """The first version of mem0's API has a bare list."""
        body = self.page(request, *prepared)
        bare = not self.is_server and prepared[0].fields.get("output_format") != "v1.1"
        return Response(body["results"] if bare else body)

    def delete(self, request: Request, prepared: tuple[Asked, str]) -> Response:
        return Response(self._forget(*prepared))

    def follow_up(self, request: Request, response: Response, prepared: Any, **kwargs: Any) -> Response:
        """The rest, in short transactions: nobody who writes about the person waits for all of it."""
        until = time.monotonic() + FORGETTING_S
        while request.method == "DELETE" and response.data["remaining"] and time.monotonic() < until:
            with tenant_scope(self.caller.tenant_id):
                more = self._forget(*prepared)
            response.data = {**more, "deleted": response.data["deleted"] + more["deleted"]}
        return response

    def _forget(self, asked: Asked, user: str) -> dict[str, Any]:
        """A batch of what the filters let through, and how many are left."""
        person = self.find_named(user)
        count = left = 0
        if person is not None:
            rows = matching(
                list_held(caller=self.caller, person_id=person.pk, expired=True),
                tenant=self.caller.tenant_id,
                filters=asked.filters,
                user_id=user_of(user, person),
            )
            batch = list(rows.order_by("pk")[:FORGOTTEN_AT_ONCE])
            count = forget(tenant=self.caller.tenant_id, memories=batch, actor=self.actor)
            left = rows.count()
        more = f" {left} are left: call again." if left else ""
        return {"message": f"Memories deleted successfully!{more}", "deleted": count, "remaining": left}
