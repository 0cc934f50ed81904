"""What was said in a conversation, sentence by sentence, with its weight for a summary: read by its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from nebo.llm.types import ChatMessage
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.led import as_reported
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import Sentence, encode, read_sentence
from nebo.reading.meaning.repairs import repair, set_right
from nebo.reading.meaning.requests_apart import opens_material
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.words.naming import find_named, named_words
from nebo.reading.words.openers import without_opener

ASSISTANT, USER = "Assistant", "User"  # who speaks, where no name is known
PROSE = "summary"  # role of a line that an earlier summary says in nobody's words
MIN_WORDS = 3
MAX_CHARS = 280  # characters of a sentence; a longer one is cut at a word
REPLY_SENTENCES = 4  # of an assistant's message that are read: it answers first and explains later
DOUBT = 0.5  # chance from which a kind counts
IDLE: tuple[Kind, ...] = (
    "passing",
    "joking",
    "forget",
    "asks_back",
    "wish",
    "wish_back",
)  # say nothing that lasts
UNSURE: tuple[Kind, ...] = ("quoted", "supposed")
ASKS_BACK = 0.4  # chance of asking back from which a question does nothing else
UNSURE_SHARE = 0.4  # of its weight that such a sentence keeps
ASKED, OPEN, CORRECTED, SETTLED, WONDERED = 1.0, 1.05, 1.1, 0.4, 0.2  # weights by what a sentence does
CORRECTED_FROM = 2  # sentences of a person before a short correction, of which it may be about one
CORRECTS = 0.4  # chance of being a correction from which another number counts as one
UNTELLING = 0.7  # share of its worth that a sentence keeps which tells nothing by itself
TELLS: tuple[Kind, ...] = ("lasting", "relative", "other", "event", "todo", "ended")
TELLING = 0.3  # chance of one of these from which it does
VITAL, NEAR, LASTS = 0.3, 0.15, 0.1  # what comes on top, by what it is about
REPLY_SHARE = 0.5  # of a sentence's worth, where the assistant said it
VITAL_SLOTS = ("allergy", "health")
NEAR_SLOTS = ("home", "work", "family", "partner", "decision", "project", "diet", "birthday")
# Without the sentence before it, it says nothing: "She needs a passport.", "My sister lives there."
_POINTS_BACK = re.compile(
    r".*\b(?:there|dort|dahin|allí|ahí|là-bas|lì|laggiù)\b(?!['’]s| (?:is|are|was|were)\b)"
    r"|(?:he|she|they|it|this|that|these|those|his|hers?|their|its|er|sie|es|das|dies\w*|ihr|sein\w*|él|ella|ellos|ellas"
    r"|eso|esto|il|elle|ils|elles|ça|cela|lui|lei|loro|questo|quello)(?:['’]\w+)?\b",
    re.IGNORECASE,
)


_NUMBER = re.compile(r"\d")
SHORT = 4  # words of a correction, up to which it says nothing without what it corrects
# A greeting from somewhere, and what breaks off: "Servus aus Graz!", "I still have to…".
_TELLS_NOTHING = re.compile(
    r"[^\W\d_]+ (?:from|aus|von|desde|de|depuis|da|dal|uit) [^\W\d_]+\W*$|.*\w ?(?:\.\.\.|…)$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence: who said it when, in which message, at which place of the conversation, and its weight.

    `leans`: it means something only behind the sentence before it, which is of the same message.
    """

    text: str
    speaker: str
    role: str
    on: date | None
    message: int
    place: int
    sentence: Sentence
    weight: float
    leans: bool = False

    @property
    def points_back(self) -> bool:
        """Whether it means little by itself."""
        return points_back(self.text)

    @property
    def meaning(self) -> Meaning:
        return self.sentence.meaning


def points_back(text: str) -> bool:
    """Whether a sentence means little without the one before it."""
    return bool(_POINTS_BACK.match(text))


def score_sentences(material: Sequence[ChatMessage]) -> list[ScoredSentence]:
    """The sentences of people and assistants, in order; those too short to say anything left out."""
    sentences: list[ScoredSentence] = []
    for number, message in enumerate(material):
        for sentence in _read(message):
            sentences.append(_scored(sentence, message, number, len(sentences), sentences[-1:]))
    return list(with_corrections(sentences))


def with_corrections(sentences: Sequence[ScoredSentence]) -> Iterator[ScoredSentence]:
    """A short correction is set into the sentence of the same person that it is about, and weighs nothing itself."""
    right = list(sentences)
    for number, one in enumerate(sentences):
        if number and (text := _put_right_at_once(right[number - 1], one)):
            right[number - 1] = replace(right[number - 1], text=text)
            right[number] = replace(one, weight=0.0)
            continue
        if not _is_bare_correction(one):
            continue
        for place in _may_be_corrected(right[:number], one):
            if text := put_right(right[place].text, one.text):
                weight = max(right[place].weight, one.weight)
                right[place] = replace(right[place], text=text, weight=weight)
                right[number] = replace(one, weight=0.0)
                break
        else:
            if len(one.text.split()) <= SHORT:
                right[number] = replace(one, weight=0.0)
    yield from right


def _put_right_at_once(before: ScoredSentence, one: ScoredSentence) -> str:
    """What was just said, as a person puts it right in a few words; empty where they don't."""
    told = before.role == one.role == "user" and before.weight > 0 and one.meaning.worth["good"] < DOUBT
    return set_right(before.text, one.text, read_sentence) if told else ""


