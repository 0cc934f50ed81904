"""The six commands answer with the strings of Anthropic's documentation."""

from __future__ import annotations

import pytest
from django.utils import timezone

from nebo.product.memory_files.limits import MOST_CHARS, MOST_FILES, MOST_VERSIONS
from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import caller
from tests.memory_files.conftest import Tool, file_of, tool_of

NOTES = "/memories/notes.txt"
HEAD = (
    "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:\n"
)


def test_the_folder_of_somebody_unknown_is_empty_and_makes_nobody(db: None, acme: Team) -> None:
    tool = tool_of(acme, "newcomer")

    assert tool("view", path="/memories") == HEAD.format("/memories") + "0B\t/memories"
    assert tool("view", path=NOTES) == f"!The path {NOTES} does not exist. Please provide a valid path."
    assert tool("delete", path=NOTES) == f"!Error: The path {NOTES} does not exist"
    with tenant_scope(acme.tenant):
        assert not UserProfile.objects.for_tenant(acme.tenant).filter(external_id="newcomer").exists()


def test_a_file_is_created_once_and_viewed_with_line_numbers(tool: Tool) -> None:
    assert (
        tool("create", path=NOTES, file_text="Hello\n  World\n") == f"File created successfully at: {NOTES}"
    )
    assert tool("create", path=NOTES, file_text="x") == f"!Error: File {NOTES} already exists"

    seen = tool("view", path=NOTES)

    assert (
        seen == f"Here's the content of {NOTES} with line numbers:\n     1\tHello\n     2\t  World\n     3\t"
    )
    assert tool("view", path=NOTES, view_range=[2, 2]).splitlines()[1:] == ["     2\t  World"]
    assert tool("view", path=NOTES, view_range=[2, -1]).splitlines()[1:] == ["     2\t  World", "     3\t"]


def test_a_folder_is_listed_two_levels_deep_with_sizes_and_without_hidden_files(tool: Tool) -> None:
    for path, text in (
        ("b.txt", "x" * 1536), ("a/one.md", "1"), ("a/deep/two.md", "22"), (".hidden", "h"),
        ("node_modules/x.js", "n"), ("a/.git/config", "g"),
    ):  # fmt: skip
        tool("create", path=f"/memories/{path}", file_text=text)

    assert tool("view", path="/memories") == HEAD.format("/memories") + "\n".join(
        [
            "1.5K\t/memories",
            "3B\t/memories/a/",
            "2B\t/memories/a/deep/",
            "1B\t/memories/a/one.md",
            "1.5K\t/memories/b.txt",
        ]
    )
    assert tool("view", path="/memories/a") == HEAD.format("/memories/a") + "\n".join(
        ["3B\t/memories/a", "2B\t/memories/a/deep/", "2B\t/memories/a/deep/two.md", "1B\t/memories/a/one.md"]
    )


def test_the_one_place_of_a_text_is_replaced(tool: Tool) -> None:
    tool("create", path=NOTES, file_text="".join(f"line {n}\n" for n in range(1, 10)) + "blue, blue\n")

    answer = tool("str_replace", path=NOTES, old_str="line 5", new_str="line five")

    assert answer.startswith("The memory file has been edited.")
    assert [line for line in answer.splitlines() if "\t" in line] == [
        "     3\tline 3",
        "     4\tline 4",
        "     5\tline five",
        "     6\tline 6",
        "     7\tline 7",
    ]
    assert tool("str_replace", path=NOTES, old_str="green", new_str="red") == (
        f"!No replacement was performed, old_str `green` did not appear verbatim in {NOTES}."
    )
    assert tool("str_replace", path=NOTES, old_str="blue", new_str="red") == (
        "!No replacement was performed. Multiple occurrences of old_str `blue` in lines: 10, 10. "
        "Please ensure it is unique"
    )
    assert tool("str_replace", path="/memories/other", old_str="a", new_str="b") == (
        "!Error: The path /memories/other does not exist. Please provide a valid path."
    )
    assert tool("str_replace", path=NOTES, old_str="line 9\n").startswith("The memory file has been edited.")
    assert "line 9" not in tool("view", path=NOTES)


