"""What is redacted for good stands in no file of an assistant."""

from __future__ import annotations

from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import caller
from tests.memory_files.conftest import Tool


def test_words_that_are_redacted_for_good_leave_files_and_their_versions(tool: Tool, acme: Team) -> None:
    call = caller(acme)
    session = call("POST", "sessions/", {"user": "alice", "key": "notes"}).json()["id"]
    turn = {"messages": [{"role": "user", "content": "My locker is behind the zanzibar door"}]}
    message = call("POST", f"sessions/{session}/turns/", turn).json()["messages"][0]["id"]
    tool("create", path="/memories/zanzibar.md", file_text="- Locker: zanzibar door\n- Likes tea")
    tool("str_replace", path="/memories/zanzibar.md", old_str="tea", new_str="coffee")

    call("POST", f"sessions/{session}/messages/{message}/redact/", {"words": ["zanzibar"]})

    with tenant_scope(acme.tenant):
        file = MemoryFile.objects.for_tenant(acme.tenant).get()
        versions = MemoryFileVersion.objects.for_tenant(acme.tenant).filter(file=file)
        kept = [file.path, file.text, *(text for one in versions for text in (one.path, one.text))]
    assert "- Likes coffee" in file.text
    assert not [text for text in kept if "zanzibar" in text]
