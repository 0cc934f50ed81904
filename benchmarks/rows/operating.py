"""What operators and owners see and set: jobs, windows, pages (000 §13, §21; 004)."""

from __future__ import annotations

import time
from html import unescape

from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen

SOON_S = 30  # seconds within which somebody's turn is read though others' work waits


@row(
    "extraction-latency",
    "One tenant's long jobs keep no other's extraction waiting",
    own=True,
    alone=True,
)
def latency(place: Place) -> Cases:
    busy, calm = place.tenant(), place.tenant()
    crowd = [busy.person() for _ in range(8)]
    for person in crowd:
        talk = person.talk()
        talk.say(
            *(f"Entry {n}: I moved crate {n} of {person.name} to shelf {n + 3}." for n in range(60)),
            at_once=True,
        )
        talk.call("POST", "extract/")
    for said, words in (
        ("I keep ferrets.", "ferret*"),
        ("Ich sammle Fingerhüte.", "fingerhute"),
        ("Tengo un loro.", "loro"),
    ):
        person = calm.person()
        talk = person.talk()
        talk.say(said)
        began = time.monotonic()
        talk.learned()
        took = time.monotonic() - began
        waiting = busy.client.call("GET", "jobs/?state=queued&kind=extract&limit=100").body["results"]
        told = f"{took:.1f} s while {len(waiting)} waited; {person.values()}"
        yield seen(took < SOON_S and has(words, person.values()), said, told)


@row("retention-windows", "A tenant's owner sets how long things are kept", own=True)
def windows(place: Place) -> Cases:
    other = place.tenant()
    for name, days in (("trash_days", 7), ("archive_days", 45), ("audit_days", 400)):
        other.client.call("PATCH", "settings/", {name: days})
        kept = other.client.call("GET", "settings/").body.get(name)
        yield seen(kept == days, f"PATCH settings/ {name} {days}", kept)
    refused = other.refusal("PATCH", "settings/", {"trash_days": -1})
    yield seen(refused.startswith("400") and "trash_days" in refused, "a window of -1 days", refused)
    browser = place.browser()
    pages = [browser.home + path for path in ("settings/", "data/", "data/settings/", "data/windows/")]
    fields = {path: browser.fields(path) for path in pages}
    found = [path for path, names in fields.items() if "trash_days" in names]
    yield seen(found, "a page of the dashboard has the windows", fields)


@row("files-dashboard", "A persona's files are read and written in the dashboard", own=True)
def files(place: Place) -> Cases:
    slug = place.persona("warden", file_sync="import_export")
    browser = place.browser()
    page = f"{browser.home}personality/personas/{slug}/"
    for name, content in (
        ("SOUL", "You keep the lighthouse and its log."),
        ("AGENTS", "Antworte zuerst mit dem Wetter."),
        ("HEARTBEAT", "Mira la marea cada mañana."),
    ):
        place.client.call("PUT", f"personas/{slug}/files/{name}.md", {"content": content})
        path = browser.find_link(page, f"files/{name}")
        shown = browser.look(path) if path else ""
        yield seen(content in unescape(shown), f"{name}.md on the persona's page", path or "not linked")
    path = browser.find_link(page, "files/SOUL") or page
    browser.send(path, content="You tend the garden now.")
    kept = place.client.call("GET", f"personas/{slug}/files/SOUL.md").body["content"]
    yield seen("garden" in kept, "written there", kept)
