"""Which rules of a person's own a new sentence takes back or replaces: both are read, so outside any transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from memories.understanding import Related, Understood
from nebo.reading.naming import find_named, named_words
from nebo.reading.reader import Meaning, Reading, Sentence, read_sentence
from nebo.reading.wishes import SINGLE, clear_slot, likely_slots, topic
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of, tenant_scope
from personality.models import PersonaCandidate
from personality.overlay import RULES
from personality.selectors import list_overlays

SAME_WORDS, SAME_MATTER = 0.6, 0.4  # how sure each makes it that a rule is meant
VAGUE = ("tone", "other")  # matters of which there are many
# Words that wishes about anything have in common.
_COMMON = {
    "again", "always", "answer", "answers", "antworte", "antworten", "any", "benutz", "benutze", "every",
    "immer", "jamais", "mai", "messages", "never", "nie", "nunca", "replies", "reply", "responde",
    "respuestas", "rispondi", "risposte", "réponds", "réponses", "schreib", "schreibe", "sempre", "siempre",
    "toujours", "usa", "usar", "usare", "use", "uses", "using", "utilise", "write",
}  # fmt: skip


def relate_rules(
    *, tenant: Tenant | UUID, profile_id: UUID, persona_id: UUID | None, understood: Sequence[Understood]
) -> list[Understood]:
    """Each message with the rules that its sentences end (`ends`) or replace (`changes`), by the candidate's id."""
    if not any(_is_asking(sentence) for one in understood for sentence in one.reading.sentences):
        return list(understood)
    with tenant_scope(tenant):
        rules = _list_rules(tenant, profile_id, persona_id or default_persona_id(tenant_id_of(tenant)))
    return [replace(one, related=(*one.related, *_relate(one.reading, rules))) for one in understood]


def _relate(reading: Reading, rules: Mapping[UUID, str]) -> Iterable[Related]:
    for sentence in filter(_is_asking, reading.sentences) if rules else ():
        named = named_words(sentence.text) - _COMMON
        for candidate_id, rule in rules.items():
            if sentence.meaning.may_be("wish_back"):
                near = _nearness(sentence.meaning, rule, named)
                if near:
                    yield Related(sentence.start, candidate_id, "ends", near)
            elif _is_other_answer(sentence.meaning, rule):
                yield Related(sentence.start, candidate_id, "changes", SAME_MATTER)


def _nearness(meaning: Meaning, rule: str, named: frozenset[str]) -> float:
    """How sure it is that a sentence which takes something back means this rule: 0 where nothing says so."""
    about = topic(likely_slots(meaning.slots)[0])
    same_matter = about == topic(likely_slots(read_sentence(rule).slots)[0])
    same_words = bool(find_named(named, rule))
    if not same_words and about in VAGUE:
        return 0.0
    return SAME_WORDS * same_words + SAME_MATTER * same_matter


def _is_other_answer(meaning: Meaning, rule: str) -> bool:
    """Whether a wish clearly answers what a rule answers, of which one answer holds; a condition limits either."""
    old = read_sentence(rule)
    about = clear_slot(meaning.slots)
    if about not in SINGLE or about != clear_slot(old.slots):
        return False
    return not (meaning.may_be("wish_if") or old.may_be("wish_if"))


def _is_asking(sentence: Sentence) -> bool:
    return sentence.meaning.may_be("wish_back") or sentence.meaning.may_be("wish")


def _list_rules(tenant: Tenant | UUID, profile_id: UUID, persona_id: UUID) -> dict[UUID, str]:
    """The rules that stand, by the wish that made each."""
    overlay = list_overlays(tenant=tenant, persona_id=persona_id, profile_id=profile_id).first()
    standing = list(overlay.fields.get(RULES, ())) if overlay else []
    made = PersonaCandidate.objects.for_tenant(tenant).filter(
        persona_id=persona_id, profile_id=profile_id, field=RULES, value__in=standing
    )
    return {candidate.pk: candidate.value for candidate in made.order_by("-updated_at")} if standing else {}
