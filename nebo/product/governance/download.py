"""An export as an answer to a browser or an agent, streamed part by part."""

from __future__ import annotations

from django.http import StreamingHttpResponse

from nebo.product.governance.models import Export
from nebo.product.governance.services.exporting import read_export


def as_download(export: Export) -> StreamingHttpResponse:
    """The file under a name with its date; each part is read in a short transaction of its own."""
    parts = read_export(tenant=export.tenant_id, export_id=export.pk)
    name = f"nebo-export-{export.requested_at:%Y-%m-%d}.zip"
    headers = {
        "Content-Length": str(export.size),
        "Content-Disposition": f'attachment; filename="{name}"',
        "ETag": f'"{export.sha256}"',
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingHttpResponse(parts, content_type="application/zip", headers=headers)
