"""Put an entry into another program's settings, and take it out again, leaving everything else as it was."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from nebo_client.agents import Entry
from nebo_client.json_text import parse, rewrite

BACKUP = ".before-nebo"
OWN_HOOK = re.compile(r"""\bnebo(\.exe)?["']? hook$""")


class UnreadableSettings(Exception):
    """A file that isn't what it should be is never written over."""


def put_in(text: str, entries: Sequence[Entry]) -> str:
    """The file's new text; the same as before where all of it stands there already."""
    if entries[0].file.suffix == ".toml":
        return _toml_with(_toml_without(text, entries[0]), entries[0])
    settings = _parse_json(text, entries[0].file)
    changed = deepcopy(settings)
    for entry in entries:
        _put(changed, entry)
    return text if changed == settings else _with(text, changed)


def take_out(text: str, entries: Sequence[Entry]) -> str:
    """The file's text without them; empty containers that they leave go, too."""
    if entries[0].file.suffix == ".toml":
        return _toml_without(text, entries[0])
    settings = _parse_json(text, entries[0].file)
    changed = deepcopy(settings)
    for entry in entries:
        _take(changed, entry)
    return text if changed == settings else _with(text, changed)


def read(file: Path) -> str:
    """Its text, with the ends of lines that it has; empty if there is none."""
    return file.read_bytes().decode() if file.exists() else ""


def write(file: Path, text: str) -> None:
    """Whole or not at all, with the rights that it had. What stood there first is kept once, in a backup beside it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    backup = file.with_name(file.name + BACKUP)
    if file.exists() and not backup.exists():
        shutil.copy2(file, backup)
    handle, part = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(
        handle, "w", encoding="utf-8", newline=""
    ) as out:  # mkstemp lets nobody else read: there is a key in it
        out.write(text)
    if file.exists():
        shutil.copymode(file, part)
    Path(part).replace(file.resolve())


def _put(settings: dict[str, Any], entry: Entry) -> None:
    place = settings
    for name in entry.path[:-1]:
        place = place.setdefault(name, {})
        _must_be(place, dict, entry)
    if not entry.in_list:
        place[entry.path[-1]] = entry.value
        return
    among = place.setdefault(entry.path[-1], [])
    _must_be(among, list, entry)
    among[:] = (
        [*(one for one in among if not _is_ours(one, entry)), entry.value]
        if entry.value not in among
        else among
    )


def _take(settings: dict[str, Any], entry: Entry) -> None:
    way: list[dict[str, Any]] = [settings]
    for name in entry.path[:-1]:
        if not isinstance(way[-1].get(name), dict):
            return
        way.append(way[-1][name])
    last = entry.path[-1]
    if entry.in_list and isinstance(way[-1].get(last), list):
        way[-1][last] = [one for one in way[-1][last] if not _is_ours(one, entry)]
    elif not entry.in_list:
        way[-1].pop(last, None)
    for place, name in zip(reversed(way), reversed(entry.path), strict=True):
        if place.get(name) in ({}, []):
            del place[name]


def _is_ours(hook: Any, entry: Entry) -> bool:
    """Also where the command once stood elsewhere."""
    commands = [one.get("command", "") for one in hook.get("hooks", ())] if isinstance(hook, dict) else []
    return hook == entry.value or any(OWN_HOOK.search(command) for command in commands)


def _must_be(place: Any, kind: type, entry: Entry) -> None:
    if not isinstance(place, kind):
        raise UnreadableSettings(f"{entry.file}: {'.'.join(entry.path)} isn't what it should be")


def _parse_json(text: str, file: Path) -> dict[str, Any]:
    try:
        settings = parse(text) if text.strip() else {}
    except ValueError as error:
        raise UnreadableSettings(f"{file} isn't JSON ({error}): add the entry by hand") from error
    if not isinstance(settings, dict):
        raise UnreadableSettings(f"{file} holds no object")
    return settings


def _with(text: str, settings: dict[str, Any]) -> str:
    return rewrite(text, settings) if text.strip() else rewrite("{}", settings) + "\n"


def _toml_with(text: str, entry: Entry) -> str:
    lines = [
        f"[{'.'.join(entry.path)}]",
        *(f"{name} = {_toml_value(value)}" for name, value in entry.value.items()),
    ]
    end = "\r\n" if "\r\n" in text else "\n"
    before = f"{text.rstrip()}{end * 2}" if text.strip() else ""
    made = before + end.join(lines) + end
    expected = _parse_toml(text, entry.file)
    expected.setdefault(entry.path[0], {})[entry.path[1]] = entry.value
    return _checked(made, expected, entry)


def _toml_without(text: str, entry: Entry) -> str:
    """Without the table of this name and those below it; comments behind it are of what follows."""
    expected = _parse_toml(text, entry.file)
    if entry.path[1] not in expected.get(entry.path[0], {}):
        return text
    del expected[entry.path[0]][entry.path[1]]
    name = re.escape(".".join(entry.path))
    rest = rf"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?=\[(?!{name}[.\]])|\Z)"
    kept = re.sub(
        rf"^\[{name}(\.[^\]]*)?\][^\n]*\n?(?:(?!{rest})(?!\[)[^\n]*\n?)*", "", text, flags=re.MULTILINE
    )
    end = "\r\n" if "\r\n" in text else "\n"
    return _checked(kept.rstrip() + end if kept.strip() else "", expected, entry)


def _checked(text: str, expected: dict[str, Any], entry: Entry) -> str:
    """Nothing but the entry is changed."""
    found = _parse_toml(text, entry.file)
    found.setdefault(entry.path[0], {})
    if found != {entry.path[0]: {}, **expected}:
        raise UnreadableSettings(f"{entry.file}: the entry can't be changed there; change it by hand")
    return text


def _parse_toml(text: str, file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableSettings(
            f"{file} isn't TOML that Nebo can change ({error}): change it by hand"
        ) from error


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{json.dumps(name)} = {_toml_value(one)}" for name, one in value.items()) + " }"
        )
    return json.dumps(value, ensure_ascii=False)