def _is_bare_correction(one: ScoredSentence) -> bool:
    return one.role == "user" and one.meaning.worth["good"] < DOUBT and _corrects(one.sentence)


def _corrects(sentence: Sentence) -> bool:
    """Surely, or likely with a number."""
    chance = sentence.meaning.chances["correction"]
    return sentence.meaning.may_be("correction") or bool(chance >= CORRECTS and _NUMBER.search(sentence.text))


def _may_be_corrected(before: Sequence[ScoredSentence], correction: ScoredSentence) -> list[int]:
    """The places of what was said right before, and of what has a word of the correction, the newest first."""
    own = [place for place, one in enumerate(before) if one.role == correction.role]
    named = named_words(correction.text)
    about = [place for place in own if find_named(named, before[place].text)]
    return sorted({*own[-CORRECTED_FROM:], *about[-CORRECTED_FROM:]}, reverse=True)


def _read(message: ChatMessage) -> Iterator[Sentence]:
    """A person's message whole, up to a text to work on; of a reply its beginning."""
    limit = REPLY_SENTENCES if message.role == "assistant" else None
    if message.role not in ("user", "assistant", PROSE):
        return
    spans = list_sentences(message.content)[:limit]
    for span in repair(spans, read_sentence) if message.role == "user" else spans:
        meaning = as_reported(span.text, read_sentence(span.text), read_sentence, encode)
        yield Sentence(span.text, span.start, span.end, meaning)
        if opens_material(span, read_sentence):
            return


def _scored(
    sentence: Sentence, message: ChatMessage, number: int, place: int, before: list[ScoredSentence]
) -> ScoredSentence:
    text = _plain(sentence.text)
    return ScoredSentence(
        text=text,
        speaker=_speaker(message),
        role=message.role,
        on=message.created_at.date() if message.created_at else None,
        message=number,
        place=place,
        sentence=sentence,
        weight=weigh(sentence, by_person=message.role != "assistant"),
        leans=bool(before and _is_lead(before[0], number) and _POINTS_BACK.match(text)),
    )


def _is_lead(one: ScoredSentence, message: int) -> bool:
    """Whether a sentence can be what the next one of its message is about."""
    return one.message == message and len(one.text.split()) >= MIN_WORDS


def _speaker(message: ChatMessage) -> str:
    if message.role == "assistant":
        return ASSISTANT
    return message.name or ("" if message.role == PROSE else USER)


def _plain(text: str) -> str:
    """Without words that only lead up to it, with a capital, and cut at a word."""
    bare = without_opener(" ".join(text.split()), call=False)
    bare = bare[:1].upper() + bare[1:].rstrip(" :：")
    return bare if len(bare) <= MAX_CHARS else f"{bare[: MAX_CHARS - 1].rsplit(' ', 1)[0]}…"


def weigh(sentence: Sentence, *, by_person: bool) -> float:
    """How much a summary needs it: 0 for nothing, about 1 for what lasts, what was asked for, and what is open."""
    meaning = sentence.meaning
    chances = meaning.chances
    if len(sentence.text.split()) < MIN_WORDS or any(chances[kind] >= DOUBT for kind in IDLE):
        return 0.0
    if _TELLS_NOTHING.match(sentence.text) or _only_asks_back(sentence) or _only_leads_on(sentence):
        return 0.0
    if not by_person:
        return _weigh_reply(meaning)
    tells = max(chances[kind] for kind in TELLS) >= TELLING
    worth = meaning.worth["good"] * (1 if tells else UNTELLING)
    weight = max(worth + _on_top(meaning), _weigh_act(sentence))
    in_profile = meaning.slot == "name"  # the profile begins with it
    return weight * UNSURE_SHARE if in_profile or any(chances[kind] >= DOUBT for kind in UNSURE) else weight


def _only_leads_on(sentence: Sentence) -> bool:
    """Whether it only says that something stands below: "Here's my code:"."""
    return sentence.text.rstrip().endswith((":", "：")) and not sentence.meaning.may_be("request")


def _only_asks_back(sentence: Sentence) -> bool:
    """Whether somebody asks what was said before, which is told where it was said."""
    meaning = sentence.meaning
    asks = sentence.text.endswith("?") and meaning.is_sure("question")
    return asks and meaning.chances["asks_back"] >= ASKS_BACK


def _weigh_reply(meaning: Meaning) -> float:
    """An assistant's worth is what it found out; its questions, and what it says back, are none."""
    says_back = max(meaning.chances[kind] for kind in ("question", "remember", "done", "request"))
    return 0.0 if says_back >= DOUBT else meaning.worth["good"] * REPLY_SHARE


def _weigh_act(sentence: Sentence) -> float:
    meaning = sentence.meaning
    if meaning.is_sure("correction") or (
        meaning.chances["correction"] >= CORRECTS and _NUMBER.search(sentence.text)
    ):
        return CORRECTED
    if meaning.is_sure("todo"):
        return OPEN
    if meaning.may_be("todo"):
        return OPEN * meaning.chances["todo"]
    if meaning.may_be("request") and named_words(sentence.text):
        return ASKED
    if meaning.is_sure("done"):
        return SETTLED
    return WONDERED if meaning.is_sure("question") else 0.0


def _on_top(meaning: Meaning) -> float:
    if meaning.worth["good"] < DOUBT:
        return 0.0
    if meaning.slot in VITAL_SLOTS:
        return VITAL
    if meaning.slot in NEAR_SLOTS:
        return NEAR
    return LASTS if meaning.is_sure("lasting") or meaning.is_sure("relative") else 0.0
