"""Which rules of a person's own a new sentence takes back or replaces: both are read, so outside any transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memories.understanding import Related, Understanding
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Reading, Sentence, read_sentence, relation
from nebo.reading.requests.forms import read_language_rule, sets_extent, speaks_of_address
from nebo.reading.requests.limits import is_limited
from nebo.reading.requests.wishes import (
    ADDRESS,
    SINGLE,
    clear_slot,
    direction,
    goes_against,
    is_negated,
    likely_slots,
    main_slot,
    read_names,
    read_values,
)
from nebo.reading.words.naming import find_named, named_words
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of, tenant_scope
from personality.fields import RULES
from personality.models import PersonaCandidate, PersonaOverlay
from personality.overlays.overlay import ABOUT
from personality.overlays.selectors import list_overlays

SAME_WORDS, SAME_SLOT = 0.6, 0.4  # how sure each makes it that a rule is meant
OVER: tuple[Relation, ...] = (
    "ends",
    "dropped",
    "forget",
    "changes",
)  # what the pair says of a rule that is over
OVER_BY_PAIR = (
    0.6  # chance of these together from which what says nothing by itself takes back a form of address
)
EXCEPTED = 0.6  # chance, with "same", from which a sentence speaks of what a rule speaks of
OTHER_CASE = 0.3  # by how much a rule for one case is less likely meant where nothing of that is named
LIMITED = 0.5  # chance of changing it from which a condition is given another answer
NEAR = 0.2  # chance of taking something back, where what it is about stands
VAGUE = ("tone", "other")  # topics of which there are many
# Words that wishes about anything have in common.
_COMMON = {
    "again", "always", "answer", "answers", "antworte", "antworten", "any", "benutz", "benutze", "every",
    "immer", "jamais", "mai", "messages", "never", "nie", "nunca", "replies", "reply", "responde",
    "respuestas", "rispondi", "risposte", "réponds", "réponses", "schreib", "schreibe", "sempre", "siempre",
    "toujours", "usa", "usar", "usare", "use", "uses", "using", "utilise", "write",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RelatedRule(Related):
    """What a sentence is to a rule of the person's own: `object_id` is the candidate, or the overlay for a field.

    `over` is how likely the pair of both makes it that the rule is over: of several it tells which is meant.
    """

    over: float = 0.0


def relate_rules(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, understood: Sequence[Understanding]
) -> list[Understanding]:
    """Each message with the rules that its sentences end (`ends`) or replace (`changes`), by the candidate's id."""
    if not any(_is_asking(sentence) for one in understood for sentence in one.reading.sentences):
        return list(understood)
    whose = persona_id or default_persona_id(tenant_id_of(tenant))
    with tenant_scope(tenant):
        overlay = list_overlays(tenant=tenant, persona_id=whose, person_id=person_id).first()
        rules = _list_rules(tenant, overlay) if overlay else {}
    if overlay is None:
        return list(understood)
    return [replace(one, related=(*one.related, *_relate(one.reading, overlay, rules))) for one in understood]


