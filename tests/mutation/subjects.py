"""Which modules are tried, and the tests that are to notice whatever is wrong with them.

Of these tests a change is shown to those that pass its line, so a file too many costs little; one too few makes a
change look unnoticed.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """Modules, files of tests, and those that take so long that they are asked last, about what no other noticed."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    dear: tuple[str, ...] = ()


SUBJECTS = {
    "tenancy": Subject(
        (
            "nebo/tenants/scoping.py",
            "nebo/tenants/access.py",
            "nebo/tenants/places.py",
            "nebo/tenants/selectors.py",
            "nebo/tenants/middleware.py",
        ),
        (
            "tests/tenants/test_walls.py",
            "tests/tenants/test_bulk.py",
            "tests/tenants/test_keys.py",
            "tests/tenants/test_selectors.py",
            "tests/tenants/test_services.py",
            "tests/dashboard/test_people_in_addresses.py",
        ),
        dear=(
            "tests/tenants/test_admin.py",
            "tests/dashboard/test_access.py",
            "tests/api/test_isolation_table.py",
            "tests/api/test_isolation_names.py",
        ),
    ),
    "authentication": Subject(
        (
            "nebo/tenants/keys.py",
            "nebo/tenants/services.py",
            "nebo/api/authentication.py",
            "nebo/api/scopes.py",
        ),
        (
            "tests/api/test_authentication.py",
            "tests/api/test_problems.py",
            "tests/tenants/test_keys.py",
            "tests/tenants/test_services.py",
            "tests/tenants/test_issue_key.py",
            "tests/workspace/test_keys.py",
        ),
    ),
    "jobs": Subject(
        ("nebo/jobs/claims.py", "nebo/jobs/outcomes.py", "nebo/jobs/services.py"),
        (
            "tests/jobs/test_claims.py",
            "tests/jobs/test_running.py",
            "tests/jobs/test_outcomes.py",
            "tests/jobs/test_enqueue.py",
            "tests/jobs/test_races.py",
            "tests/jobs/test_set_back.py",
            "tests/jobs/test_sweeper.py",
        ),
    ),
    "gate": Subject(
        ("memories/extraction/support_check.py",),
        ("tests/memories/test_support_check.py",),
        dear=(
            "tests/memories/test_support_gate.py",
            "tests/memories/test_extraction_run.py",
        ),
    ),
    "guards": Subject(
        (
            "nebo/outbound/addresses.py",
            "nebo/outbound/guarded.py",
            "nebo/api/parsers.py",
            "nebo/api/throttles.py",
            "nebo/api/shared_counts.py",
        ),
        (
            "tests/events/test_addresses.py",
            "tests/api/test_problems.py",
            "tests/api/test_shared_counts.py",
            "tests/api/test_authentication.py",
        ),
    ),
    "screening": Subject(
        ("memories/screening/orders.py", "memories/screening/checks.py"),
        (
            "tests/memories/test_orders_left_out.py",
            "tests/memories/test_sanitize.py",
            "tests/memories/test_whose_words.py",
        ),
    ),
}
