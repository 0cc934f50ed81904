"""A body that is a file: the bytes themselves, or a form with the file in it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from rest_framework.parsers import BaseParser

from nebo.errors import InvalidInput

FORM = "multipart/form-data"
FIELD = "file"


class SentFile(dict[str, str]):
    """What stands for a file where its request is compared with another; the file is `content`."""

    content: bytes
    name: str


class FileParser(BaseParser):
    """Takes any content type; of a form, its one file. Raises InvalidInput."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> SentFile:
        name, content = "", stream.read()
        if (media_type or "").startswith(FORM):
            name, content = _file_in_form(content, (parser_context or {})["request"].META)
        sent = SentFile(sha256=hashlib.sha256(content).hexdigest(), name=name)
        sent.content, sent.name = content, name
        return sent


def _file_in_form(body: bytes, meta: Mapping[str, Any]) -> tuple[str, bytes]:
    handler = TemporaryFileUploadHandler()
    try:
        given = {**meta, "CONTENT_LENGTH": str(len(body))}
        _, files = MultiPartParser(given, BytesIO(body), [handler]).parse()
    except MultiPartParserError as error:
        raise InvalidInput("The form can't be read.", field=FIELD) from error
    found = files.get(FIELD)
    if not isinstance(found, UploadedFile):
        raise InvalidInput("The form needs a file of this name.", field=FIELD)
    return found.name or "", found.read()