def test_a_line_is_inserted(tool: Tool) -> None:
    tool("create", path=NOTES, file_text="one\nthree")

    assert (
        tool("insert", path=NOTES, insert_line=1, insert_text="two\n") == f"The file {NOTES} has been edited."
    )
    assert tool("insert", path=NOTES, insert_line=0, insert_text="zero").startswith("The file")

    assert [line[7:] for line in tool("view", path=NOTES).splitlines()[1:]] == [
        "zero",
        "one",
        "two",
        "three",
        "",
    ]
    for line in (-1, 5):
        assert tool("insert", path=NOTES, insert_line=line, insert_text="x") == (
            f"!Error: Invalid `insert_line` parameter: {line}. "
            "It should be within the range of lines of the file: [0, 4]"
        )
    assert tool("insert", path="/memories/no", insert_line=0, insert_text="x") == (
        "!Error: The path /memories/no does not exist"
    )


def test_a_folder_goes_with_all_that_is_in_it(tool: Tool) -> None:
    for path in ("a/1", "a/b/2", "ab"):
        tool("create", path=f"/memories/{path}", file_text="x")

    assert tool("delete", path="/memories/a") == "Successfully deleted /memories/a"

    assert tool("view", path="/memories").splitlines()[1:] == ["1B\t/memories", "1B\t/memories/ab"]
    assert tool("delete", path="/memories/a") == "!Error: The path /memories/a does not exist"
    assert tool("delete", path="/memories") == "!Cannot delete the /memories directory itself"
    assert tool("create", path="/memories/a", file_text="now a file").startswith("File created")


def test_a_file_and_a_folder_are_renamed(tool: Tool) -> None:
    for path in ("a/1", "a/b/2", "c"):
        tool("create", path=f"/memories/{path}", file_text="x")

    assert (
        tool("rename", old_path="/memories/a", new_path="/memories/z/y")
        == "Successfully renamed /memories/a to /memories/z/y"
    )

    assert tool("view", path="/memories/z/y/b/2").endswith("     1\tx")
    assert (
        tool("rename", old_path="/memories/a", new_path="/memories/q")
        == "!Error: The path /memories/a does not exist"
    )
    for taken in ("/memories/z", "/memories/z/y/1", "/memories"):
        assert tool("rename", old_path="/memories/c", new_path=taken) == (
            f"!Error: The destination {taken} already exists"
        )
    assert tool("rename", old_path="/memories/z", new_path="/memories/z/in").startswith("!Error")
    assert tool("rename", old_path="/memories", new_path="/memories/z").startswith("!Cannot rename")


def test_a_folder_is_no_file_and_a_file_no_folder(tool: Tool) -> None:
    tool("create", path="/memories/a/1", file_text="x")

    assert tool("create", path="/memories/a", file_text="x") == "!Error: File /memories/a already exists"
    assert tool("create", path="/memories/a/1/2", file_text="x").startswith("!Error: /memories/a/1 is a file")
    assert tool("str_replace", path="/memories/a", old_str="x", new_str="y") == (
        "!Error: The path /memories/a does not exist. Please provide a valid path."
    )
    assert tool("insert", path="/memories/a", insert_line=0, insert_text="y") == (
        "!Error: The path /memories/a does not exist"
    )


