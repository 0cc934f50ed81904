"""A conversation in a file, a message a line as JSON, held to the same rules as one that comes over HTTP."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rest_framework.exceptions import ValidationError

from nebo.api.parsers import parse_object
from nebo.api.problems import field_errors
from nebo.api.serializers import parse
from nebo.errors import FieldError, NeboError
from sessions.api.serializers import MessageInput
from sessions.turns.append import NewMessage

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
DIGEST_CHARS = 16  # 64 bits: enough to tell the lines of one file apart


class InvalidTranscript(ValueError):
    """`faults` has a sentence for each line that is not a message."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


def read_transcript(lines: Iterable[bytes]) -> list[tuple[int, NewMessage]]:
    """Every message with the number of its line (from 1); blank lines count but say nothing.

    A message without `external_id` gets one from its position and content, so that the same file gives the
    same ids again. Raises InvalidTranscript for all faults at once.
    """
    messages: list[tuple[int, NewMessage]] = []
    faults: list[str] = []
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if not text.strip():
            continue
        try:
            messages.append(
                (number, _identified(number, NewMessage(**parse(MessageInput, parse_object(text)))))
            )
        except (NeboError, ValidationError) as error:
            faults.extend(f"line {number}: {fault}" for fault in _describe(error))
    faults.extend(_repeated(messages))
    if faults:
        raise InvalidTranscript(faults)
    return messages


def _identified(number: int, message: NewMessage) -> NewMessage:
    if message.external_id:
        return message
    digest = hashlib.sha256(f"{message.role}\0{message.content}".encode()).hexdigest()
    return replace(message, external_id=f"line-{number}-{digest[:DIGEST_CHARS]}")


def _describe(error: Any) -> Iterator[str]:
    """`content: A message needs content.`"""
    if isinstance(error, ValidationError):
        faults: tuple[FieldError, ...] = tuple(field_errors(error.detail))
    else:
        faults = error.errors or (FieldError("", error.detail),)
    for fault in faults:
        field = fault.pointer.lstrip("#/")
        yield (
            f"{field}: {fault.detail}"
            if field
            else fault.detail.replace("The body", "The line").replace("line 1, column", "column")
        )


def _repeated(messages: Iterable[tuple[int, NewMessage]]) -> Iterator[str]:
    first: dict[str | None, int] = {}
    for number, message in messages:
        before = first.setdefault(message.external_id, number)
        if before != number:
            yield f"line {number}: external_id: {message.external_id} is that of line {before} too."
