"""What may be shared with a team: whose memory it is, in which state, and what its words say.

Whoever reads it elsewhere is shown somebody else's words, so they are screened as such, even if the person wrote them.
Sensitive matters are recognised by meaning, as all that is said; what the reader overlooks only the person can judge.
"""

from __future__ import annotations

from memories.models import Memory
from memories.screening.checks import find_reason
from memories.screening.orders import find_order_reason
from nebo.reading.meaning.reader import Sentence, read_text
from nebo.tenants.models import UserProfile

SENSITIVE = ("health", "allergy", "body", "diet", "belief", "partner", "family")  # slots
SENSITIVE_CHANCE = 0.2  # of those together, from which a sentence is taken for one
PERSONAL = ("name", "age", "birthday", "home", "origin", "friend", "pet", "hobby", "taste", "trait", "money")

OFF = "Team memory is switched off in this workspace. Store it without “visibility”."
NOT_LIVE = "Only a memory that agents may use can be shared."
NOT_EVERYWHERE = "What belongs to one session, or to everyone already, can't be shared."
CONFIDED = "It is for one persona alone."
CONFIDENCE = "It reads like a confidence."
PRIVATE = "It reads like something about health, belief or family: that is never the team's."
OF_A_PERSON = "It reads like a fact about a person. Only they can share that, on the memory's page."
NO_PROJECT = "An agent shares decisions and facts about projects alone: type “project”."


def find_refusal(text: str) -> str:
    """Why nobody may share these words, or empty."""
    sentences = read_text(text).sentences
    if any(sentence.meaning.may_be("confidence") for sentence in sentences):
        return CONFIDENCE
    return PRIVATE if any(map(_is_sensitive, sentences)) else ""


def find_agent_refusal(text: str, kind: str) -> str:
    """Why an agent may not share them, or empty: it can't know that the person agrees to more than their work."""
    if kind != Memory.Type.PROJECT:
        return NO_PROJECT
    personal = any(map(_is_personal, read_text(text).sentences))
    return find_refusal(text) or (OF_A_PERSON if personal else "")


def find_order(text: str) -> str:
    """Why other people's agents may not read these words, or empty."""
    return find_reason(text) or find_order_reason(text)


def find_state_refusal(memory: Memory) -> str:
    """Why a memory can't be shared as it stands, whatever it says; or empty. `memory.person` is loaded."""
    if memory.status != Memory.Status.ACTIVE:
        return NOT_LIVE
    if memory.scope != Memory.Scope.USER or memory.person.kind != UserProfile.Kind.PERSON:
        return NOT_EVERYWHERE
    return CONFIDED if memory.persona_id else ""


def read_shared_ahead(text: str) -> None:
    """Read what is about to be shared while no transaction is open; what was read is kept."""
    find_refusal(text)
    find_order(text)


def _is_sensitive(sentence: Sentence) -> bool:
    return sum(sentence.meaning.slots.get(slot, 0.0) for slot in SENSITIVE) >= SENSITIVE_CHANCE


def _is_personal(sentence: Sentence) -> bool:
    """Said of somebody near to the person, or of who the person is."""
    meaning = sentence.meaning
    return meaning.may_be("relative") or (meaning.may_be("lasting") and meaning.slot in PERSONAL)
