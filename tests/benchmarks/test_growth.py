"""What is carried on from measured costs: the same questions as the product asks, and straight lines."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from benchmarks import growth
from benchmarks.growth import Cost, Measured, Use, extrapolate, list_limits, name_step
from nebo.jobs import periodic

MEASURED = Measured(
    turn=Cost(30.0, 150.0, 40.0, 60_000.0, 15_000.0, 20.0),
    search=Cost(12.0, 2.0, 8.0, 2_000.0, 300.0, 3.0),
    chunk_bytes=3_600.0,
    largest_chunk_bytes=1_800.0,
    count_s=0.001,
    find_due_s=0.05,
)
USE = Use(10, 1_000, 0.1, 20, 4.0, 16, 64.0, 4_000.0, 0.6, 4.0)


def test_the_questions_are_those_of_the_product() -> None:
    daily = {
        one.name
        for one in periodic.list_periodic_actions()
        if "every" in inspect.getclosurevars(one.action).nonlocals
    }

    assert growth.FIND_DUE == periodic.FIND_DUE
    assert growth.TENANTS_A_ROUND == periodic.TENANTS_A_ROUND
    assert periodic.LOOK_EVERY.total_seconds() == growth.ROUND_S
    assert set(growth.DAILY) == daily


def test_ten_times_the_tenants_cost_ten_times_as_much() -> None:
    one, ten = (extrapolate(MEASURED, USE, tenants) for tenants in (1_000, 10_000))

    assert ten.chunks == 100_000_000
    assert ten.disk_gb == pytest.approx(10 * one.disk_gb) == pytest.approx(750.0)
    assert ten.database_cores == pytest.approx(10 * one.database_cores)
    assert ten.days_to_freeze == pytest.approx(one.days_to_freeze / 10)


def test_the_cheapest_step_that_carries_it_is_named() -> None:
    def name(tenants: int, use: Use = USE) -> str:
        return name_step(extrapolate(MEASURED, use, tenants), use)

    assert name(10) == "one machine"
    assert name(20_000) == "a bigger machine"
    assert name(100_000) == "Citus, 6 servers"
    assert name(100_000, replace(USE, memory_gb=10_000.0, disk_gb=10_000.0, cores=7)) == "a read replica"


def test_a_limit_lies_where_one_tenants_share_has_filled_it() -> None:
    limits = {str(name): float(str(tenants)) for name, _, tenants in list_limits(MEASURED, USE)}

    assert limits["one server's disk"] == pytest.approx(4_000e9 / (10_000 * 7_500))
    assert limits["daily jobs handed out"] == 288_000
