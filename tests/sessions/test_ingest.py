import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team

Ingest = Callable[..., str]


@pytest.fixture
def ingest(db: None, acme: Team) -> Ingest:
    def run(file: Path | str, **options: Any) -> str:
        shown = io.StringIO()
        call_command("ingest", str(file), tenant="acme", user="alice", stdout=shown, **options)
        return shown.getvalue()

    return run


def write(path: Path, *messages: Any) -> Path:
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in messages))
    return path


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def stored(acme: Team) -> list[Message]:
    with tenant_scope(acme.tenant):
        return list(Message.objects.for_tenant(acme.tenant).order_by("session_id", "seq"))


def test_a_file_becomes_a_conversation(ingest: Ingest, acme: Team, tmp_path: Path) -> None:
    file = write(
        tmp_path / "trip.jsonl",
        said("We leave on Friday.", external_id="D1:1", created_at="2023-05-08T13:56:00Z", name="Alice"),
        {"role": "assistant", "content": "Have a good trip."},
    )

    line = ingest(file)

    first, second = stored(acme)
    assert (first.content, first.external_id, first.name) == ("We leave on Friday.", "D1:1", "Alice")
    assert first.created_at.isoformat() == "2023-05-08T13:56:00+00:00"
    assert (second.role, second.external_id[:7]) == ("assistant", "line-2-")  # type: ignore[index]
    assert line.startswith("2 messages stored in session ingest:trip. Extraction is due at ")


def test_running_it_again_doubles_nothing(ingest: Ingest, acme: Team, tmp_path: Path) -> None:
    file = write(tmp_path / "trip.jsonl", said("One."), said("Two."), said("One."))
    ingest(file)

    line = ingest(file)

    assert [message.content for message in stored(acme)] == ["One.", "Two.", "One."]
    assert (
        line == "0 messages stored in session ingest:trip, 3 were there already. Nothing new to learn from.\n"
    )


def test_a_file_that_has_grown_adds_what_is_new(ingest: Ingest, acme: Team, tmp_path: Path) -> None:
    ingest(write(tmp_path / "trip.jsonl", said("One.")))

    line = ingest(write(tmp_path / "trip.jsonl", said("One."), said("Two.")))

    assert [message.content for message in stored(acme)] == ["One.", "Two."]
    assert line.startswith("1 messages stored in session ingest:trip, 1 were there already.")


def test_more_than_a_turn_holds_goes_in_batches(ingest: Ingest, acme: Team, tmp_path: Path) -> None:
    ingest(
        write(tmp_path / "long.jsonl", *(said(f"Number {number}.") for number in range(1201))), session="s"
    )

    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(key="s")
    assert (session.next_seq, session.turn_count) == (1202, 3)


def test_every_bad_line_is_named_and_nothing_is_stored(ingest: Ingest, acme: Team, tmp_path: Path) -> None:
    file = write(
        tmp_path / "bad.jsonl",
        said("Fine."),
        "not json",
        "",
        {"role": "boss", "content": "Work!"},
        said("x" * 100_001),
        said("hm", mood="odd"),
        said("nul \0 byte"),
        said("a", external_id="same"),
        said("b", external_id="same"),
        "[1, 2]",
    )

    with pytest.raises(CommandError) as refused:
        ingest(file)

    assert str(refused.value).splitlines() == [
        "Nothing was stored.",
        "line 2: The line is not JSON: Expecting value (column 1).",
        'line 4: role: "boss" is not a valid choice.',
        "line 5: content: At most 100,000 bytes a message.",
        "line 6: mood: There is no such field.",
        "line 7: content: NUL characters are not allowed.",
        "line 10: The line must be a JSON object.",
        "line 9: external_id: same is that of line 8 too.",
    ]
    assert stored(acme) == []


def test_an_id_taken_by_another_message_names_its_line(ingest: Ingest, tmp_path: Path) -> None:
    ingest(write(tmp_path / "trip.jsonl", said("One.", external_id="a")))

    with pytest.raises(CommandError, match=r"^line 3: .*\n0 messages before it were stored\.$"):
        ingest(write(tmp_path / "trip.jsonl", said("Zero."), "", said("Other.", external_id="a")))


def test_standard_input_is_read(ingest: Ingest, acme: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b'\xef\xbb\xbf{"role": "user", "content": "From a pipe."}\r\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))

    ingest("-", session="piped")

    assert [message.content for message in stored(acme)] == ["From a pipe."]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tenant": "nobody"}, "There is no tenant nobody."),
        ({"user": "me"}, "`me` stands for"),
        ({"file": "nowhere.jsonl"}, "nowhere.jsonl can't be read: No such file or directory."),
    ],
)
def test_mistakes_are_told(
    db: None, acme: Team, tmp_path: Path, options: dict[str, str], message: str
) -> None:
    wanted = {
        "file": str(write(tmp_path / "a.jsonl", said("Hi."))),
        "tenant": "acme",
        "user": "alice",
        **options,
    }

    with pytest.raises(CommandError, match=message):
        call_command("ingest", wanted.pop("file"), **wanted)


def test_another_teams_session_of_that_key_is_not_touched(
    ingest: Ingest, acme: Team, rival: Team, tmp_path: Path
) -> None:
    call_command("ingest", str(write(tmp_path / "a.jsonl", said("Ours."))), tenant="rival", user="alice")

    ingest(write(tmp_path / "a.jsonl", said("Theirs.")))

    assert [message.content for message in stored(acme)] == ["Theirs."]
