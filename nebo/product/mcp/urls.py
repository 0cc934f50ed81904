"""Addresses of the Model Context Protocol; with and without a slash at the end, since clients drop it."""

from django.urls import path, re_path

from nebo.product.mcp.transport import METADATA
from nebo.product.mcp.view import McpView, show_metadata

metadata = METADATA.removeprefix("/")
endpoint = McpView.as_view()

urlpatterns = [
    path("mcp", endpoint, name="mcp"),
    path("mcp/", endpoint),
    path("mcp/u/<str:user>/", endpoint, name="mcp_person"),
    path("mcp/u/<str:user>", endpoint),
    path(metadata, show_metadata, name="mcp_metadata"),
    re_path(rf"^{metadata}(?P<resource>/mcp(?:/u/[^/]+)?)/?$", show_metadata),
]
