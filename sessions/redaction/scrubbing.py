"""What is known of a person, searched for words that were redacted: rows that were made of them go, texts lose them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q

from memories.models import Entity, ExtractionRun, ForgetRequest, Todo, WithheldLine
from memories.person_columns import KEY_OF_COLUMN
from memories.screening.placeholders import REDACTED
from memories.withholding.word_sets import NEAR_SHARE
from nebo.reading.words.naming import named_words, share_named
from nebo.tenants.models import Tenant, UserProfile
from personality.wishes.redacted import end_redacted_wishes
from sessions.models import SessionState, SessionSummary, Spine


@dataclass(frozen=True, slots=True)
class DerivedText:
    """What to look for: what was made of these messages, of what was `said` in them, and texts with one of `words`."""

    message_ids: Sequence[UUID]
    text: str
    words: Sequence[str]

    def is_in(self, line: str) -> bool:
        """Whether a line has one of the words, or half of its own words from what was said."""
        return self.has_word(line) or share_named(named_words(line), self.text) >= NEAR_SHARE

    def has_word(self, line: str) -> bool:
        """Whether a line has one of the words."""
        return any(word in line.lower() for word in self.words)


def scrub_person(*, tenant: Tenant | UUID, person_id: UUID, made: DerivedText) -> None:
    """Take it out of everything about a person but messages and memories. The person's row is held."""
    words = made.words
    _drop_made(tenant, person_id, made.message_ids, words)
    _drop_copies(tenant, person_id)
    _scrub_spines(tenant, person_id, made)
    end_redacted_wishes(
        tenant=tenant,
        person_id=person_id,
        message_ids=made.message_ids,
        gone=made.is_in,
        has_word=made.has_word,
    )
    if words:
        _scrub_summaries(tenant, person_id, words)
        _scrub_runs(tenant, person_id, words)
        _scrub_person(tenant, person_id, words)
        _scrub_files(tenant, person_id, made)


def has_any(column: str, words: Iterable[str]) -> Q:
    """Whether a text has one of the words; nothing for none."""
    wanted = Q(pk__in=())
    for word in words:
        wanted |= Q(**{f"{column}__icontains": word})
    return wanted


def without_words(data: Any, words: Collection[str]) -> Any:
    """JSON in which a mark stands for every text that has one of the words; its names stay."""
    if isinstance(data, str):
        return REDACTED if any(word in data.lower() for word in words) else data
    if isinstance(data, dict):
        return {name: without_words(value, words) for name, value in data.items()}
    return [without_words(item, words) for item in data] if isinstance(data, list) else data


def _drop_made(
    tenant: Tenant | UUID, person_id: UUID, message_ids: Sequence[UUID], words: Collection[str]
) -> None:
    by_message = Q(message_id__in=message_ids)
    own = Q(person_id=person_id)
    todos = by_message | Q(closed_message_id__in=message_ids)
    for column in ("text", "quote", "closed_quote"):
        todos |= has_any(column, words)
    Todo.objects.for_tenant(tenant).filter(own, todos).delete()
    asked = by_message | has_any("what", words)
    for message_id in message_ids:
        asked |= Q(passages__contains=[{"message": str(message_id)}])
    ForgetRequest.objects.for_tenant(tenant).filter(own, asked).delete()
    WithheldLine.objects.for_tenant(tenant).filter(own, has_any("text", words)).delete()
    names = has_any("label", words) | has_any("ref", words)
    Entity.objects.for_tenant(tenant).filter(own, names, links__isnull=True).delete()


def _drop_copies(tenant: Tenant | UUID, person_id: UUID) -> None:
    """Answers kept for who asks again, and files of exports: they may hold anything. Exports stand above sessions."""
    for app, name in (("api", "IdempotencyRecord"), ("governance", "Export")):
        apps.get_model(app, name).objects.for_tenant(tenant).filter(person_id=person_id).delete()


def _scrub_spines(tenant: Tenant | UUID, person_id: UUID, made: DerivedText) -> None:
    spines = list(Spine.objects.for_tenant(tenant).filter(person_id=person_id))
    for spine in spines:
        spine.sections = {
            audience: {name: [item for item in items if not made.is_in(item)] for name, items in own.items()}
            for audience, own in spine.sections.items()
        }
        spine.cites = {line: rests_on for line, rests_on in spine.cites.items() if not made.is_in(line)}
    Spine.objects.for_tenant(tenant).bulk_update(spines, ["sections", "cites"], batch_size=100)


def _scrub_summaries(tenant: Tenant | UUID, person_id: UUID, words: Collection[str]) -> None:
    theirs = Q(session__person_id=person_id)
    SessionSummary.objects.for_tenant(tenant).filter(theirs, has_any("one_liner", words)).delete()
    states = SessionState.objects.for_tenant(tenant).filter(person_id=person_id)
    states.filter(has_any("last_user_message", words)).update(last_user_message="")


def _scrub_runs(tenant: Tenant | UUID, person_id: UUID, words: Collection[str]) -> None:
    rows = ExtractionRun.objects.for_tenant(tenant).filter(person_id=person_id)
    runs = list(rows.exclude(proposals=[], outcome={}))
    for run in runs:
        run.proposals = [one for one in run.proposals if without_words(one, words) == one]
        run.outcome = without_words(run.outcome, words)
    ExtractionRun.objects.for_tenant(tenant).bulk_update(runs, ["proposals", "outcome"], batch_size=100)


def _scrub_person(tenant: Tenant | UUID, person_id: UUID, words: Collection[str]) -> None:
    """Columns of the person that say it are empty again."""
    people = UserProfile.objects.for_tenant(tenant).filter(pk=person_id)
    person = people.get()
    held = {name: getattr(person, name) for name in KEY_OF_COLUMN}
    empty = {name: [] if isinstance(value, list) else "" for name, value in held.items()}
    emptied = {name: empty[name] for name, value in held.items() if without_words(value, words) != value}
    if emptied:
        people.update(**emptied)


def _scrub_files(tenant: Tenant | UUID, person_id: UUID, made: DerivedText) -> None:
    """Assistants' files and what they were: a mark stands for each line. They stand above sessions."""
    files, versions = (
        apps.get_model("memory_files", name).objects.for_tenant(tenant)
        for name in ("MemoryFile", "MemoryFileVersion")
    )
    touched = has_any("text", made.words) | has_any("path", made.words)
    for file in files.filter(touched, person_id=person_id):
        kept = {
            name: [one for one in getattr(file, name) if not made.has_word(one)]
            for name in ("held", "allowed")
        }
        files.filter(pk=file.pk).update(**_scrubbed_file(file, file.pk, made), **kept)
    for version in versions.filter(touched, file__person_id=person_id):
        versions.filter(pk=version.pk).update(**_scrubbed_file(version, version.file_id, made))


def _scrubbed_file(row: Any, file_id: UUID, made: DerivedText) -> dict[str, str]:
    lines = [REDACTED if made.has_word(line) else line for line in row.text.split("\n")]
    path = f"redacted-{file_id.hex[:12]}.md" if made.has_word(row.path) else row.path
    return {"text": "\n".join(lines), "path": path}
