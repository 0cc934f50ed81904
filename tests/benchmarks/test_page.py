"""What a run writes."""

import pytest

from benchmarks import bare
from benchmarks.client import Answer
from benchmarks.latency import Floor, Person, Size
from benchmarks.load import Load
from benchmarks.page import (
    render_ingest,
    render_jobs,
    render_latency,
    render_parts,
    render_ratios,
    replace_between,
)
from benchmarks.server import ROOT
from benchmarks.tables import render_table
from benchmarks.timing import Spread
from search.indexing.passages import EMBED_BATCH


def load(ms: float, **parts: float) -> Load:
    return Load([Answer({}, ms, parts)] * 4, seconds=2)


def size(floor: Floor | None = None, **parts: float) -> Size:
    loads = {("search", 1): load(10.0, **parts), ("search", 8): load(30.0), ("context", 1): load(12.0)}
    return Size(Person("ada", "s", 1_000, 10, 20), loads, floor)


def cells(table: str) -> list[list[str]]:
    """A table's rows without its rule."""
    lines = table.splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_columns_are_aligned_and_what_was_not_measured_is_a_dash() -> None:
    table = render_table(["who", "share", "ms"], [["ada", 0.12345, 1234.5], ["benjamin", None, 12.34]])

    assert table == (
        "| who      | share |    ms |\n"
        "| -------- | ----: | ----: |\n"
        "| ada      | 0.123 | 1,234 |\n"
        "| benjamin |     – |  12.3 |"
    )


def test_latency_has_a_row_for_each_call_and_number_of_clients() -> None:
    assert cells(render_latency([size()]))[1:] == [
        ["search", "1,000", "1", "10.0", "10.0", "10.0", "1.000", "2.0"],
        ["search", "1,000", "8", "30.0", "30.0", "30.0", "1.000", "2.0"],
        ["context", "1,000", "1", "12.0", "12.0", "12.0", "1.000", "2.0"],
    ]


def test_ratios_stand_against_the_floor_and_against_search() -> None:
    floor = Floor(998, Spread(3.0, 3.0, 3.0, 1), Spread(2.0, 2.0, 2.0, 1), 60.0)

    assert cells(render_ratios([size(floor), size()]))[1:] == [
        ["998", "3.0", "2.0", "5.0", "10.0", "2.0", "1.2"],
        ["1,000", "–", "–", "–", "10.0", "–", "1.2"],
    ]


def test_what_the_server_does_not_name_is_http_and_the_rest() -> None:
    told = cells(render_parts([size(embed=3.0, sql=2.0)]))

    assert told[0] == ["call", "chunks", "embed", "sql", "HTTP and the rest", "all"]
    assert told[1:] == [
        ["search", "1,000", "3.0", "2.0", "5.0", "10.0"],
        ["context", "1,000", "–", "–", "12.0", "12.0"],
    ]
    assert "does not say" in render_parts([size()])


def test_ingest_counts_messages_not_calls() -> None:
    assert cells(render_ingest([size()], {8: load(5.0)}))[1:] == [
        ["2 a call, 8 clients, learned from", "4.0", "–", "–", "–"],
        ["100 a call, 1 client, 1,000 in all", "100", "50.0", "–", "–"],
    ]


def test_ingest_with_vectors_stands_beside_the_embedder_alone() -> None:
    floor = Floor(1_000, Spread(3.0, 3.0, 3.0, 1), Spread(2.0, 2.0, 2.0, 1), 62.5)

    assert cells(render_ingest([size(floor)], {}))[1:] == [
        ["100 a call, 1 client, 1,000 in all", "100", "50.0", "62.5", "0.800"],
    ]


def test_the_embedder_alone_is_given_batches_as_the_job_makes_them() -> None:
    assert bare.BATCH == EMBED_BATCH


BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"


def test_only_what_stands_between_the_markers_is_written_anew() -> None:
    page = f"# Title\n\n{BEGIN}\nold\n{END}\n\nend\n"

    once = replace_between(page, "new")

    assert once == f"# Title\n\n{BEGIN}\n\nnew\n\n{END}\n\nend\n"
    assert replace_between(once, "new") == once


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="benchmarks: begin"):
        replace_between(f"{END}{BEGIN}", "new")


def test_our_own_page_can_be_written() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")

    assert "\nfresh\n" in replace_between(page, "fresh")
    assert "\nfresh\n" in replace_between(page, "fresh", "beside")
    assert "\nfresh\n" in replace_between(page, "fresh", "scale")
    assert "\nfresh\n" in replace_between(page, "fresh", "steady")


def test_jobs_are_told_by_the_second() -> None:
    told = render_jobs({"jobs": 1000, "enqueued_s": 5.0, "drained_s": 10.0})

    assert "at 200 a second" in told
    assert "at 100 a second" in told
