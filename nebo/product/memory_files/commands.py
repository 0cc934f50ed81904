"""The six commands of `memory_20250818`, and what each answers: the strings of Anthropic's documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memories.audit.log import record_audit
from memories.withholding.lines import list_withheld_lines, spoken_path
from nebo.product.memory_files.editing import Impossible, check_size, insert_lines, replace_once
from nebo.product.memory_files.files import (
    Folder,
    create_file,
    delete_files,
    find_file,
    has_room,
    list_below,
    lock_folder,
    move_files,
    write_text,
)
from nebo.product.memory_files.holding import clean, shown_lines
from nebo.product.memory_files.limits import MOST_FILES
from nebo.product.memory_files.models import MemoryFile
from nebo.product.memory_files.paths import ROOT, WrongPath, check_name, read_path
from nebo.product.memory_files.rendering import render_change, render_file, render_folder

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model reads, and whether it is an error."""

    content: str
    is_error: bool = False


def run_command(*, folder: Folder | None, command: str, arguments: Arguments) -> Answer:
    """Do it and answer. `folder` is None for a person of whom nothing is known, whose folder is empty."""
    try:
        if folder is None:
            return _in_nothing(command, arguments)
        if command != "view":
            lock_folder(folder)
        return Answer(COMMANDS[command](folder, arguments))
    except (WrongPath, Impossible) as refused:
        return Answer(str(refused), is_error=True)


def brings_words(command: str, arguments: Arguments) -> bool:
    """Whether it would keep something new: looking and taking away don't."""
    if command == "str_replace":
        return bool(arguments.get("new_str"))
    return command in ("create", "insert", "rename")


def _in_nothing(command: str, arguments: Arguments) -> Answer:
    path = arguments["old_path" if command == "rename" else "path"]
    below = read_path(path)
    if command == "view" and not below:
        return Answer(render_folder(path, {}))
    if not below:
        raise Impossible(f"Cannot {command} the {ROOT} directory itself")
    raise Impossible(MISSING[command].format(path=path))


def _view(folder: Folder, arguments: Arguments) -> str:
    path = arguments["path"]
    below = read_path(path)
    file = find_file(folder, below) if below else None
    if file is not None:
        _note_read(folder, "file.read", file)
        return render_file(path, _shown(folder, file), arguments.get("view_range"))
    found = list_below(folder, below).values_list("path", "text")
    skipped, withheld = len(below) + 1 if below else 0, _list_withheld(folder)
    shown = [(name, text) for name, text in found if spoken_path(name) not in withheld]
    sizes = {name[skipped:]: len(text.encode()) for name, text in shown}
    if below and not sizes:
        raise Impossible(MISSING["view"].format(path=path))
    _note_read(folder, "file.listed", None)
    return render_folder(path, sizes)


def _create(folder: Folder, arguments: Arguments) -> str:
    path, text = arguments["path"], clean(arguments["file_text"])
    below = read_path(path)
    if not below or find_file(folder, below) or list_below(folder, below).exists():
        raise Impossible(f"Error: File {path} already exists")
    _check_new(folder, below, path)
    check_size(text, path=path)
    if not has_room(folder):
        raise Impossible(
            f"Error: There are {MOST_FILES} files, which is the most. Delete or merge some first"
        )
    create_file(folder, path=below, text=text)
    return f"File created successfully at: {path}"


def _str_replace(folder: Folder, arguments: Arguments) -> str:
    path = arguments["path"]
    file = _get_file(folder, path, "str_replace")
    old, new = clean(arguments["old_str"]), clean(arguments.get("new_str") or "")
    text, line = replace_once(file.text, old, new, path=path)
    _write(folder, file, text, path)
    return render_change(_shown(folder, file), line)


def _insert(folder: Folder, arguments: Arguments) -> str:
    path = arguments["path"]
    file = _get_file(folder, path, "insert")
    text = insert_lines(file.text, arguments["insert_line"], clean(arguments["insert_text"]))
    _write(folder, file, text, path)
    return f"The file {path} has been edited."


def _delete(folder: Folder, arguments: Arguments) -> str:
    path = arguments["path"]
    delete_files(folder, _list_at(folder, path, "delete"))
    return f"Successfully deleted {path}"


def _rename(folder: Folder, arguments: Arguments) -> str:
    old_path, new_path = arguments["old_path"], arguments["new_path"]
    files = _list_at(folder, old_path, "rename")
    old, new = read_path(old_path), read_path(new_path)
    if not new or find_file(folder, new) or list_below(folder, new).exists():
        raise Impossible(f"Error: The destination {new_path} already exists")
    if new.startswith(f"{old}/"):
        raise Impossible(f"Error: The destination {new_path} lies in {old_path} itself")
    _check_new(folder, new, new_path)
    for file in files:
        read_path(f"{ROOT}/{new}{file.path[len(old) :]}")
    move_files(folder, files, old=old, new=new)
    return f"Successfully renamed {old_path} to {new_path}"


def _shown(folder: Folder, file: MemoryFile) -> list[str]:
    return shown_lines(file.text, file.held, _list_withheld(folder))


def _list_withheld(folder: Folder) -> set[str]:
    """Lines that say what the person forgot."""
    lines = list_withheld_lines(tenant=folder.tenant, person_id=folder.person_id)
    return set(lines.values_list("text", flat=True))


def _get_file(folder: Folder, path: str, command: str) -> MemoryFile:
    file = find_file(folder, read_path(path))
    if file is None:
        raise Impossible(MISSING[command].format(path=path))
    return file


def _list_at(folder: Folder, path: str, command: str) -> list[MemoryFile]:
    """The file at a path, or those in the folder there."""
    below = read_path(path)
    if not below:
        raise Impossible(f"Cannot {command} the {ROOT} directory itself")
    file = find_file(folder, below)
    files = [file] if file else list(list_below(folder, below))
    if not files:
        raise Impossible(MISSING[command].format(path=path))
    return files


def _check_new(folder: Folder, below: str, path: str) -> None:
    """Whether a file may be put there: under a name that says nothing wrong, and not inside a file."""
    check_name(below, path=path)
    names = below.split("/")
    for level in range(1, len(names)):
        parent = "/".join(names[:level])
        if find_file(folder, parent):
            raise Impossible(f"Error: {ROOT}/{parent} is a file, so {path} can't be in it")


def _write(folder: Folder, file: MemoryFile, text: str, path: str) -> None:
    text = clean(text)  # a secret may have been put together from two halves
    check_size(text, path=path)
    write_text(folder, file, text)


def _note_read(folder: Folder, action: str, file: MemoryFile | None) -> None:
    record_audit(
        tenant=folder.tenant,
        actor=folder.actor,
        action=action,
        object_type="memory_file",
        object_id=file.pk if file else "",
        person_id=folder.person_id,
    )


COMMANDS: Mapping[str, Callable[[Folder, Arguments], str]] = {
    "view": _view,
    "create": _create,
    "str_replace": _str_replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}
MISSING: Mapping[str, str] = {
    "view": "The path {path} does not exist. Please provide a valid path.",
    "str_replace": "Error: The path {path} does not exist. Please provide a valid path.",
    "insert": "Error: The path {path} does not exist",
    "delete": "Error: The path {path} does not exist",
    "rename": "Error: The path {path} does not exist",
}
