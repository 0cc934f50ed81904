"""A person reads, deletes and brings back what assistants wrote about them."""

from __future__ import annotations

import pytest
from django.test import Client

from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memory_files.conftest import Tool, file_of, tool_of
from tests.memory_files.test_holding import ORDER
from tests.visitors import count_queries, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/files/"
NOTES = "/memories/notes.txt"
MOST_QUERIES = 14


@pytest.fixture
def tool(acme: Team) -> Tool:
    return tool_of(acme)


@pytest.fixture
def alice(acme: Team) -> Client:
    return visitor(acme.owner)


def page_of(team: Team, path: str = "notes.txt") -> str:
    return f"{PAGE}{file_of(team, path).pk}/"


def test_the_list_shows_the_files_and_the_trash(alice: Client, tool: Tool) -> None:
    assert "No files yet" in text_of(alice.get(PAGE))
    tool("create", path=NOTES, file_text="Likes <b>tea</b>")
    tool("create", path="/memories/old.txt", file_text="x")
    tool("delete", path="/memories/old.txt")

    text = text_of(alice.get(PAGE))

    assert NOTES in text
    assert text.index("Trash") < text.index("/memories/old.txt")


def test_a_file_is_read_with_what_it_said_before(alice: Client, tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="Likes <b>tea</b>")
    tool("str_replace", path=NOTES, old_str="<b>tea</b>", new_str="coffee")

    page = alice.get(page_of(acme))

    assert "Likes coffee" in text_of(page) and "Edited" in text_of(page)
    assert "Likes &lt;b&gt;tea&lt;/b&gt;" in page.content.decode()


def test_a_deleted_file_is_out_of_reach_until_it_is_brought_back(
    alice: Client, tool: Tool, acme: Team
) -> None:
    tool("create", path=NOTES, file_text="x")
    page = page_of(acme)

    assert alice.post(f"{page}delete/").status_code == 302
    assert tool("view", path=NOTES).startswith("!The path")
    alice.post(f"{page}restore/")

    assert tool("view", path=NOTES).endswith("     1\tx")


def test_a_file_does_not_come_back_over_another(alice: Client, tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="old")
    page = page_of(acme)
    alice.post(f"{page}delete/")
    tool("create", path=NOTES, file_text="new")

    answer = alice.post(f"{page}restore/", follow=True)

    assert "another file at its path" in text_of(answer)
    assert tool("view", path=NOTES).endswith("     1\tnew")


def test_deleted_for_good_is_gone_with_its_versions(alice: Client, tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="x")

    alice.post(f"{page_of(acme)}purge/")

    with tenant_scope(acme.tenant):
        assert not MemoryFile.objects.for_tenant(acme.tenant).exists()
        assert not MemoryFileVersion.objects.for_tenant(acme.tenant).exists()


def test_the_person_lets_agents_read_exactly_what_they_saw(alice: Client, tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text=ORDER)
    page = page_of(acme)
    assert "reads like an order" in text_of(alice.get(page))
    tool("insert", path=NOTES, insert_line=0, insert_text="- Tea")

    alice.post(f"{page}allow/", {"version": "1"})
    assert "Ignore" not in tool("view", path=NOTES)
    alice.post(f"{page}allow/", {"version": "2"})

    assert tool("view", path=NOTES).splitlines()[2] == f"     2\t{ORDER}"
    tool("insert", path=NOTES, insert_line=0, insert_text="- Coffee")
    assert ORDER in tool("view", path=NOTES), "a passage that was allowed stays so"


def test_a_long_list_takes_no_more_queries(alice: Client, tool: Tool) -> None:
    for number in range(12):
        tool("create", path=f"/memories/{number}.txt", file_text="x")

    assert count_queries(alice, PAGE) <= MOST_QUERIES
