"""Codes from the page *Connect an agent*: exchanged once for a key, so that none has to be copied."""

from __future__ import annotations

import re

import httpx

from nebo_client.errors import Unreachable, Unreadable
from nebo_client.wire import TIMEOUT_S, USER_AGENT, read_answer

FORM = re.compile(r"[B-DF-HJ-NP-TV-XZ]{4}(-?[B-DF-HJ-NP-TV-XZ]{4}){2}", re.IGNORECASE)
NAME_LENGTH = 200


def is_code(text: str) -> bool:
    """Whether it looks like `BCDF-GHJK-LMNP`, which no key does."""
    return FORM.fullmatch(text.strip()) is not None


def exchange(url: str, code: str, name: str) -> str:
    """The key; `name` is what the pages call it. Raises Invalid for a code that opens nothing, Unreachable."""
    asked = {"code": code.strip(), "name": name[:NAME_LENGTH]}
    headers = {"User-Agent": USER_AGENT, "Accept": "application/json"}
    try:
        response = httpx.post(f"{url.rstrip('/')}/connect/", json=asked, headers=headers, timeout=TIMEOUT_S)
    except httpx.TransportError as error:
        raise Unreachable(f"{url}: {error}") from error
    answer = read_answer(response)
    if not isinstance(answer, dict) or not isinstance(answer.get("key"), str):
        raise Unreadable(f"{url} is no Nebo that takes codes.")
    return str(answer["key"])
