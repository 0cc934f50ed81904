"""What a workspace decided about sensitive matters, held against what somebody would have remembered.

Of what is learned, and of what an agent stores, that decides. What a person writes by their own hand is their choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from memories.new_memory import NewMemory, is_made_key
from nebo.errors import KeptOut
from nebo.reading.sensitive.classes import find_classes
from nebo.reading.sensitive.kinds import CLASSES, SensitiveClass
from nebo.tenants.policy import LEARN, NEVER, REVIEW

# As sentences name them.
NAMES: Mapping[SensitiveClass, str] = {
    "health": _("health"),
    "religion": _("religion or belief"),
    "politics": _("politics or unions"),
    "sexuality": _("sexuality or gender"),
    "ethnicity": _("ethnic origin"),
    "finances": _("personal finances"),
    "crime": _("offences"),
}
REASON = "Is about {name}; this workspace asks first."
REFUSAL = "This workspace keeps nothing about {name}."
CANT_WAIT = "Store it as a memory, which can wait for that."
Policy = Mapping[str, str]  # the choice for each class that isn't simply learned
NO_POLICY: Policy = {}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a workspace does with something: `learn`, or for the sake of a class `review` or `never`."""

    choice: str = LEARN
    of_class: SensitiveClass = "health"

    @property
    def reason(self) -> str:
        """Why it waits; empty where it doesn't."""
        return REASON.format(name=NAMES[self.of_class]) if self.choice == REVIEW else ""

    def check(self, field: str = "value") -> None:
        """Raise KeptOut for what is never kept."""
        if self.choice == NEVER:
            refusal = REFUSAL.format(name=NAMES[self.of_class])
            raise KeptOut(refusal, field=field, of_class=self.of_class)


NO_MATTER = Verdict()


def judge(policy: Policy, *texts: str) -> Verdict:
    """What is to be done with these texts; nothing is read where nothing is decided. 10 ms a sentence that is new."""
    if not policy:
        return NO_MATTER
    told = frozenset(name for text in texts if text for name in find_classes(text))
    decided = [Verdict(policy[name], name) for name in CLASSES if name in told and name in policy]
    never = next((one for one in decided if one.choice == NEVER), None)
    return never or next(iter(decided), NO_MATTER)


def is_told_freely(policy: Policy, text: str) -> bool:
    """Whether a text may stand where nobody would look at it first."""
    return not why_not_freely(policy, text)


def why_not_freely(policy: Policy, text: str) -> str:
    """Why somebody is to look at a text first, whatever is decided of its class; empty where nothing is."""
    verdict = judge(policy, text)
    return "" if verdict.choice == LEARN else REASON.format(name=NAMES[verdict.of_class])


def without_quote(policy: Policy, reason: str) -> str:
    """A reason to keep with a change, without the words it quotes where they tell of such a matter."""
    begin, mark, quote = reason.partition("“")
    return reason if not mark or is_told_freely(policy, quote.rstrip("”")) else f"{begin}“…”"


def find_refusal(policy: Policy, *texts: str) -> str:
    """Why texts that can't wait in review are refused; empty where they aren't."""
    verdict = judge(policy, *texts)
    if verdict.choice == NEVER:
        return REFUSAL.format(name=NAMES[verdict.of_class])
    return f"{verdict.reason} {CANT_WAIT}" if verdict.reason else ""


def judge_memory(policy: Policy, new: NewMemory) -> Verdict:
    """The same of a memory: its words, and what it is called by."""
    return judge(policy, *texts_of(new)) if policy else NO_MATTER


def texts_of(new: NewMemory) -> Sequence[str]:
    """What a memory says: its value, with its key where that says something more, and with its tags."""
    named = "" if not new.key or is_made_key(new.key, new.value) else _spelled(new.key)
    tags = ", ".join(_spelled(tag) for tag in new.tags)
    return (
        new.value,
        f"{named}: {new.value}" if named else "",
        f"{tags}: {new.value}" if tags else "",
    )


def _spelled(slug: str) -> str:
    """`blood-pressure` as words."""
    return " ".join(slug.replace("/", " ").replace("-", " ").replace("_", " ").split())
