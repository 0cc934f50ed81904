"""From a file to what it brings: unpacked within bounds, read by its source, checked as a whole."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError  # noqa: N812 - a class, whatever its name

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from nebo.api.parsers import list_refused, parse_json, refusal_of
from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import Brought, History
from nebo.product.governance.importing.conversations import read_chatgpt, read_claude, read_openai
from nebo.product.governance.importing.markdown import read_markdown
from nebo.product.governance.importing.mem0 import read_mem0
from nebo.product.governance.importing.zep import read_zep

MAX_FILE_BYTES = 1 << 28  # unpacked, all of it
MAX_MARKDOWN_BYTES = 1 << 20  # one file of a folder
MAX_MARKDOWN_FILES = 20_000
ZIP_MAGIC = b"PK\x03\x04"
ARCHIVED_AS = "conversations.json"  # in the archives of ChatGPT and Claude
MARKDOWN = (".md", ".markdown")
UNREADABLE = (BadZipFile, NotImplementedError, RuntimeError, EOFError, ZlibError)


def read_brought(data: bytes, *, source: str, name: str) -> Brought:
    """All that a file brings; `name` stands for a conversation without an id. Raises InvalidInput with the place."""
    if source == "markdown":
        brought = read_markdown(_list_markdown(data, name))
    else:
        value = parse_json(_unpacked(data))
        for _ in list_refused({"": value}):  # raises where it nests too deep; texts are looked at one by one
            pass
        brought = READERS[source](value, name)
    _check_keys(brought.histories)
    return _once(brought)


def _conversations(read: Callable[[Any, str], Iterator[History]]) -> Callable[[Any, str], Brought]:
    return lambda value, name: Brought(histories=list(read(value, name)))


READERS: Mapping[str, Callable[[Any, str], Brought]] = {
    "chatgpt": _conversations(read_chatgpt),
    "claude": _conversations(read_claude),
    "openai": _conversations(read_openai),
    "mem0": read_mem0,
    "zep": read_zep,
}


def _check_keys(histories: list[History]) -> None:
    keys: set[str] = set()
    for place, history in enumerate(histories):
        if history.key in keys:
            raise InvalidInput(_("Two conversations have this id."), field=f"#/{place}")
        keys.add(history.key)


def _once(brought: Brought) -> Brought:
    """What stands twice comes in once; messages that are left out are counted with the rest."""
    notes = {note.origin: note for note in brought.notes}
    out = Counter(brought.left_out)
    out["messages"] += sum(history.left_out for history in brought.histories)
    out["repeated"] += len(brought.notes) - len(notes)
    return Brought(brought.histories, list(notes.values()), +out)


# --- Archives -----------------------------------------------------------------------------------------------


def _unpacked(data: bytes) -> bytes:
    """The file, or the conversations of an archive; never more than the bound, whatever the archive claims."""
    if data.startswith(ZIP_MAGIC):
        data = _read_archive(data)
    if len(data) > MAX_FILE_BYTES:
        raise _too_large()
    return data


def _too_large() -> InvalidInput:
    return InvalidInput(
        _("At most %(megabytes)s MB a file.") % {"megabytes": MAX_FILE_BYTES >> 20}, field="#"
    )


def _read_archive(data: bytes) -> bytes:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            found = [one for one in archive.namelist() if one.rpartition("/")[2] == ARCHIVED_AS]
            if len(found) != 1:
                raise InvalidInput(_("The archive needs one %(name)s.") % {"name": ARCHIVED_AS}, field="#")
            with archive.open(found[0]) as file:
                return file.read(MAX_FILE_BYTES + 1)
    except UNREADABLE as error:
        raise InvalidInput(_("The archive can't be read."), field="#") from error


def _list_markdown(data: bytes, name: str) -> dict[str, str]:
    """Texts by path: the file alone, or those of a folder in an archive."""
    if not data.startswith(ZIP_MAGIC):
        return {name or "notes.md": _text(data, "#")}
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            return _read_folder(archive)
    except UNREADABLE as error:
        raise InvalidInput(_("The archive can't be read."), field="#") from error


def _read_folder(archive: ZipFile) -> dict[str, str]:
    wanted = [one for one in archive.infolist() if _is_wanted(one)]
    if len(wanted) > MAX_MARKDOWN_FILES:
        raise InvalidInput(
            _("At most %(most)s files of Markdown.")
            % {"most": number_format(MAX_MARKDOWN_FILES, force_grouping=True)},
            field="#",
        )
    texts: dict[str, str] = {}
    left = MAX_FILE_BYTES
    for info in sorted(wanted, key=lambda one: one.filename):
        with archive.open(info) as file:
            data = file.read(MAX_MARKDOWN_BYTES + 1)
        left -= len(data)
        if left < 0:
            raise _too_large()
        texts[info.filename] = _text(data, info.filename)
    return texts


def _is_wanted(info: ZipInfo) -> bool:
    """Markdown, and not in a folder that an app keeps for itself, such as .obsidian."""
    path = PurePosixPath(info.filename)
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
    return not info.is_dir() and not hidden and path.suffix.lower() in MARKDOWN


def _text(data: bytes, where: str) -> str:
    if len(data) > MAX_MARKDOWN_BYTES:
        raise InvalidInput(
            _("At most %(megabytes)s MB of Markdown.") % {"megabytes": MAX_MARKDOWN_BYTES >> 20}, field=where
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidInput(_("Line %(line)s is not UTF-8.") % {"line": line}, field=where) from error
    if refusal := refusal_of(text):
        line = text[: text.find("\0")].count("\n") + 1
        raise InvalidInput(_("Line %(line)s: %(refusal)s") % {"line": line, "refusal": refusal}, field=where)
    return text
