"""Where each address leads."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from nebo.api import problems
from nebo.api.schema import SchemaView

# Addresses are tried one after the other, so those that agents call with every turn stand first.
api: list[URLPattern | URLResolver] = [
    path("", include("sessions.urls")),
    path("", include("memories.urls")),
    path("", include("personality.urls")),
    path("", include("nebo.product.governance.urls")),
    path("", include("nebo.product.workspace.urls")),
    path("", include("nebo.product.events.urls")),
    path("", include("nebo.product.memory_files.urls")),
    path("", include("nebo.jobs.urls")),
    path("schema/", SchemaView.as_view(), name="schema"),
]

urlpatterns = [
    path("api/v1/", include(api)),
    path("", include("nebo.product.operations.urls")),
    path("", include("nebo.product.dashboard.urls")),
    path("", include("nebo.product.mcp.urls")),
    path("", include("nebo.product.gateway.urls")),
    path("", include("nebo.product.mem0.urls")),
    re_path(r"^api/.*$", problems.unknown_route),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

handler400 = problems.bad_request
handler403 = problems.permission_denied
handler404 = problems.page_not_found
handler500 = problems.server_error
