"""What a job came to, as people read it: a line a count, in the order in which the job told them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from nebo.jobs.outcomes import MERGED_INTO
from nebo.product.governance.receipt_words import list_what_went

Line = tuple[str, str]

RESULTS: Mapping[str, str] = {
    "read": _("Messages read"),
    "learned": _("Memories learned"),
    "settled": _("Compared with what was known"),
    "created": _("New memories"),
    "updated": _("Memories worded anew"),
    "reinforced": _("Heard again"),
    "superseded": _("Memories replaced"),
    "quarantined": _("Held back for review"),
    "styles": _("Ways of speaking noticed"),
    "rejected": _("Not kept"),
    "kept_out": _("Left out, as this workspace decided"),
    "review": _("Changes that wait in the inbox"),
    "todos": _("Open loops"),
    "todos_closed": _("Open loops closed"),
    "model": _("Read by"),
    "embedded": _("Texts prepared"),
    "planned": _("Texts to be prepared"),
    "indexed": _("Index made"),
    "alike": _("Memories that say the same"),
    "asked": _("Asked about"),
    "released": _("Shown again"),
    "messages": _("Messages"),
    "memories": _("Memories"),
    "sessions": _("Conversations"),
    "rolled": _("Running summary written anew"),
    "summary": _("Summary written anew"),
    "folded": _("Put together"),
    "folds": _("Groups of memories made into one"),
    "grown": _("Became more important"),
    "proposed": _("Names that may be the same"),
    "people": _("People looked at"),
    "observations": _("Observations it rests on"),
    "action": _("The style note"),
    "one_liner": _("Summed up"),
    "closed": _("Closed"),
    "ended": _("Ended by their day"),
    "expired": _("Ran out"),
    "archived": _("Archived"),
    "deleted": _("Moved to the trash"),
    "removed": _("Removed for good"),
    "cached": _("Old search vectors dropped"),
    "retired": _("Vectors of earlier models dropped"),
    "sealed": _("Log entries sealed"),
    "entries": _("Log entries checked"),
    "seals": _("Seals checked"),
    "unsealed": _("Not sealed yet"),
    "faults": _("Entries that don’t fit"),
    "delivered": _("Delivered"),
    "failed": _("Not delivered"),
    "bytes": _("Size"),
    "done": _("Pieces brought in"),
    "counts": _("What came in"),
    "left_out": _("Left out"),
    "records": _("In the file"),
    "more": _("Goes on in another job"),
    "dry_run": _("Only looked at"),
}
WORDS_OF_ACTIONS: Mapping[str, str] = {
    "none": _("none: too little is known"),
    "created": _("written"),
    "updated": _("written anew"),
    "superseded": _("written anew"),
    "reinforced": _("says the same as before"),
    "archived": _("removed: too little is left that it could rest on"),
    "kept": _("kept: a person decided how it reads"),
}
FOR_PROGRAMS = frozenset(  # of no use to people: ids and digests, which the data beside has
    {
        MERGED_INTO,
        "sha256",
        "export_id",
        "import_id",
        "erasure_id",
        "person",
        "requested_by",
        "head",
        "first_entry",
    }
)


def list_results(result: Mapping[str, Any]) -> list[Line]:
    """Label and value of whatever came of it; nothing where all of it is zero. Of an erasure it is the receipt."""
    if "erasure_id" in result:
        return [
            (label, number_format(count, force_grouping=True))
            for label, count in list_what_went(result["counts"])
        ]
    return [
        line for name, value in result.items() if name not in FOR_PROGRAMS for line in _lines(name, value)
    ]


def _lines(name: str, value: Any) -> Iterator[Line]:
    label = gettext(RESULTS[name]) if name in RESULTS else _plain(name)
    if isinstance(value, Mapping):
        counts = ((_plain(one), number) for one, number in value.items() if number)
        yield from ((f"{label}: {one}", _shown("", number)) for one, number in counts)
    elif isinstance(value, list):
        yield from ((label, line) for line in map(_row, value))
    elif value not in (0, "", None, False):
        yield label, _shown(name, value)


def _row(row: Any) -> str:
    """Something that was asked, such as a model, with what it said."""
    if not isinstance(row, Mapping):
        return str(row)
    return ", ".join(str(value) for name in ("model", "words") if (value := row.get(name)))


def _shown(name: str, value: Any) -> str:
    if value is True:
        return gettext("yes")
    if name == "bytes":
        return filesizeformat(value)
    if name == "action":
        return gettext(WORDS_OF_ACTIONS[value]) if value in WORDS_OF_ACTIONS else _plain(value)
    return number_format(value, force_grouping=True) if isinstance(value, int) else str(value)


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()
