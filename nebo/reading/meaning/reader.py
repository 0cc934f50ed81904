"""The way into reading: what kind of thing each sentence says, and how a new sentence relates to something known.

Pure and deterministic: the same text is read the same way by every process. It takes 5 ms a sentence, so callers
read outside their transactions and keep to `limit` while somebody waits. Each process caches what it read.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nebo.encoders.files import has_e5
from nebo.encoders.weights import Array
from nebo.reading.meaning.answered import part_answer, state_answer
from nebo.reading.meaning.antecedents import (
    find_antecedent,
    find_company,
    find_only_relative,
    name_antecedent,
    names_others,
)
from nebo.reading.meaning.asked_after import state_done
from nebo.reading.meaning.clauses import OF_BODY, list_parts
from nebo.reading.meaning.continued import join_continued, names_it
from nebo.reading.meaning.heads import Heads, load_heads, sigmoid, softmax
from nebo.reading.meaning.kinds import OF_MANNER, Kind, Relation
from nebo.reading.meaning.led import as_confided, as_ordered, as_reported
from nebo.reading.meaning.lower_names import write_names
from nebo.reading.meaning.one_more import as_one_more
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.opening_names import as_called, say_who_speaks
from nebo.reading.meaning.pairs import pair_text
from nebo.reading.meaning.repairs import repair
from nebo.reading.meaning.requests_apart import opens_material
from nebo.reading.meaning.sentences import Span, list_sentences
from nebo.reading.meaning.sharing import find_being, say_of_oneself
from nebo.reading.meaning.spellings import list_spellings
from nebo.reading.meaning.strange_names import past_strange_name
from nebo.reading.meaning.telling import TELLING, tells
from nebo.reading.meaning.told_wrong import without_told_wrong
from nebo.reading.meaning.trades import FAR, MAYBE, SURELY, find_noun, nearness, tells_of_permanence
from nebo.reading.meaning.wish_tails import with_tails
from nebo.reading.wording.elided import is_surely_own, name_speaker
from nebo.reading.words.clefts import put_plainly
from nebo.reading.words.fillers import without_fillers
from nebo.reading.words.openers import is_greeting
from nebo.reading.words.plain_words import in_plain_spelling, in_plain_words

if TYPE_CHECKING:
    from nebo.encoders.loading import Encoder

CACHED = 4_000  # sentences, some 600 bytes each
MULTILINGUAL, ENGLISH = "e5", "minilm"
LEANS_ON = 3  # sentences before one that says "she", in which it may stand whom it means
TELLS = 0.6  # worth from which a sentence says something by itself
PLAIN_WORTH = 0.95  # of saying what one does for a living
SLIGHT = 0.7  # chance of being small talk from which that is no trade after all
OF_CHARACTER = ("trait", "hobby", "family", "origin")  # slots of what else one is
CHARACTER = 0.6  # chance of one of those, from which a noun that is near to trades is none
A_LITTLE = 0.3  # the same of a noun that only may be one
UNSURE = 0.35  # chance of the likeliest slot, below which none is
DOUBT = 0.5  # chance from which something is said of somebody else, or not meant
AGAINST: tuple[Kind, ...] = ("passing", "joking", "supposed", "quoted", "question", "wish", "forget")
QUIP = (
    0.3  # chance of a joke, and of telling something, from which a sentence is read in other spellings, too
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message, `message[start:end]`, and what it is.

    `leans`: it says "she" of somebody whom the message before it told of, and is read with the name.
    """

    text: str
    start: int
    end: int
    meaning: Meaning
    leans: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The sentences of one message that were read; `complete` unless a limit left some for later."""

    sentences: tuple[Sentence, ...] = ()
    complete: bool = True

    def sure(self, kind: Kind) -> list[Sentence]:
        """Those that are surely of a kind, in their order."""
        return [sentence for sentence in self.sentences if sentence.meaning.is_sure(kind)]

    def possible(self, kind: Kind) -> list[Sentence]:
        """Those that may be of a kind, the sure ones too."""
        return [sentence for sentence in self.sentences if sentence.meaning.may_be(kind)]


NOTHING_READ = Reading(complete=False)


@dataclass(slots=True)
class _Loaded:
    encoder: Encoder | None = None
    heads: Heads | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


_loaded = _Loaded()


def _renew_lock() -> None:
    _loaded.lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def encoder_name() -> str:
    """Which encoder reads here: the multilingual one, or where its wheel isn't installed, the English one."""
    return MULTILINGUAL if has_e5() else ENGLISH


