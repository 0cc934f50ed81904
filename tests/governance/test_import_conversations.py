"""Conversations that other products exported: read, counted, stored once, learned from later."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.management import CommandError, call_command

from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.product.governance.importing import command, reading
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team


def node(name: str, parent: str | None, role: str, text: str, at: float = 1_700_000_000.0) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": f"m-{name}", "author": {"role": role}, "content": content, "create_time": at}
    return {"id": name, "parent": parent, "children": [], "message": message}


def chatgpt(talk: str = "talk-1") -> dict[str, Any]:
    nodes = [
        {"id": "root", "parent": None, "children": ["s"], "message": None},
        node("s", "root", "system", "You are helpful."),
        node("q", "s", "user", "I live in Lisbon."),
        node("old", "q", "assistant", "A first answer."),
        node("new", "q", "assistant", "A second answer.", 1_700_000_060.0),
    ]
    return {"conversation_id": talk, "current_node": "new", "mapping": {one["id"]: one for one in nodes}}


CLAUDE = {
    "uuid": "c-1",
    "chat_messages": [
        {"uuid": "a", "sender": "human", "text": "I live in Lisbon.", "created_at": "2024-05-01T10:00:00Z"},
        {
            "uuid": "b",
            "sender": "assistant",
            "content": [{"type": "text", "text": "How nice!"}, {"type": "tool_use", "name": "x"}],
            "created_at": "2024-05-01T10:00:05Z",
        },
    ],
}
OPENAI = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "I live in Lisbon."}]},
        {"role": "assistant", "content": "How nice!"},
    ]
}
FORMS = {"chatgpt": [chatgpt()], "claude": [CLAUDE], "openai": OPENAI}


def run(folder: Path, source: str, value: Any, *flags: str, user: str = "ana") -> str:
    file = folder / "talks.json"
    file.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    out = io.StringIO()
    call_command(
        "import_conversations", str(file), *flags, source=source, tenant="acme", user=user, stdout=out
    )
    return out.getvalue().strip()


def stored(team: Team) -> list[tuple[str, str]]:
    with tenant_scope(team.tenant):
        rows = Message.objects.for_tenant(team.tenant).order_by("session__key", "seq")
        return list(rows.values_list("role", "content"))


@pytest.mark.parametrize("source", FORMS)
def test_a_conversation_becomes_a_session_and_twice_doubles_nothing(
    db: None, acme: Team, tmp_path: Path, source: str
) -> None:
    first = run(tmp_path, source, FORMS[source])
    again = run(tmp_path, source, FORMS[source])

    assert first.startswith("2 messages stored, 1 sessions new;")
    assert again.startswith("0 messages stored, 0 sessions new;")
    assert "2 pieces were there already" in again
    assert [role for role, _ in stored(acme)] == ["user", "assistant"]
    assert stored(acme)[0][1] == "I live in Lisbon."


def test_of_a_tree_the_branch_shown_last_is_taken_with_its_times(
    db: None, acme: Team, tmp_path: Path
) -> None:
    run(tmp_path, "chatgpt", [chatgpt()])

    assert [text for _, text in stored(acme)] == ["I live in Lisbon.", "A second answer."]
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(key="import:chatgpt:talk-1")
        assert session.started_at.timestamp() == 1_700_000_000
        last = Message.objects.for_tenant(acme.tenant).get(session=session, seq=2)
    assert last.created_at.timestamp() == 1_700_000_060


def test_reading_an_import_waits_behind_what_is_said_now(db: None, acme: Team, tmp_path: Path) -> None:
    run(tmp_path, "claude", [CLAUDE])

    with tenant_scope(acme.tenant):
        job = Job.objects.for_tenant(acme.tenant).get(kind="extract")
    assert job.lane == Lane.SUMMARY


@pytest.mark.parametrize("source", FORMS)
def test_a_dry_run_foretells_the_counts_and_makes_nobody(
    db: None, acme: Team, tmp_path: Path, source: str
) -> None:
    foretold = run(tmp_path, source, FORMS[source], "--dry-run")

    assert stored(acme) == []
    with tenant_scope(acme.tenant):
        assert not UserProfile.objects.for_tenant(acme.tenant).filter(external_id="ana").exists()
    assert foretold.replace("would be ", "") == run(tmp_path, source, FORMS[source])


def test_an_import_that_was_stopped_goes_on_and_stores_everything_once(
    db: None, acme: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks = [chatgpt(f"talk-{number}") for number in range(5)]
    store, batches = command.store_batch, []

    def stop_at_the_third(**given: Any) -> Any:
        batches.append(given)
        if len(batches) == 3:
            raise KeyboardInterrupt
        return store(**given)

    monkeypatch.setattr(command, "store_batch", stop_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "chatgpt", talks)
    assert len(stored(acme)) == 4
    monkeypatch.setattr(command, "store_batch", store)

    rest = run(tmp_path, "chatgpt", talks)

    assert rest.startswith("6 messages stored, 3 sessions new;")
    assert "4 pieces were there already" in rest
    assert len(stored(acme)) == 10


def archive(content: bytes, name: str = "conversations.json") -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return packed.getvalue()


def test_an_archive_is_read_as_it_was_downloaded(db: None, acme: Team, tmp_path: Path) -> None:
    told = run(tmp_path, "claude", archive(json.dumps([CLAUDE]).encode(), "export/conversations.json"))

    assert told.startswith("2 messages stored")


def test_an_archive_that_unpacks_to_too_much_is_refused(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 1 << 20)

    with pytest.raises(CommandError, match="At most 1 MB"):
        run(tmp_path, "chatgpt", archive(b" " * (1 << 22)))


def circle() -> dict[str, Any]:
    talk = chatgpt()
    talk["mapping"]["root"]["parent"] = "new"
    return talk


@pytest.mark.parametrize(
    ("source", "value", "place"),
    [
        ("chatgpt", {}, "#: "),
        ("chatgpt", [1], "#/0: "),
        ("chatgpt", [chatgpt(), {"id": "x"}], "#/1/mapping: "),
        ("chatgpt", [circle()], "#/0/mapping/new: The conversation runs in a circle."),
        ("chatgpt", [chatgpt(), chatgpt()], "#/1: Two conversations have this id."),
        ("claude", [{**CLAUDE, "uuid": None}], "#/0: A conversation needs an id."),
        (
            "claude",
            [CLAUDE, {"uuid": "d", "chat_messages": [{"sender": "human", "created_at": "noon"}]}],
            "#/1/chat_messages/0/created_at: This is no time.",
        ),
        ("openai", {"messages": ["hello"]}, "#/messages/0: "),
        ("openai", b"[" * 5_000, "#: "),
        ("openai", archive(b"[]", "other.json"), "#: The archive needs one conversations.json."),
        ("openai", b"PK\x03\x04 and nothing", "#: The archive can't be read."),
    ],
)
def test_a_broken_file_is_refused_by_its_place_and_nothing_is_stored(
    db: None, acme: Team, tmp_path: Path, source: str, value: Any, place: str
) -> None:
    with pytest.raises(CommandError) as refused:
        run(tmp_path, source, value)

    assert str(refused.value).startswith(place)
    assert stored(acme) == []


def test_what_cannot_be_kept_is_left_out_and_counted(db: None, acme: Team, tmp_path: Path) -> None:
    texts = ["I live in Lisbon.", "", "nul\0", "x" * 100_001]

    told = run(tmp_path, "openai", [{"role": "user", "content": text} for text in texts])

    assert "3 left out" in told
    assert len(stored(acme)) == 1


def test_a_message_that_stands_twice_is_stored_once(db: None, acme: Team, tmp_path: Path) -> None:
    twice = {**CLAUDE, "chat_messages": [*CLAUDE["chat_messages"], CLAUDE["chat_messages"][0]]}

    told = run(tmp_path, "claude", [twice])

    assert told.startswith("2 messages stored")
    assert "1 left out" in told


def test_a_message_that_reads_otherwise_by_now_stays_as_it_came_in_first(
    db: None, acme: Team, tmp_path: Path
) -> None:
    run(tmp_path, "claude", [CLAUDE])
    edited = json.loads(json.dumps(CLAUDE).replace("Lisbon", "Porto"))

    told = run(tmp_path, "claude", [edited])

    assert told.startswith("0 messages stored")
    assert stored(acme)[0][1] == "I live in Lisbon."
