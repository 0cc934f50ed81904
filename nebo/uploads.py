"""What is refused of a form with a file before it has been read."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class BoundedUploads(FileUploadHandler):
    """Files obey the bound that holds for every other body, which Django itself leaves open."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - as Django calls it
        content_length: int | None,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        """Raises RequestDataTooBig."""
        if (content_length or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig(f"At most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes a request.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """On to the next handler."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The next handler has it."""
        return
