"""Plans that are pinned once for a row of statements."""

from __future__ import annotations

import pytest
from django.db import connection

from nebo.postgres.prepared import PIN_IN_ORDER, Statement, fetch_rows, number_parameters, plans_held

SETTINGS = """SELECT current_setting('plan_cache_mode'), current_setting('enable_seqscan'),
       current_setting('enable_bitmapscan')"""
LOOK = number_parameters(SETTINGS)
LOOK_IN_ORDER = Statement(LOOK.sql, LOOK.names, PIN_IN_ORDER)

pytestmark = pytest.mark.django_db


def settings_now() -> tuple[str, ...]:
    """Those that a statement of Django's own meets."""
    with connection.cursor() as cursor:
        cursor.execute(SETTINGS)
        found: tuple[str, ...] = cursor.fetchone()
    return found


def test_statements_are_pinned_within_and_nothing_is_after_it() -> None:
    before = settings_now()

    with plans_held():
        alone = settings_now()
        first, second = fetch_rows(LOOK, {}), fetch_rows(LOOK, {})

    assert alone == before
    assert first == second == [(first[0][0], "off", "on")]
    assert first[0][0] != "auto"
    assert settings_now() == before


def test_settings_of_another_kind_are_taken_back_and_the_usual_ones_set_anew() -> None:
    before = settings_now()

    with plans_held():
        found = [fetch_rows(one, {})[0][1:] for one in (LOOK, LOOK_IN_ORDER, LOOK, LOOK)]

    assert found == [("off", "on"), ("off", "off"), ("off", "on"), ("off", "on")]
    assert settings_now() == before


def test_an_error_ends_it() -> None:
    with pytest.raises(LookupError), plans_held():
        fetch_rows(LOOK, {})
        raise LookupError

    assert fetch_rows(LOOK, {})[0][1] == "off"
    assert settings_now()[1] == "on"


def test_a_row_within_a_row_is_the_same_row() -> None:
    with plans_held():
        fetch_rows(LOOK, {})
        with plans_held():
            inner = fetch_rows(LOOK, {})
        outer = fetch_rows(LOOK, {})

    assert inner == outer
    assert settings_now()[1] == "on"