def read_with(name: str, fitted: Path | None = None) -> None:
    """Read with the encoder of this name from now on, whatever is installed; for whoever measures it or a fit."""
    _loaded.heads = load_heads(name, fitted)
    _loaded.encoder = _open_encoder(name, _loaded.heads)
    _meaning.cache_clear()
    _with_trade.cache_clear()
    _relation.cache_clear()
    _as_led.cache_clear()


def digest() -> str:
    """Tells which heads decided: `e5-…` and the beginning of their file's hash."""
    return f"{encoder_name()}-{_load()[1].digest}"


def read_text(text: str, *, limit: int | None = None, before: str = "", asked: str = "") -> Reading:
    """The sentences of a text, at most the first `limit`; `before` is what the same speaker had said just before, and
    `asked` what somebody else said in between, which its first words may answer.
    """
    spans = list_sentences(text)
    read = repair(spans if limit is None else spans[:limit], read_sentence)
    leading = [one.text for one in list_sentences(before)[-LEANS_ON:]]
    parts: list[tuple[Span, bool]] = []
    stated, told = "", list[str]()
    for answer, *goes_on in [part_answer(one) for one in read[:1] if asked]:
        stated = _as_answer(asked, answer.text)
        read = [replace(answer, text=stated), *goes_on, *read[1:]] if stated else read
    for number, typed in enumerate(read):
        earlier = [*told]
        greeted = number > 0 and is_greeting(read[0].text)
        opened = say_who_speaks(typed.text, encode, greeted=greeted) if number == 0 or greeted else typed.text
        written = without_fillers(write_names(opened, read_sentence, encode, greeted=greeted))
        span = replace(typed, text=_with_speaker(put_plainly(written)))
        told.append(span.text)
        whole = _with_antecedent(earlier, _with_being(earlier[-1] if earlier else "", span))
        near = earlier if earlier and names_it(whole.text) else [*leading, *earlier]
        named = as_one_more(near[-1] if near else "", _with_antecedent(near, whole), read_sentence)
        told[-1] = named.text
        leans = named != whole or (number == 0 and stated != "")
        holds = without_told_wrong(named, read_sentence)
        parts += [(one, leans) for one in ([holds] if holds != named else list_parts(named, read_sentence))]
        if opens_material(span, read_sentence):
            break
    parts = with_tails(_joined(parts), read_sentence)
    behind: list[Span | None] = [*(one for one, _ in parts[1:]), None]
    found = [
        replace(_with_reason(one, later), leans=leans)
        for (one, leans), later in zip(parts, behind, strict=bool(parts))
    ]
    return Reading(tuple(found), complete=limit is None or len(spans) <= limit)


def _as_answer(asked: str, text: str) -> str:
    """The statement that answers what was asked, where it tells something, or what is to do or done; else empty."""
    stated = state_answer(asked, text) if asked else ""
    if stated and (tells(read_sentence(stated)) or read_sentence(stated).is_sure("todo")):
        return stated
    done = state_done(asked, text) if asked else ""
    return done if done and read_sentence(done).may_be("done") else ""


def _joined(parts: list[tuple[Span, bool]]) -> list[tuple[Span, bool]]:
    """With what is told in two sentences as one; it leans on the message before if one of its parts does."""
    leaning = [one for one, leans in parts if leans]
    together = join_continued([one for one, _ in parts], read_sentence)
    return [(one, any(one.start <= part.start < one.end for part in leaning)) for one in together]


def _with_speaker(text: str) -> str:
    """With the "I" that it leaves out, where it then surely tells something or names a task, and didn't before."""
    named = name_speaker(text)
    if named == text:
        return text
    alone, spoken = read_sentence(text), read_sentence(named)
    is_task = spoken.is_sure("todo") and not alone.is_sure("todo")
    says_more = not tells(alone) or is_surely_own(text)
    return named if is_task or (tells(spoken) and says_more) else text


