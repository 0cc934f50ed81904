"""Embedding providers over HTTP, against a real server on loopback."""

import math

import pytest

from nebo.llm.errors import PermanentError, RetryableError
from search.embeddings.ollama import build_ollama_embedder
from search.embeddings.openai import build_openai_embedder
from search.embeddings.remote import RemoteModel, RetryPolicy
from tests.scripted_server import (
    ScriptedServer,
    garbage,
    hang_up,
    json_answer,
    scripted_server,
    silent,
    status,
)

__all__ = ["scripted_server"]

EMBEDDINGS = "/v1/embeddings"
EMBED = "/api/embed"


class Pauses:
    """Writes down how long it was asked to wait, and doesn't."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def openai(scripted_server: ScriptedServer, pauses: Pauses) -> RemoteModel:
    retry_policy = RetryPolicy(timeout_s=0.5, sleep=pauses)
    return build_openai_embedder(
        api_key="sk-test", base_url=f"{scripted_server.url}/v1", dimensions=2, retry_policy=retry_policy
    )


@pytest.fixture
def ollama(scripted_server: ScriptedServer, pauses: Pauses) -> RemoteModel:
    retry_policy = RetryPolicy(timeout_s=0.5, sleep=pauses)
    return build_ollama_embedder(base_url=scripted_server.url, dimensions=32, retry_policy=retry_policy)


def rows(*vectors: list[float]) -> dict[str, object]:
    return {"data": [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]}


def test_openai_is_asked_with_key_model_and_dimensions(
    openai: RemoteModel, scripted_server: ScriptedServer
) -> None:
    scripted_server.on(EMBEDDINGS, json_answer(rows([3.0, 4.0])))

    vectors = openai.embed(["a cat"])

    request = scripted_server.requests[0]
    assert vectors == [[0.6, 0.8]]
    assert request.headers["authorization"] == "Bearer sk-test"
    assert request.json == {
        "model": "text-embedding-3-small",
        "input": ["a cat"],
        "encoding_format": "float",
        "dimensions": 2,
    }


def test_openai_vectors_are_put_in_order_by_their_index(
    openai: RemoteModel, scripted_server: ScriptedServer
) -> None:
    shuffled = {"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}
    scripted_server.on(EMBEDDINGS, json_answer(shuffled))

    vectors = openai.embed(["first", "second"])

    assert vectors == [[1.0, 0.0], [0.0, 1.0]]


def test_the_models_own_dimensions_are_not_sent(scripted_server: ScriptedServer) -> None:
    embedder = build_openai_embedder(api_key="", base_url=f"{scripted_server.url}/v1")
    scripted_server.on(EMBEDDINGS, json_answer(rows([1.0] * 1536)))

    vectors = embedder.embed(["a cat"])

    assert embedder.dimensions == len(vectors[0]) == 1536
    assert "dimensions" not in scripted_server.requests[0].json
    assert "authorization" not in scripted_server.requests[0].headers


def test_ollama_is_asked_for_its_dimensions(ollama: RemoteModel, scripted_server: ScriptedServer) -> None:
    scripted_server.on(EMBED, json_answer({"embeddings": [[1.0] * 32]}))

    vectors = ollama.embed(["a cat"])

    assert math.hypot(*vectors[0]) == pytest.approx(1.0)
    assert scripted_server.requests[0].json == {
        "model": "qwen3-embedding",
        "input": ["a cat"],
        "dimensions": 32,
        "truncate": True,
    }


@pytest.mark.parametrize("dimensions", [31, 1025])
def test_ollama_dimensions_outside_its_range_are_refused(dimensions: int) -> None:
    with pytest.raises(ValueError, match="32 to 1024"):
        build_ollama_embedder(dimensions=dimensions)


def test_many_texts_go_in_requests_of_64(openai: RemoteModel, scripted_server: ScriptedServer) -> None:
    scripted_server.on(EMBEDDINGS, *(json_answer(rows(*[[1.0, 0.0]] * count)) for count in (64, 64, 2)))

    vectors = openai.embed([f"text {number}" for number in range(130)])

    assert len(vectors) == 130
    assert [len(request.json["input"]) for request in scripted_server.requests] == [64, 64, 2]
    assert scripted_server.requests[2].json["input"] == ["text 128", "text 129"]


def test_no_texts_are_no_request(openai: RemoteModel, scripted_server: ScriptedServer) -> None:
    assert openai.embed([]) == []
    assert scripted_server.requests == []


@pytest.mark.parametrize(
    "trouble",
    [
        status(500),
        status(429),
        garbage(),
        hang_up(),
        json_answer(rows()),
        json_answer(rows([1.0, 0.0], [0.0, 1.0])),
        json_answer(rows([1.0, 0.0, 0.0])),
        json_answer(rows([0.0, 0.0])),
        json_answer({"data": [{"index": 0, "embedding": ["1", None]}]}),
        json_answer({"data": [{"index": 0, "embedding": [float("nan"), 1]}]}),
        json_answer({"data": [{"index": 7, "embedding": [1, 0]}]}),
        json_answer({"data": "none"}),
    ],
    ids=["500", "429", "garbage", "hang up", "none", "two", "wrong size", "zeros", "no numbers",
         "nan", "wrong index", "no list"],
)  # fmt: skip
def test_trouble_that_passes_is_tried_again(
    openai: RemoteModel, scripted_server: ScriptedServer, pauses: Pauses, trouble: object
) -> None:
    scripted_server.on(EMBEDDINGS, trouble, json_answer(rows([1.0, 0.0])))  # type: ignore[arg-type]

    vectors = openai.embed(["a cat"])

    assert vectors == [[1.0, 0.0]]
    assert pauses.seconds == [0.5]


def test_one_that_says_nothing_in_its_time_is_not_waited_for_again(
    openai: RemoteModel, scripted_server: ScriptedServer, pauses: Pauses
) -> None:
    scripted_server.on(EMBEDDINGS, silent(30), json_answer(rows([1.0, 0.0])))

    with pytest.raises(RetryableError, match="no complete answer"):
        openai.embed(["a cat"])

    assert pauses.seconds == []


def test_after_three_retries_the_error_stands(
    openai: RemoteModel, scripted_server: ScriptedServer, pauses: Pauses
) -> None:
    scripted_server.always(EMBEDDINGS, status(503))

    with pytest.raises(RetryableError, match="503"):
        openai.embed(["a cat"])

    assert pauses.seconds == [0.5, 2.0, 8.0]
    assert len(scripted_server.requests) == 4


@pytest.mark.parametrize("code", [400, 401, 403])
def test_a_refusal_is_not_tried_again(
    openai: RemoteModel, scripted_server: ScriptedServer, pauses: Pauses, code: int
) -> None:
    scripted_server.always(EMBEDDINGS, status(code))

    with pytest.raises(PermanentError):
        openai.embed(["a cat"])

    assert len(scripted_server.requests) == 1
    assert pauses.seconds == []


@pytest.mark.parametrize("asked, waited", [("1", 1.0), ("3600", 8.0), ("", 0.5)])
def test_a_provider_may_ask_for_a_longer_pause_but_not_for_an_hour(
    openai: RemoteModel, scripted_server: ScriptedServer, pauses: Pauses, asked: str, waited: float
) -> None:
    scripted_server.on(EMBEDDINGS, status(429, retry_after=asked), json_answer(rows([1.0, 0.0])))

    openai.embed(["a cat"])

    assert pauses.seconds == [waited]
