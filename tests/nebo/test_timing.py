"""Where a request's time goes."""

import contextlib
import time

from nebo.timing import collect_timings, span


def work(seconds: float) -> None:
    """Busy, so that the time is surely taken."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def test_spans_share_the_time_and_count_none_of_it_twice() -> None:
    began = time.perf_counter()
    with collect_timings() as timings, span("rank"):
        with span("sql"):
            work(0.01)
        with span("sql"):
            work(0.01)
    ms = (time.perf_counter() - began) * 1000

    assert timings.parts["sql"] >= 20
    assert 0 < sum(timings.parts.values()) <= ms


def test_a_span_that_fails_is_counted_all_the_same() -> None:
    began = time.perf_counter()
    with collect_timings() as timings, span("outer"), contextlib.suppress(ValueError), span("inner"):
        work(0.005)
        raise ValueError
    ms = (time.perf_counter() - began) * 1000

    assert timings.parts["inner"] >= 5
    assert sum(timings.parts.values()) <= ms


def test_nobody_collects_nothing_is_kept() -> None:
    with span("rank"):
        pass

    with collect_timings() as timings:
        pass

    assert timings.parts == {}
    assert timings.as_header() == ""


def test_a_header_names_each_part_in_milliseconds() -> None:
    with collect_timings() as timings:
        timings.parts |= {"embed": 4.216, "sql": 3.0}

    assert timings.as_header() == "embed;dur=4.22, sql;dur=3.00"