def _with_antecedent(earlier: Sequence[str], span: Span) -> Span:
    """With whom it is about in the place of "she", where it then tells something and didn't before."""
    for text in earlier[: -LEANS_ON - 1 : -1]:
        antecedent = find_antecedent(text) or find_company(text) or find_only_relative(text)
        if antecedent is None and names_others(text):  # either may be meant
            return span
        if antecedent is None:
            continue
        named = name_antecedent(span.text, antecedent)
        worth = read_sentence(named).worth["good"] if named else 0.0
        is_plainer = worth >= TELLS and worth > read_sentence(span.text).worth["good"]
        return Span(named, span.start, span.end) if is_plainer else span
    return span


def read_all(texts: Sequence[str], *, limit: int) -> list[Reading]:
    """Several texts, the newest last: all of them if they have at most `limit` sentences, the last ones otherwise."""
    left = limit
    found: list[Reading] = []
    for text in reversed(texts):
        count = len(list_sentences(text))
        found.append(read_text(text) if count <= left else NOTHING_READ)
        left -= count if count <= left else left
    return found[::-1]


def encode(text: str) -> Array:
    """The vector that is read, (384,): of a sentence, or of several."""
    return _load()[0].encode(text)


def relation(old: str, new: str) -> Mapping[Relation, float]:
    """What `new` is to `old`: a chance for each relation, adding up to one. Empty where no head can tell."""
    heads = _load()[1]
    return _relation(pair_text(in_plain_words(old), in_plain_words(new))) if heads.relation else {}


def read_sentence(text: str) -> Meaning:
    """What one sentence is."""
    return _with_trade(in_plain_spelling(text))


@lru_cache(CACHED)
def _with_trade(text: str) -> Meaning:
    """Where a sentence says in earnest what somebody is, and that is a trade, it is about work and worth keeping."""
    meaning, noun = _meaning(text), find_noun(text)
    if tells_of_permanence(text):
        return _as_made_permanent(meaning)
    if not noun or encoder_name() != MULTILINGUAL or meaning.chances["lasting"] < DOUBT:
        return meaning
    if any(meaning.chances[kind] >= DOUBT for kind in AGAINST) or meaning.worth["trivial"] >= SLIGHT:
        return meaning
    near, otherwise = nearness(noun, _load()[0].encode), sum(meaning.slots[slot] for slot in OF_CHARACTER)
    if near < MAYBE or otherwise >= (CHARACTER if near >= SURELY else A_LITTLE):
        return meaning
    told_by_itself = (
        meaning.worth["good"] >= PLAIN_WORTH
    )  # then what it is about is read well enough, if not surely
    of_work = near >= SURELY or (meaning.slot_chance < UNSURE and not told_by_itself)
    if not of_work or meaning.slot == "work":
        return _as_worth_keeping(meaning)
    return _of_work(_as_worth_keeping(meaning))


def _as_made_permanent(meaning: Meaning) -> Meaning:
    """News of one's work, unless it is asked, supposed or still to come; what reads as a joke is none."""
    against: tuple[Kind, ...] = ("question", "quoted", "supposed", "todo", "forget")
    if any(meaning.chances[kind] >= DOUBT for kind in against):
        return meaning
    unlike = dict.fromkeys(("joking", "passing", "other", "relative"), 0.0)
    chances = {**meaning.chances, **unlike, "event": PLAIN_WORTH}
    acts = (meaning.acts - unlike.keys()) | {"event"}
    return _as_worth_keeping(_of_work(replace(meaning, chances=chances, acts=acts)))


def _of_work(meaning: Meaning) -> Meaning:
    slots = {slot: chance * (1 - PLAIN_WORTH) for slot, chance in meaning.slots.items()}
    slots["work"] += PLAIN_WORTH
    return replace(meaning, slot="work", slot_chance=slots["work"], slots=slots)


def trade_nearness(noun: str) -> float:
    """How near a noun is to trades; neither near nor surely far where no reader can tell."""
    return nearness(noun, encode) if encoder_name() == MULTILINGUAL else FAR


def _as_worth_keeping(meaning: Meaning) -> Meaning:
    if meaning.worth["good"] >= PLAIN_WORTH:
        return meaning
    rest = (1 - PLAIN_WORTH) / 2
    return replace(meaning, worth={"good": PLAIN_WORTH, "trivial": rest, "wrong": rest})


