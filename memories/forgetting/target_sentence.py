"""Which sentence of the person a request to forget means: one that has all of its words, else the one that tells of
the matter that it names ("forget the fight with Iker" of "Iker called me a thief"), else the one that surely is meant.

To be called outside a transaction; a handful of sentences is compared with the request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q

from memories.understanding import RelatedWords
from memories.withholding.word_sets import beginning_of
from nebo.reading.forgetting.matters import LIKELY, NAMES, find_matter, is_beside_matter, score_matter
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.cutting import LINK, PAUSE
from nebo.reading.meaning.given_names import likeness
from nebo.reading.meaning.lower_names import SURELY_NONE
from nebo.reading.meaning.reader import Sentence, encode, read_text, relation
from nebo.reading.meaning.sentences import Span, list_sentences
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import SWEEPING, named_words, share_named
from nebo.reading.words.pauses import split_at_pauses
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope

LOOKED_THROUGH = 60  # messages with a word of the request, the newest
SHORTLIST = 5  # sentences that it is read beside, 7 ms each
SCORED = 90  # sentences that may tell of the matter it names, the newest; 5 ms each
LEAST_WORDS = 3  # of a part of a sentence that may tell of it
MEANT = 0.90  # chance from which one is
MEANT_LAST = 0.5  # the same, of what was said last among what shares a word with a request that is surely one


def find_target_sentence(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, request: Sentence
) -> Iterable[RelatedWords]:
    """What a request to forget surely means of what was said, if anything. Opens a scope where it must."""
    named = named_words(request.text) - SWEEPING
    if not named:
        return
    with tenant_scope(tenant):
        messages = _list_messages(tenant, person_id, persona_id, named)
    shared = [
        (share_named(named, span.text), message, span)
        for message in messages
        for span in list_sentences(message.content)
        if span.text != request.text and not begins_to_forget(span.text)
    ]
    sharing = sorted((one for one in shared if one[0]), key=lambda one: -one[0])[: 2 * SHORTLIST]
    near = [one for one in sharing if not _asks_itself(one[2].text)][:SHORTLIST]
    if near and near[0][0] == 1:  # one that has all the words needs no reading
        yield _related_words(request, near[0][1], near[0][2], 1.0)
        return
    told = _find_of_matter(tenant, person_id, persona_id, request) or _find_by_its_own_words(request, sharing)
    if told:
        yield _related_words(request, *told, 1.0)
        return
    near = [one for one in near if not is_beside_matter(one[2].text, request.text)]
    read = [
        (relation(span.text, request.text).get("forget", 0.0), message, span) for _, message, span in near
    ]
    if alone := _find_alone(request.text, [span for _, _, span in near]):
        yield from (_related_words(request, message, span, 1.0) for _, message, span in near if span == alone)
        return
    chance, message, span = max(read, key=lambda one: one[0], default=(0.0, None, None))
    if span is not None and chance >= _least(request, message, [one for _, one, _ in near]):
        yield _related_words(request, message, span, chance)


def _find_of_matter(
    tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, request: Sentence
) -> tuple[Any, Span] | None:
    """The sentence, with its message, that tells most plainly of the matter that a request names, and of whom."""
    matter = find_matter(request.text)
    if not matter or not (request.meaning.is_sure("forget") or begins_to_forget(request.text)):
        return None
    clauses = (one for one in split_at_pauses(request.text) if NAMES[matter].search(one))
    clause = next(clauses, request.text)  # why it is asked, behind a comma, names nothing that was told
    others = named_words(NAMES[matter].sub(" ", clause)) - SWEEPING
    with tenant_scope(tenant):
        messages = _list_messages(tenant, person_id, persona_id, others)
    spans = [
        (message, span)
        for message in messages
        for span in list_sentences(message.content)
        if span.text != request.text and (not others or share_named(others, span.text) == 1)
    ]
    scored = [(_score(span.text, matter), message, span) for message, span in spans[:SCORED]]
    likely = sorted((one for one in scored if one[0] >= LIKELY), key=lambda one: -one[0])
    return next(((message, span) for _, message, span in likely if not _asks_itself(span.text)), None)


def _score(text: str, matter: str) -> float:
    """How plainly a sentence, or a part of it, tells of a matter: "don't tell anyone, but I smoke again"."""
    parts = [LINK.sub("", one, count=1) for one in PAUSE.split(text) if len(one.split()) >= LEAST_WORDS]
    return max(score_matter(one, matter) for one in dict.fromkeys((text, *parts)))


def _find_by_its_own_words(
    request: Sentence, sharing: Iterable[tuple[float, Any, Span]]
) -> tuple[Any, Span] | None:
    """The only sentence that has all words of a sure request but for names, which only say with whom it was."""
    own = named_words(request.text) - SWEEPING - _list_people(request.text)
    if not own or not (request.meaning.is_sure("forget") or begins_to_forget(request.text)):
        return None
    found = [
        (message, span)
        for _, message, span in sharing
        if share_named(own, span.text) == 1 and not _asks_itself(span.text)
    ]
    return found[0] if len(found) == 1 and not _is_of_another(request.text, found[0][1].text) else None


def _list_people(text: str) -> frozenset[str]:
    """The given names in a text; what else has a capital may be a noun: "the stuff about Timo and the Kaution"."""
    return frozenset(name.lower() for name in names_of(text) if likeness(name, encode) > SURELY_NONE)


def _is_of_another(request: str, said: str) -> bool:
    """Whether a sentence begins with somebody, or names one, whom a request doesn't: the row with the boss is no row
    with Odile.
    """
    who = find_antecedent(said)
    named = [*names_of(said), *(word for word in list_words(said) if kin_of(word))]
    others = [
        word for word in (*named, who.who if who else "") if word and word.lower() not in request.lower()
    ]
    return bool(others)


def _least(request: Sentence, message: Any, messages: Sequence[Any]) -> float:
    """The chance from which a sentence of a message is meant; `messages` are those that say something near."""
    is_last = all(one.recorded_at <= message.recorded_at for one in messages)
    return MEANT_LAST if is_last and request.meaning.is_sure("forget") else MEANT


def _asks_itself(text: str) -> bool:
    """Whether a sentence asks to forget, as this request does or another one: what they name was told elsewhere."""
    return bool(read_text(text).sure("forget"))


def _find_alone(request: str, near: Sequence[Span]) -> Span | None:
    """The only thing ever said of whom the request names, where nothing else shares a word with it."""
    names = frozenset(name.lower() for name in names_of(request)) & named_words(request)
    return near[0] if names and len(near) == 1 and share_named(names, near[0].text) == 1 else None


def _related_words(request: Sentence, message: Any, span: Span, chance: float) -> RelatedWords:
    return RelatedWords(request.start, message.pk, "forget", chance, begin=span.start, end=span.end)


def _list_messages(
    tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, named: Iterable[str]
) -> list[Any]:
    """Those with one of the words, or all where there is none; of sessions with this persona or with none. Known by
    name only: sessions stands above.
    """
    words = [Q(content__icontains=beginning_of(word)) for word in named]
    wanted = reduce(or_, words) if words else Q()
    messages: Any = apps.get_model("agent_sessions", "Message")
    audience = Q(session__persona_id=None) | Q(session__persona_id=persona_id)
    rows = messages.objects.for_tenant(tenant).filter(wanted, audience, person_id=person_id, role="user")
    return list(rows.order_by("-recorded_at")[:LOOKED_THROUGH])