@pytest.mark.parametrize(
    "path",
    ["/memories/../secrets", "/memories/a/../../b", "/memories/%2e%2e/b", "/memories/%252e%252e%252fb", "/etc",
     "/memories\\..\\b", "/memoriesx/a", "memories/a", "/memories/\u2025/b", "/memories/.", "/memories/a\x07b",
     "/memories/a\u202eb", "/memories/" + "n" * 101, "/memories/" + "d/" * 11 + "f", "/memories/ a"],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(tool: Tool, path: str) -> None:
    for command, more in (("view", {}), ("create", {"file_text": "x"}), ("delete", {})):
        assert tool(command, path=path, **more).startswith("!Error: ")
    tool("create", path="/memories/mine", file_text="x")
    assert tool("rename", old_path="/memories/mine", new_path=path).startswith("!Error: ")


def test_a_body_without_what_its_command_needs_names_the_field(db: None, acme: Team) -> None:
    call = caller(acme)

    missing = call("POST", "users/alice/memory-tool/", {"command": "insert", "path": NOTES})
    wrong = call("POST", "users/alice/memory-tool/", {"command": "format", "path": NOTES})

    assert missing.status_code == wrong.status_code == 400
    assert {error["pointer"] for error in missing.json()["errors"]} == {"#/insert_line", "#/insert_text"}


def test_whoever_may_only_read_can_view_alone(db: None, acme: Team) -> None:
    tool_of(acme)("create", path=NOTES, file_text="x")
    call = caller(acme, scopes=("read",))

    assert call("POST", "users/alice/memory-tool/", {"command": "view", "path": NOTES}).status_code == 200
    refused = call("POST", "users/alice/memory-tool/", {"command": "delete", "path": NOTES})
    assert refused.status_code == 403
    assert file_of(acme, "notes.txt").deleted_at is None


def test_a_personas_agents_have_a_folder_of_their_own(db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        coach, critic = (
            Persona.objects.for_tenant(acme.tenant).create(slug=slug) for slug in ("coach", "critic")
        )
    tools = [tool_of(acme, speaks=Speaks(one.pk)) for one in (coach, critic)] + [tool_of(acme)]

    for number, tool in enumerate(tools):
        tool("create", path=NOTES, file_text=f"secret of {number}")

    for number, tool in enumerate(tools):
        assert tool("view", path=NOTES).endswith(f"     1\tsecret of {number}")


def test_another_persons_key_finds_nothing_and_another_person_has_a_folder_of_their_own(
    db: None, acme: Team
) -> None:
    tool_of(acme)("create", path=NOTES, file_text="x")
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
    stranger = caller(acme, person=bob)

    answer = stranger("POST", "users/alice/memory-tool/", {"command": "view", "path": NOTES})

    assert answer.status_code == 404
    assert tool_of(acme, "bob")("view", path="/memories").endswith("\n0B\t/memories")


def test_where_people_are_not_remembered_the_tool_says_so(db: None, acme: Team) -> None:
    tool = tool_of(acme)
    tool("create", path=NOTES, file_text="x")
    call = caller(acme, scopes=("admin",))
    assert call("PATCH", "settings/", {"user_memory": False}).status_code == 200

    assert tool("view", path=NOTES) == "!User memory is switched off in this workspace."
    assert tool("create", path="/memories/more", file_text="x").startswith("!User memory")


def test_files_are_bounded_in_size_and_number(tool: Tool, acme: Team) -> None:
    assert tool("create", path=NOTES, file_text="x" * (MOST_CHARS + 1)).startswith("!Error: The file")
    assert tool("create", path=NOTES, file_text="x\n" * 1_001).startswith("!Error: The file")
    tool("create", path=NOTES, file_text="x" * MOST_CHARS)
    assert tool("insert", path=NOTES, insert_line=1, insert_text="y").startswith("!Error: The file")
    with tenant_scope(acme.tenant):
        MemoryFile.objects.for_tenant(acme.tenant).bulk_create(
            MemoryFile(
                tenant=acme.tenant,
                person=acme.person,
                path=f"{n}.txt",
                updated_at=timezone.now(),
            )
            for n in range(MOST_FILES - 1)
        )
    assert tool("create", path="/memories/more", file_text="x").startswith("!Error: There are 200 files")


def test_every_edit_keeps_what_stood_there_before(tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="one")
    tool("str_replace", path=NOTES, old_str="one", new_str="two")
    tool("rename", old_path=NOTES, new_path="/memories/other")
    tool("delete", path="/memories/other")

    with tenant_scope(acme.tenant):
        kept = list(
            MemoryFileVersion.objects.for_tenant(acme.tenant)
            .order_by("number")
            .values_list("number", "action", "path", "text")
        )
    assert kept == [
        (1, "created", "notes.txt", "one"),
        (2, "edited", "notes.txt", "two"),
        (3, "renamed", "other", "two"),
        (4, "deleted", "other", "two"),
    ]


def test_the_oldest_versions_make_room(tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="0")
    for number in range(MOST_VERSIONS + 5):
        tool("str_replace", path=NOTES, old_str=str(number), new_str=str(number + 1))

    with tenant_scope(acme.tenant):
        assert MemoryFileVersion.objects.for_tenant(acme.tenant).count() == MOST_VERSIONS
