"""Reading a provider's answer: which failure a status means, and the text inside whatever shape came."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from nebo.llm.errors import PermanentError, ProviderError, RetryableError
from nebo.llm.transport import Endpoint, HttpAnswer

RETRYABLE_STATUSES = frozenset({408, 409, 425, 429})  # besides every 5xx
REASONS = {
    301: "its address redirects, correct the base URL",
    302: "its address redirects, correct the base URL",
    307: "its address redirects, correct the base URL",
    308: "its address redirects, correct the base URL",
    400: "it rejected the request",
    401: "the key was not accepted",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "no such model or address",
    408: "it gave up waiting",
    409: "it is busy with a conflicting request",
    413: "the request is too large for it",
    422: "it rejected the request",
    425: "it is not ready yet",
    429: "too many requests",
}
ERROR_CODE = re.compile(r"[a-z]+(_[a-z]+){0,5}")  # `context_length_exceeded`; no key and no sentence fits
THINKING = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)  # reasoning models served without a parser


def read_object(endpoint: Endpoint, answer: HttpAnswer) -> dict[str, Any]:
    """The JSON object of a 2xx answer; raises the ProviderError that its status or its body deserves."""
    if not 200 <= answer.status < 300:
        raise failure_of(endpoint, answer)
    if not answer.body.strip():
        raise unreadable(endpoint, "its answer is empty")
    data = _parsed(answer.body)
    if not isinstance(data, dict):
        raise unreadable(endpoint, "its answer is not a JSON object")
    return data


def failure_of(endpoint: Endpoint, answer: HttpAnswer) -> ProviderError:
    """The error for an answer that is no success; it tells the provider's error code, never its message."""
    status = answer.status
    default = "server error" if status >= 500 else "unexpected answer"
    code = _error_code(answer.body)
    reason = f"{REASONS.get(status, default)} ({status}{', ' + code if code else ''})"
    if status not in RETRYABLE_STATUSES and status < 500:
        return PermanentError(endpoint.provider, endpoint.model, reason, kind="refused", status=status)
    wait_s = retry_after_s(answer.headers.get("retry-after", ""), now=datetime.now(UTC))
    return RetryableError(
        endpoint.provider, endpoint.model, reason, kind="busy", status=status, retry_after_s=wait_s
    )


def unreadable(endpoint: Endpoint, reason: str) -> RetryableError:
    """The error for an answer that came, but says nothing we can use."""
    return RetryableError(endpoint.provider, endpoint.model, reason, kind="unreadable")


def declined(endpoint: Endpoint) -> PermanentError:
    """The error for a model that answers that it won't answer."""
    return PermanentError(endpoint.provider, endpoint.model, "the model declined to answer", kind="refused")


def retry_after_s(value: str, *, now: datetime) -> float | None:
    """Seconds a Retry-After header asks for, given as seconds or as an HTTP date (RFC 9110, 10.2.3)."""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value.strip()):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def read_text(endpoint: Endpoint, content: object) -> str:
    """The text of a string or of a list of parts, fit to be stored; raises RetryableError without any."""
    text = THINKING.sub("", _joined(content))
    # Postgres stores neither NUL nor half a surrogate pair
    text = text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()
    if not text:
        raise unreadable(endpoint, "its answer has no text")
    return text


def read_count(usage: object, name: str) -> int:
    """A token count, 0 where the provider leaves it out or sends something else."""
    value = usage.get(name) if isinstance(usage, Mapping) else None
    return value if type(value) is int and value > 0 else 0


def _joined(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    return "".join(part if isinstance(part, str) else _text_of_part(part) for part in content)


def _text_of_part(part: object) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _error_code(body: bytes) -> str:
    data = _parsed(body)
    error = data.get("error") if isinstance(data, dict) else None
    if not isinstance(error, dict):
        return ""
    codes = (error.get("code"), error.get("type"))
    return next((code for code in codes if isinstance(code, str) and ERROR_CODE.fullmatch(code)), "")[:64]


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
