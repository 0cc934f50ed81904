"""First person turned into third, tails trimmed, and keys made of words."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from nebo.llm.rules.english.dates import When, find_when
from nebo.llm.rules.wordlists import words

MAX_OBJECT_WORDS = 32  # words; a longer object is a story
SLUG_WORDS = 6  # content words in a key

_PRONOUNS = {
    "i'm": "they're", "i've": "they've", "i'll": "they'll", "i'd": "they'd", "i": "they", "me": "them",
    "my": "their", "mine": "theirs",
    "myself": "themselves", "we're": "they're", "we've": "they've", "we'll": "they'll", "we": "they",
    "us": "them", "our": "their",
    "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_PRONOUN = re.compile(
    r"(?<!-)\b(?:i['’](?:m|ve|ll|d)|we['’](?:re|ve|ll)|myself|mine|my|me|i|ourselves|ours|our|we"
    r"|us)\b(?!['’-])",
    re.IGNORECASE,
)
_VERB_AFTER = (
    (re.compile(r"\bthey am\b"), "they are"),
    (re.compile(r"\bthey was\b"), "they were"),
    (re.compile(r"\bthem too\b"), "them too"),
)
_TAIL = re.compile(
    r"\s*,?\s+(?:and|but|so|then|which|where|who|though|although|even though|because|cause"
    r"|['’]cause|as|while|since it|since that)\s+"
    r"(?:now\s+)?(?:it|it['’]s|that|that['’]s|this|these|those|they|they['’]re|he|she|you"
    r"|you['’]re|everyone|everything|there|there['’]s|was|is|made|makes|helps?|gives?"
    r"|the \w+ (?:was|were|is|are)|my \w+|i['’]?\w*|we['’]?\w*|let|can)\b.*$"
    r"|\s*,?\s+(?:because|['’]cause|though|although|even though|whenever)\b.*$"
    r"|\s*[,:]\s+(?:it|it['’]s|that|that['’]s|they|this|so|but|right|you know|huh|which|great"
    r"|thanks|thank|what|how|especially|actually|everyone|please|pls|ok|okay)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_TRAILER = re.compile(
    r"[\s,]+(?:too|as well|lately|these days|nowadays|you know|lol|haha|right now|at the moment"
    r"|though|by the way|btw|tho|please|pls|for now|already"
    r"|currently|a lot|so much|very much|at all|of course|actually|again|now|still|overall|all "
    r"the time|more than anything|to be honest|tbh|anymore|any more|badly|unfortunately|sadly|terribly"
    r"|i['’]?m afraid)$",
    re.IGNORECASE,
)
_CALLED = re.compile(r",\s+[A-Z]\w{1,15}$")
_EDGE = re.compile(r"^[\s,.:;!…\-–—*]+|[\s,.:;!?…\-–—*)]+$")
_SMALL = words(
    "few a an the my our their his her its your some any of to in on at for with from by and or is are "
    "was were be been am i we they it this that these those really very so just super quite pretty little "
    "bit lot lots new who which as into about also"
)
_POINTS = re.compile(
    r"\b(?:this|that|it|them|him|these|those|one|ones|you|each other|eachother|so)$", re.IGNORECASE
)
_IRREGULAR = {"have": "has", "do": "does", "go": "goes", "am": "is", "are": "is", "was": "was", "'m": "is"}


def in_third_person(text: str) -> str:
    """A phrase with the speaker's pronouns turned: "my wife and me" gives "their wife and them"."""
    turned = _PRONOUN.sub(lambda m: _cased(_PRONOUNS[m.group().lower().replace("’", "'")], m.group()), text)
    for pattern, replacement in _VERB_AFTER:
        turned = pattern.sub(replacement, turned)
    return turned


def say(speaker: str, predicate: str, when: When | None = None) -> str:
    """A sentence about the speaker: "Caroline lives in Berlin", or "Lives in Berlin" of one without a name."""
    turned = in_third_person(predicate)
    sentence = f"{speaker} {turned}" if speaker else turned[:1].upper() + turned[1:]
    return f"{sentence} ({when.label})" if when else sentence


def trim(text: str) -> str:
    """An object without the remarks behind it: "a run, and it was great" gives "a run"."""
    text = _EDGE.sub("", _TAIL.sub("", f" {text}".split("\x00")[0]))
    for _ in range(3):
        text = _EDGE.sub("", _CALLED.sub("", _TRAILER.sub("", text)))
    return text


def without_when(text: str, on: date | None, *, future: bool = False) -> tuple[str, When | None]:
    """A phrase without its relative date, and that date resolved; the phrase as it is when there is none."""
    when = find_when(text, on, future=future)
    if not when:
        return text, None
    return re.sub(r"\s{2,}", " ", f"{text[: when.start]} {text[when.end :]}").strip(), when


def third_person_verb(verb: str) -> str:
    """The third person of a verb in the present: like → likes, have → has, try → tries."""
    verb = verb.lower()
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s")


def slug(text: str, words: int = SLUG_WORDS) -> str:
    """Content words of a phrase joined by hyphens, for a key; empty when there are none."""
    folded = unicodedata.normalize("NFC", in_third_person(text).lower()).replace("'", "").replace("’", "")
    return "-".join([w for w in re.findall(r"[^\W_]+", folded) if w not in _SMALL][:words])


def is_short_enough(text: str) -> bool:
    """Whether an object is of a length that states something: 1 to 32 words."""
    return 0 < len(text.split()) <= MAX_OBJECT_WORDS


def ends_in_pronoun(text: str) -> bool:
    """Whether a phrase ends in a word that points outside it, so that it says nothing alone."""
    return bool(_POINTS.search(text))


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[0].isupper() and like.lower()[:1] != "i" else word