def list_current_rules(*, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> dict[UUID, str]:
    """What a person asked of a persona in words of their own and still stands, by the wish that made each. In the
    caller's scope.
    """
    whose = persona_id or default_persona_id(tenant_id_of(tenant))
    overlay = list_overlays(tenant=tenant, persona_id=whose, person_id=person_id).first()
    return _list_rules(tenant, overlay) if overlay else {}


def _relate(reading: Reading, overlay: PersonaOverlay, rules: Mapping[UUID, str]) -> Iterable[Related]:
    for sentence in filter(_is_asking, reading.sentences):
        if _is_near_field(sentence.meaning, overlay):
            yield RelatedRule(sentence.start, overlay.pk, "ends", sentence.meaning.chances["wish_back"])
        for candidate_id, rule in rules.items():
            yield from _relate_rule(sentence, candidate_id, rule)


def _relate_rule(sentence: Sentence, candidate_id: UUID, rule: str) -> Iterable[Related]:
    start, meaning = sentence.start, sentence.meaning
    named = named_words(sentence.text) - _COMMON
    if meaning.may_be("wish_back"):
        near = _nearness(meaning, rule, named)
        if near:
            limited = is_limited(rule, read_sentence(rule)) and not find_named(named, rule)
            over = _chance(rule, sentence, OVER) - OTHER_CASE * limited
            yield RelatedRule(start, candidate_id, "ends", near, over)
    elif _drops_address(sentence, rule):
        yield RelatedRule(start, candidate_id, "ends", SAME_WORDS, 1.0)
    elif _is_exception(sentence, rule, named):
        yield RelatedRule(start, candidate_id, "beside", SAME_WORDS)
    elif meaning.may_be("wish") and _is_other_answer(sentence, rule):
        yield RelatedRule(start, candidate_id, "changes", SAME_SLOT)


def _chance(rule: str, sentence: Sentence, kinds: Iterable[Relation]) -> float:
    chances = relation(rule, sentence.text)
    return sum(chances.get(kind, 0.0) for kind in kinds)


def _drops_address(sentence: Sentence, rule: str) -> bool:
    """Whether it says that a form of address is over by its name: "Boss was a joke, drop it, just use my name"."""
    name = rule.removeprefix(ADDRESS)
    if name == rule or not find_named({name.lower()}, sentence.text) or read_names(sentence.text):
        return False
    return not sentence.meaning.is_sure("question") and _chance(rule, sentence, OVER) >= OVER_BY_PAIR


def _is_exception(sentence: Sentence, rule: str, named: frozenset[str]) -> bool:
    """Whether it allows in one case what a rule forbids: "bullet points are ok for shopping lists"."""
    meaning = sentence.meaning
    if (
        meaning.is_sure("question")
        or meaning.may_be("wish")
        or is_negated(sentence.text)
        or not is_negated(rule)
    ):
        return False
    common = find_named(named, rule)
    about = main_slot(meaning.slots) == main_slot(read_sentence(rule).slots)
    more = named - common
    return bool(common and more and about) and _chance(rule, sentence, (*OVER, "same")) >= EXCEPTED


def _nearness(meaning: Meaning, rule: str, named: frozenset[str]) -> float:
    """How sure it is that a sentence which takes something back means this rule: 0 where nothing says so."""
    about = main_slot(meaning.slots)
    same_slot = about == main_slot(read_sentence(rule).slots)
    same_words = bool(find_named(named, rule))
    if not same_words and about in VAGUE:
        return 0.0
    return SAME_WORDS * same_words + SAME_SLOT * same_slot


def _is_near_field(meaning: Meaning, overlay: PersonaOverlay) -> bool:
    """Whether a sentence may take back a field that was wished for, which is what it is clearly about."""
    fields = ABOUT.get(clear_slot(meaning.slots), ())
    return meaning.chances["wish_back"] >= NEAR and any(name in overlay.fields for name in fields)


def _is_other_answer(sentence: Sentence, rule: str) -> bool:
    """Whether a wish clearly answers what a rule answers, of which one answer holds, or asks for its opposite; a
    condition limits either.
    """
    meaning, old = sentence.meaning, read_sentence(rule)
    if speaks_of_address(sentence.text) and speaks_of_address(rule):
        return True
    if is_limited(sentence.text, meaning) or is_limited(rule, old):
        return _is_under_same_condition(sentence, rule)
    if sets_extent(sentence.text) and sets_extent(rule):
        return True
    values = [one.value for slot in likely_slots(meaning.slots) for one in read_values(sentence.text, slot)]
    if any(goes_against(old.slots, direction(value)) for value in values):
        return True
    about = clear_slot(meaning.slots)
    if about in SINGLE and about == clear_slot(old.slots):
        return True
    about = main_slot(meaning.slots)
    named = named_words(sentence.text) - _COMMON
    return about in SINGLE and about == main_slot(old.slots) and bool(find_named(named, rule))


def _is_under_same_condition(sentence: Sentence, rule: str) -> bool:
    """Whether it gives what a rule says under a condition another answer under the same one."""
    answer, when = read_language_rule(sentence.text)
    held, held_when = read_language_rule(rule)
    if answer and held:
        return answer != held and bool(held_when) and held_when <= when
    meaning, old = sentence.meaning, read_sentence(rule)
    about = main_slot(old.slots)
    both = is_limited(sentence.text, meaning) and is_limited(rule, old)
    if not both or about not in SINGLE or about != main_slot(meaning.slots):
        return False
    named = named_words(rule) - _COMMON
    return bool(find_named(named, sentence.text)) and _chance(rule, sentence, ("changes", "ends")) >= LIMITED


def _is_asking(sentence: Sentence) -> bool:
    meaning = sentence.meaning
    if clear_slot(meaning.slots) in ("address", "format", *SINGLE):
        return True
    return meaning.may_be("wish_back") or meaning.may_be("wish") or meaning.chances["wish_back"] >= NEAR


def _list_rules(tenant: Tenant | UUID, overlay: PersonaOverlay) -> dict[UUID, str]:
    """The rules that stand, by the wish that made each."""
    standing = list(overlay.fields.get(RULES, ()))
    made = PersonaCandidate.objects.for_tenant(tenant).filter(
        persona_id=overlay.persona_id, person_id=overlay.person_id, field=RULES, value__in=standing
    )
    return {candidate.pk: candidate.value for candidate in made.order_by("-updated_at")} if standing else {}
