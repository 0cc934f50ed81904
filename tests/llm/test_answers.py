from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from nebo.llm.answers import failure_of, read_count, read_object, read_text, retry_after_s
from nebo.llm.errors import PermanentError, RetryableError
from nebo.llm.transport import Endpoint, HttpAnswer

ENDPOINT = Endpoint("openai", "gpt-x", "http://provider.test")
NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_status_that_passes_is_worth_a_retry(status: int) -> None:
    error = failure_of(ENDPOINT, HttpAnswer(status, headers={"retry-after": "3"}))

    assert isinstance(error, RetryableError)
    assert (error.status, error.kind, error.retry_after_s) == (status, "busy", 3.0)


@pytest.mark.parametrize("status", [302, 400, 401, 402, 403, 404, 413, 418, 422])
def test_a_status_that_stays_is_not_worth_a_retry(status: int) -> None:
    error = failure_of(ENDPOINT, HttpAnswer(status))

    assert isinstance(error, PermanentError)
    assert (error.status, error.kind) == (status, "refused")
    assert f"({status})" in str(error)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            {"code": "model_not_found", "message": "Caroline"},
            "no such model or address (404, model_not_found)",
        ),
        ({"code": None, "type": "not_found_error"}, "no such model or address (404, not_found_error)"),
        ({"code": "sk-proj-Caroline1", "message": "x"}, "no such model or address (404)"),
        ({"code": "Caroline likes tea"}, "no such model or address (404)"),
        ("Caroline", "no such model or address (404)"),
    ],
)
def test_the_reason_has_the_providers_code_and_never_its_message(error: object, reason: str) -> None:
    failure = failure_of(ENDPOINT, HttpAnswer(404, json.dumps({"error": error}).encode()))

    assert failure.reason == reason


@pytest.mark.parametrize(
    "body", [b"", b"  ", b"<html>", b"\xff\xfe\x00", b'{"a":', b"[1]", b"null", b"[" * 200_000]
)
def test_an_answer_that_is_no_json_object_is_worth_a_retry(body: bytes) -> None:
    with pytest.raises(RetryableError, match=r"its answer is (empty|not a JSON object)") as caught:
        read_object(ENDPOINT, HttpAnswer(200, body))

    assert caught.value.kind == "unreadable"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("Mon, 05 Jan 2026 12:00:30 GMT", 30.0),
        ("Mon, 05 Jan 2026 11:00:00 GMT", 0.0),
        ("Mon, 05 Jan 2026 12:00:30 -0000", 30.0),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("Mon, 99 Jan 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str, seconds: float | None) -> None:
    assert retry_after_s(header, now=NOON) == seconds


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (" tea ", "tea"),
        ([{"type": "text", "text": "te"}, {"type": "text", "text": "a"}], "tea"),
        (["te", {"text": "a"}, {"type": "image"}, 3, {"text": None}], "tea"),
        ("<think>Coffee?\nNo.</think>\n\ntea", "tea"),
        ("te\x00a", "tea"),
        ("tea \ud83d", "tea ?"),
    ],
)
def test_text_is_found_in_every_shape_and_can_be_stored(content: object, text: str) -> None:
    assert read_text(ENDPOINT, content) == text


@pytest.mark.parametrize("content", [None, "", "  ", [], [{}], 7, {"text": "tea"}, "<think>hm</think>"])
def test_content_without_text_is_worth_a_retry(content: object) -> None:
    with pytest.raises(RetryableError, match="has no text"):
        read_text(ENDPOINT, content)


@pytest.mark.parametrize("usage", [None, [], {}, {"n": None}, {"n": "7"}, {"n": -1}, {"n": True}])
def test_a_token_count_that_is_missing_or_odd_is_zero(usage: object) -> None:
    assert read_count(usage, "n") == 0
