"""The words people read for the questions that facts answer."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

SLOT_WORDS: Mapping[str, str] = {
    "name": _("Name"),
    "age": _("Age"),
    "birthday": _("Birthday"),
    "home": _("Residence"),
    "origin": _("Origin"),
    "timezone": _("Timezone"),
    "contact": _("Contact"),
    "work": _("Work"),
    "education": _("Education"),
    "partner": _("Partner"),
    "family": _("Family"),
    "friend": _("Friend"),
    "pet": _("Pet"),
    "diet": _("Diet"),
    "allergy": _("Allergy"),
    "health": _("Health"),
    "body": _("Body"),
    "language": _("Language"),
    "skill": _("Skill"),
    "hobby": _("Hobby"),
    "taste": _("Taste"),
    "possession": _("Possession"),
    "habit": _("Habit"),
    "belief": _("Belief"),
    "plan": _("Plan"),
    "project": _("Project"),
    "decision": _("Decision"),
    "tool": _("Tool"),
    "money": _("Money"),
    "travel": _("Travel"),
    "trait": _("Trait"),
    "event": _("Event"),
    "other": _("Other"),
    "commitment": _("Commitment"),
    "thread": _("Thread"),
    "friction": _("Friction"),
    "address": _("Address"),
    "format": _("Format"),
    "tone": _("Tone"),
    "questions": _("Questions"),
    "sources": _("Sources"),
    "units": _("Units"),
    "spelling": _("Spelling"),
    "words": _("Words"),
}


def name_slot(slot: str) -> str:
    """`Residence`, `Decision: database`: what stands behind the first word is as agents call it."""
    first, colon, rest = slot.replace("/", ": ").replace("_", " ").partition(": ")
    known = SLOT_WORDS.get(first)
    return f"{gettext(known) if known else first[:1].upper() + first[1:]}{colon}{rest}"
