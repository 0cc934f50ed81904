"""mem0's project is a workspace of Nebo: the client asks for the one that its ping named."""

from __future__ import annotations

from typing import Any, NoReturn

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.times import as_utc
from nebo.errors import NotFound
from nebo.product.mem0.api.account import INSTEAD
from nebo.product.mem0.api.base import Mem0View, NotSupported, counted
from nebo.tenants.models import Tenant

NO_CHANGE = f"Nebo doesn't support this call of mem0. {INSTEAD['projects']}"


def project_json(tenant: Tenant) -> dict[str, Any]:
    """A workspace as a project; what Nebo has no setting for is as it acts."""
    return {
        "org_id": tenant.slug,
        "project_id": tenant.slug,
        "name": tenant.name,
        "description": "",
        "custom_instructions": None,
        "agent_custom_instructions": None,
        "custom_categories": [],
        "multilingual": True,
        "decay": False,
        "created_at": as_utc(tenant.created_at),
    }


class ProjectView(Mem0View):
    """`api/v1/orgs/organizations/{org}/projects/{project}/`: read, and never changed through mem0's client.

    Another's names are answered as those of nobody.
    """

    scopes = {"GET": "read", "PATCH": "admin", "DELETE": "admin"}
    operations = counted(GET="read a project")
    parameters = {"GET": ("fields",)}

    def get(self, request: Request, prepared: None, org_id: str, project_id: str) -> Response:
        if {org_id, project_id} != {self.tenant.slug}:
            raise NotFound
        shown = project_json(self.tenant)
        wanted = request._request.GET.getlist("fields")
        return Response({name: shown[name] for name in wanted if name in shown} if wanted else shown)

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> NoReturn:
        """Once the key is known, and whatever it names."""
        raise NotSupported(NO_CHANGE)
