"""The catalogues of translations: what stands in them, what the code asks of them, and how they are compiled.

`python -m tests.catalogue` brings them up to date with the templates and the code, with nothing but Python: new texts
come in without a translation, old ones go, and each `.mo` is written anew. It says what is left to translate.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "nebo" / "locale"
THEIRS = ROOT / "nebo" / "product" / "workspace" / "locale"  # what others' pages say otherwise here, by hand
PACKAGES = ("nebo", "memories", "sessions", "personality", "search")
CALLS = re.compile(r"(?:gettext|_)(?:_lazy|_noop)?")
COUNTED = re.compile(r"ngettext(?:_lazy)?")
TEMPLATE_CALL = re.compile(
    r"\b(?P<call>n?gettext)\(\s*(?P<one>u?'(?:[^'\\]|\\.)*'|u?\"(?:[^\"\\]|\\.)*\")"
    r"(?:\s*,\s*(?P<many>u?'(?:[^'\\]|\\.)*'|u?\"(?:[^\"\\]|\\.)*\"))?"
)
TEMPLATE_WORD = re.compile(r"""(?<![\w.])_\((?P<word>"[^"]+"|'[^']+')\)""")


@dataclass(slots=True)
class Entry:
    """A text with its plural if it has one, where it stands, and its translations."""

    one: str
    many: str = ""
    told: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    flags: str = ""


# --- What is asked for --------------------------------------------------------------------------------


def list_asked() -> dict[str, Entry]:
    """Every text of templates and code that is to be translated, in the order of files."""
    asked: dict[str, Entry] = {}
    for place, one, many in (*_of_templates(), *_of_code()):
        entry = asked.setdefault(one, Entry(one))
        entry.many = entry.many or many
        if place not in entry.places:
            entry.places.append(place)
    return asked


def _of_templates() -> Iterator[tuple[str, str, str]]:
    from django.utils.translation.template import templatize

    for path in sorted((ROOT / "templates").rglob("*.html")):
        text, place = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        for found in TEMPLATE_CALL.finditer(templatize(text)):
            many = found["many"] if found["call"] == "ngettext" else ""
            yield place, ast.literal_eval(found["one"]), ast.literal_eval(many) if many else ""
        for found in TEMPLATE_WORD.finditer(text):
            yield place, ast.literal_eval(found["word"]), ""


def _of_code() -> Iterator[tuple[str, str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _of_module(path)


def _of_module(path: Path) -> Iterator[tuple[str, str, str]]:
    source, place = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    if "django.utils.translation" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if CALLS.fullmatch(node.func.id) and len(texts) == 1:
            yield place, texts[0], ""
        elif COUNTED.fullmatch(node.func.id) and len(texts) == 2:
            yield place, texts[0], texts[1]


# --- The files ----------------------------------------------------------------------------------------


def read_po(path: Path) -> dict[str, Entry]:
    """Entries by their text; the first, without one, is the head."""
    entries: dict[str, Entry] = {}
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        entry = _read_block(block)
        if entry.one in entries:
            raise ValueError(f"twice: {entry.one}")
        entries[entry.one] = entry
    return entries


def _read_block(block: str) -> Entry:
    parts: dict[str, str] = {}
    entry, name = Entry(""), ""
    for line in block.splitlines():
        if line.startswith("#:"):
            entry.places += line[2:].split()
        elif line.startswith("#,"):
            entry.flags = line[2:].strip()
        elif line.startswith("#~"):
            raise ValueError(f"obsolete: {line}")
        elif not line.startswith("#"):
            word, _, rest = line.partition(" ")
            name, text = (name, line) if line.startswith('"') else (word, rest)
            parts[name] = parts.get(name, "") + ast.literal_eval(text)
    entry.one, entry.many = parts["msgid"], parts.get("msgid_plural", "")
    entry.told = [text for name, text in parts.items() if name.startswith("msgstr")]
    return entry


def write_po(path: Path, entries: dict[str, Entry]) -> None:
    """In the order of the texts, which is the same whoever writes it."""
    head, *rest = sorted(entries.values(), key=lambda entry: entry.one)
    path.write_text("\n\n".join(map(_block, (head, *rest))) + "\n", encoding="utf-8")


def _block(entry: Entry) -> str:
    lines = [f"#: {place}" for place in entry.places]
    if re.search(r"%\(\w+\)s", entry.one + entry.many):
        lines.append("#, python-format")
    lines.append(f"msgid {_quoted(entry.one)}")
    if not entry.many:
        return "\n".join((*lines, f"msgstr {_quoted(''.join(entry.told[:1]))}"))
    told = [*entry.told, "", ""][:2]
    lines.append(f"msgid_plural {_quoted(entry.many)}")
    return "\n".join((*lines, *(f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(told))))


def _quoted(text: str) -> str:
    lines = [
        line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for line in text.splitlines(True)
    ]
    if len(lines) < 2:
        return f'"{"".join(lines)}"'
    return "\n".join(('""', *(f'"{line}"' for line in lines)))


def compile_mo(entries: dict[str, Entry]) -> bytes:
    """As gettext reads it: two tables of lengths and places, then the texts, sorted."""
    pairs = sorted((_key(one).encode(), "\0".join(one.told).encode()) for one in entries.values())
    keys, texts = b"", b""
    tables: list[tuple[int, int, int, int]] = []
    for key, text in pairs:
        tables.append((len(key), len(keys), len(text), len(texts)))
        keys, texts = keys + key + b"\0", texts + text + b"\0"
    number, begin = len(pairs), 28 + 16 * len(pairs)
    first = [value for length, at, _, _ in tables for value in (length, begin + at)]
    second = [value for _, _, length, at in tables for value in (length, begin + len(keys) + at)]
    head = struct.pack("<7I", 0x950412DE, 0, number, 28, 28 + 8 * number, 0, begin)
    return head + struct.pack(f"<{4 * number}I", *first, *second) + keys + texts


def _key(entry: Entry) -> str:
    return f"{entry.one}\0{entry.many}" if entry.many else entry.one


def list_catalogues(folder: Path = LOCALE) -> list[Path]:
    """The `.po` of each language."""
    return sorted(folder.glob("*/LC_MESSAGES/django.po"))


def bring_up_to_date(path: Path) -> list[Entry]:
    """Rewrite both files of a language; what is left to translate."""
    known, asked = read_po(path), list_asked()
    for text, entry in asked.items():
        old = known.get(text)
        entry.told = old.told if old and bool(old.many) == bool(entry.many) else []
    entries = {"": known[""], **asked}
    write_po(path, entries)
    path.with_suffix(".mo").write_bytes(compile_mo(read_po(path)))
    return [entry for entry in asked.values() if not all(entry.told) or not entry.told]


if __name__ == "__main__":
    import django
    from django.conf import settings

    settings.configure()
    django.setup()
    for catalogue in list_catalogues():
        left = bring_up_to_date(catalogue)
        sys.stdout.write(f"{catalogue.relative_to(ROOT)}: {len(left)} left to translate\n")
        sys.stdout.writelines(f"  {entry.one!r} ({', '.join(entry.places)})\n" for entry in left)
    for catalogue in list_catalogues(THEIRS):
        catalogue.with_suffix(".mo").write_bytes(compile_mo(read_po(catalogue)))
