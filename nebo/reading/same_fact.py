"""Whether two wordings that a model finds alike can be the same fact: a vector barely sees a number or a “not”."""

from __future__ import annotations

import re

SAME_FACT_SIMILARITY = 0.90  # cosine; from here on two wordings are one fact (seed 003)

_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*", re.MULTILINE)
_WORD = re.compile(r"[\w'’]+")
_NEGATIONS = frozenset(
    {
        "not", "never", "none", "nobody", "nothing", "without", "cannot", "can't", "cant", "don't", "dont",
        "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "nichts", "ohne", "niemand",
        "doesn't", "doesnt", "didn't", "didnt", "isn't", "isnt", "aren't", "arent", "wasn't", "won't", "wont",
        "stopped", "quit", "hates", "hate", "dislikes", "dislike", "former", "ex", "hasst", "hasse", "odia", "odio",
        "déteste", "geen", "niet", "nooit", "inte", "aldrig", "ikke", "aldri", "nigdy", "bez", "не", "нет",
        "никогда", "без", "ні", "değil", "hiç", "asla",
    }
)  # fmt: skip
# Where several of these say "not" but once: "non mangia mai", "no come nunca", "ne mange jamais rien".
_NEGATIONS_IN_CONCORD = frozenset(
    {
        "no", "nunca", "jamás", "nada", "nadie", "sin", "ni", "tampoco", "ningún", "ninguno", "ninguna", "ne", "pas",
        "jamais", "rien", "aucun", "aucune", "personne", "sans", "non", "mai", "niente", "nulla", "nessun", "nessuno",
        "nessuna", "senza", "neanche", "nemmeno", "não", "nem", "nenhum", "nenhuma", "ninguém", "sem",
    }
)  # fmt: skip


# Of each line, one word rules out the others: a vector of "the lights are on" is nearly that of "… off".
_OPPOSITES = tuple(
    frozenset(line.split())
    for line in """
    on off
    in out inside outside
    up down
    open closed shut locked
    am pm a.m p.m
    left right
    north south east west northern southern eastern western
    before after
    above below over under
    more less fewer
    most least
    always sometimes rarely seldom
    first second third last
    early late earlier later
    start end starts ends begins beginning
    enabled disabled enable disable
    allowed forbidden allow deny allows denies
    accepts rejects accepted rejected
    increase decrease increases decreases increased decreased
    buys sells bought sold
    won lost
    hot cold warm
    sweet savoury salty bitter sour
    black white red green blue yellow brown pink purple orange grey
    small large big medium
    morning noon afternoon evening night midnight
    monday tuesday wednesday thursday friday saturday sunday weekdays weekends
    january february march april may june july august september october november december
    spring summer autumn winter
    daily weekly monthly yearly
    today tomorrow yesterday
    one two three four five six seven eight nine ten eleven twelve
    third fourth fifth sixth seventh eighth ninth tenth
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    hermano hermana
    bruder schwester
    frère soeur sœur
    fratello sorella
    hijo hija
    sohn tochter
    fils fille
    figlio figlia
    mutter vater
    madre padre
    mère père
    weißwein rotwein
    mother father brother sister son daughter wife husband uncle aunt grandmother grandfather
    mornings evenings afternoons nights
    dark light
    tabs spaces
    true false
    passed failed
    public private
    single married divorced widowed engaged
    """.strip().splitlines()
)


_ADDS = re.compile(
    r"\b(?:another|second|third|also|too|as well|besides|additionally|auch|zweite[nrs]?|zusätzlich|noch eine?n?"
    r"|también|otr[oa]|segund[oa]|además|aussi|deuxième|seconde?|un autre|une autre|anche|altr[oa]|pure)\b",
    re.IGNORECASE,
)


def adds_one_more(sentence: str) -> bool:
    """Whether a sentence says by its words that something stands beside what was known: a second cat, tea as well."""
    return bool(_ADDS.search(sentence))


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case, spacing and a full stop."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .!").casefold()


def may_be_same(one: str, other: str) -> bool:
    """False where each side has a number or a name the other lacks, just one denies, or one says the opposite."""
    if denies(one) != denies(other) or _are_opposites(one, other):
        return False
    return not (_both_differ(_NUMBER, one, other) or _both_differ(_NAME, one, other))


def differs_in_number(one: str, other: str) -> bool:
    """Whether each has a number that the other lacks."""
    return _both_differ(_NUMBER, one, other)


def denies(text: str) -> bool:
    """Whether a text says by its words that something isn't so, an odd number of times."""
    words = [word.replace("’", "'").lower() for word in _WORD.findall(text)]
    bare = {part for word in words for part in (word, *word.split("'"))}  # "n'aime", "l'ex"
    together = bool(bare & _NEGATIONS_IN_CONCORD) or "n" in bare
    return (sum(word in _NEGATIONS for word in words) + together) % 2 == 1


def _are_opposites(one: str, other: str) -> bool:
    ours, theirs = (set(_WORD.findall(text.lower())) for text in (one, other))
    only_ours, only_theirs = ours - theirs, theirs - ours
    return any(group & only_ours and group & only_theirs for group in _OPPOSITES)


def _both_differ(pattern: re.Pattern[str], one: str, other: str) -> bool:
    ours, theirs = set(pattern.findall(one)), set(pattern.findall(other))
    return bool(ours - theirs) and bool(theirs - ours)
