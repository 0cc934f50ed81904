"""A provider that fails is left alone, and tried again by one call."""

from __future__ import annotations

from contextlib import suppress

import pytest

from nebo.llm.breakers import Breaker, Use, breaker_of, forget_breakers, listen
from nebo.llm.errors import (
    AllModelsFailed,
    PermanentError,
    ProviderError,
    ProviderResting,
    RetryableError,
    seconds_of_rest,
)
from nebo.llm.routing import complete
from nebo.llm.types import ChatRequest
from tests.llm.fake_model import FakeModel


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def breaker(use: Use = "embedding", limit: int = 1) -> tuple[Breaker, Clock]:
    clock = Clock()
    return Breaker(use, "openai", "x", limit, clock=clock), clock


def busy(retry_after_s: float | None = None) -> RetryableError:
    return RetryableError("openai", "x", "busy (429)", kind="busy", status=429, retry_after_s=retry_after_s)


def fail(one: Breaker, error: ProviderError | None = None) -> None:
    with suppress(ProviderError), one.ask():
        raise error or busy()


def test_after_a_failure_nobody_asks_until_the_pause_is_over() -> None:
    one, clock = breaker()

    fail(one)

    with pytest.raises(ProviderResting, match="since it failed") as caught, one.ask():
        pytest.fail("it was asked")
    assert caught.value.retry_after_s == 5.0
    clock.now += 5.0
    with one.ask() as tries:
        assert tries
    assert not one.is_open


def test_one_tries_while_the_others_wait_for_how_that_ends() -> None:
    one, clock = breaker()
    fail(one)
    clock.now += 5.0

    with one.ask(), pytest.raises(ProviderResting), one.ask():
        pytest.fail("two tried")

    with one.ask() as tries:
        assert not tries


def test_pauses_grow_up_to_half_a_minute_and_begin_anew_after_a_success() -> None:
    one, clock = breaker()
    pauses = []
    for _ in range(6):
        fail(one)
        pauses.append(one.rests_s)
        clock.now += one.rests_s

    with one.ask():
        pass
    fail(one)

    assert pauses == [5.0, 10.0, 20.0, 30.0, 30.0, 30.0]
    assert one.rests_s == 5.0


@pytest.mark.parametrize(("asked_for", "pause"), [(2.0, 5.0), (40.0, 40.0), (3_600.0, 60.0)])
def test_a_provider_that_says_how_long_is_left_alone_so_long(asked_for: float, pause: float) -> None:
    one, _ = breaker()

    fail(one, busy(retry_after_s=asked_for))

    assert one.rests_s == pause


def test_what_is_wrong_with_the_words_sent_says_nothing_about_the_provider() -> None:
    one, _ = breaker()

    fail(one, PermanentError("openai", "x", "too long (413)", kind="refused", status=413))

    assert not one.is_open


def test_an_error_of_our_own_while_trying_lets_the_next_one_try() -> None:
    one, clock = breaker()
    fail(one)
    clock.now += 5.0

    with suppress(KeyError), one.ask():
        raise KeyError("ours")

    with one.ask() as tries:
        assert tries


def test_who_listens_hears_when_it_opens_and_closes() -> None:
    heard: list[str] = []
    listen(lambda one: heard.append(one.reason) if one.model == "heard" else None)
    one = breaker_of("embedding", provider="openai", model="heard")

    fail(one)
    one._asked_again_at = 0.0
    fail(one)
    one._asked_again_at = 0.0
    with one.ask():
        pass

    assert heard == ["busy (429)", ""]


def test_a_failing_chat_model_gets_a_job_s_first_attempt_and_then_rest(request_for_json: ChatRequest) -> None:
    model = FakeModel([busy() for _ in range(8)])

    failures = [find_failure(request_for_json, model) for _ in range(3)]

    assert len(model.requests) == 4
    assert [seconds_of_rest(one) is not None for one in failures] == [False, True, True]
    assert "not asked" in str(failures[-1])


def test_while_one_model_rests_the_next_one_answers(request_for_json: ChatRequest) -> None:
    broken = FakeModel([busy() for _ in range(4)], model="broken")
    good = FakeModel(["tea", "tea"], model="good")

    replies = [complete(request_for_json, models=[broken, good], backoff_s=(0.0, 0.0, 0.0)) for _ in range(2)]

    assert [reply.text for reply in replies] == ["tea", "tea"]
    assert len(broken.requests) == 4


def test_bad_answers_to_one_question_keep_no_other_from_a_chat_model(request_for_json: ChatRequest) -> None:
    bad = RetryableError("fake", "fake-1", "its answer has no text", kind="unreadable")
    model = FakeModel([bad] * 4 + ["tea"])

    find_failure(request_for_json, model)

    assert complete(request_for_json, models=[model]).text == "tea"


def test_once_forgotten_all_may_be_asked() -> None:
    fail(breaker_of("embedding", provider="openai", model="x"))

    forget_breakers()

    assert breaker_of("embedding", provider="openai", model="x").rests_s == 0.0


def find_failure(request: ChatRequest, model: FakeModel) -> AllModelsFailed:
    with pytest.raises(AllModelsFailed) as caught:
        complete(request, models=[model], backoff_s=(0.0, 0.0, 0.0))
    return caught.value