def _with_being(before: str, span: Span) -> Span:
    """What is told without a verb behind "I'm Ruth." is told of the speaker: "41, structural engineer"."""
    be = find_being(before)
    alone = find_being(span.text) or not be
    return span if alone else say_of_oneself(span, be, read_sentence) or span


def _with_reason(span: Span, behind: Span | None) -> Sentence:
    """A request about the manner of answers is read with the sentence behind it, which may say that it is to last:
    "Could you lose the smileys? They irritate me."
    """
    meaning = _as_led(span.text)
    if span.read_as:
        own, meaning = meaning, _as_led(span.read_as)
        meaning = replace(meaning, slot=own.slot, slot_chance=own.slot_chance, slots=own.slots)
    asks = meaning.is_sure("request") or meaning.is_sure("question")
    if behind and asks and not meaning.may_be("wish") and meaning.slot in OF_MANNER:
        together = read_sentence(f"{span.text} {behind.text}")
        lasts = together.may_be("wish") and together.slot == meaning.slot
        meaning = together if lasts else meaning
    return Sentence(span.text, span.start, span.end, meaning)


@lru_cache(CACHED)
def _as_led(text: str) -> Meaning:
    """What a sentence is, whatever leads up to it."""
    meaning = read_sentence(text)
    called = as_called(text, encode)
    if called and not (meaning.slot == "work" and meaning.slot_chance >= DOUBT):
        meaning = read_sentence(called)
    meaning = as_reported(text, as_confided(text, meaning, read_sentence), read_sentence, encode)
    return as_ordered(text, meaning, read_sentence)


@lru_cache(CACHED)
def _meaning(text: str) -> Meaning:
    """What the heads say; on average over its spellings where something that is told may be a joke or not."""
    meaning = past_strange_name(text, encode, _read_vector)
    may_tell = meaning.slot in OF_BODY or max(meaning.chances[kind] for kind in TELLING) >= QUIP
    is_plain = meaning.chances["joking"] < QUIP or not may_tell
    return meaning if is_plain else _read_vector(*map(encode, list_spellings(text)))


def _read_vector(*vectors: Array) -> Meaning:
    heads = _load()[1]
    kinds, worths, answers = (
        np.mean([squash(head.score(vector)) for vector in vectors], axis=0)
        for head, squash in ((heads.kinds, sigmoid), (heads.worth, softmax), (heads.slot, softmax))
    )
    chances = dict(zip(heads.kinds.names, kinds.tolist(), strict=True))
    slots = dict(zip(heads.slot.names, answers.tolist(), strict=True))
    slot = max(slots, key=slots.__getitem__)
    return Meaning(
        chances=chances,
        worth=dict(zip(heads.worth.names, worths.tolist(), strict=True)),
        slot=slot,
        slot_chance=slots[slot],
        slots=slots,
        acts=frozenset(kind for kind, limit in heads.act.items() if chances.get(kind, 0) >= limit),
        asks=frozenset(kind for kind, limit in heads.ask.items() if chances.get(kind, 0) >= limit),
    )


@lru_cache(CACHED)
def _relation(text: str) -> Mapping[Relation, float]:
    encoder, heads = _load()
    if heads.relation is None:
        return {}
    scores = softmax(heads.relation.score(encoder.encode(text))).tolist()
    return dict(zip(heads.relation.names, scores, strict=True))  # type: ignore[return-value]  # named by RELATIONS


def _load() -> tuple[Encoder, Heads]:
    if _loaded.encoder is None or _loaded.heads is None:
        with _loaded.lock:
            if _loaded.encoder is None or _loaded.heads is None:
                name = encoder_name()
                heads = load_heads(name)
                _loaded.heads, _loaded.encoder = heads, _open_encoder(name, heads)
    return _loaded.encoder, _loaded.heads


def _open_encoder(name: str, heads: Heads) -> Encoder:
    encoders = _encoders()
    load = encoders.load_e5 if name == MULTILINGUAL else encoders.load_minilm
    encoder: Encoder = load(heads.adapter)
    return encoder


def _encoders() -> Any:
    """Loaded at the first sentence: onnxruntime takes 40 MB, which processes that read nothing needn't pay."""
    return import_module("nebo.encoders.loading")
