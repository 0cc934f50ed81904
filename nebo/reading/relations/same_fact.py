"""Whether two wordings that a model finds alike can be the same fact: a vector barely sees a number or a “not”."""

from __future__ import annotations

import re
from itertools import pairwise

from nebo.reading.times.calendar_words import MONTH_NAMES, WEEKDAY_NAMES
from nebo.reading.wording.figures import numbers_of
from nebo.reading.words.kept import kept
from nebo.reading.words.stop_words import words

SAME_FACT_SIMILARITY = 0.90  # cosine; from here on two wordings are one fact; docs/design.md#learning-numbers

_HOW_OFTEN = re.compile(
    r"\b(?:once|twice|thrice|\w+ times|\w+mal|\w+ (?:vez|veces|fois|volt[ae])) "
    r"(?:an?|per|each|every|die|pro|im|in der|am|por|al?(?: la)?|par|al?(?:la)?) ?"
    r"(?:days?|weeks?|months?|years?|tag|woche|monat|jahr|día|semana|mes|año|jour|semaine|mois|an|giorno|settimana"
    r"|mese|anno)\b",
    re.IGNORECASE,
)
_OFTEN = {
    "1": re.compile(r"\b(?:once|einmal|una vez|une fois|una volta)\b", re.IGNORECASE),
    "2": re.compile(r"\b(?:twice|zweimal)\b", re.IGNORECASE),
    "3": re.compile(r"\b(?:thrice|dreimal)\b", re.IGNORECASE),
}
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*", re.MULTILINE)
_WORD = re.compile(r"[\w'’]+")
_NEGATIONS = frozenset(
    {
        "not", "never", "none", "nobody", "nothing", "without", "cannot", "can't", "cant", "don't", "dont",
        "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "nichts", "ohne", "niemand",
        "doesn't", "doesnt", "didn't", "didnt", "isn't", "isnt", "aren't", "arent", "wasn't", "won't", "wont",
        "hasn't", "hasnt", "haven't", "havent", "hadn't", "hadnt", "weren't", "werent", "wasnt", "couldn't", "couldnt",
        "wouldn't", "wouldnt", "shouldn't", "shouldnt", "mustn't", "mustnt", "needn't", "ain't", "aint",
        "stopped", "quit", "hates", "hate", "dislikes", "dislike", "former", "ex", "hasst", "hasse", "odia", "odio",
        "déteste", "geen", "niet", "nooit", "inte", "aldrig", "ikke", "aldri", "nigdy", "bez", "не", "нет",
        "никогда", "без", "ні", "değil", "hiç", "asla",
    }
)  # fmt: skip
# The month, in German and French, and no Italian "never"; „ne Umschulung“, which is no French "not".
_NO_DENIAL = re.compile(
    r"\b(?:\d{1,2}\.?|1er|im|ende|anfang|mitte|seit|ab|bis|en|début|fin|fin de|depuis) mai\b"
    r"|\bne (?=(?-i:[A-ZÄÖÜ])[a-zäöüß])",
    re.IGNORECASE,
)
# Where several of these say "not" but once: "non mangia mai", "no come nunca", "ne mange jamais rien".
_NEGATIONS_IN_CONCORD = frozenset(
    {
        "no", "nunca", "jamás", "nada", "nadie", "sin", "ni", "tampoco", "ningún", "ninguno", "ninguna", "ne", "pas",
        "jamais", "rien", "aucun", "aucune", "personne", "sans", "non", "mai", "niente", "nulla", "nessun", "nessuno",
        "nessuna", "senza", "neanche", "nemmeno", "não", "nem", "nenhum", "nenhuma", "ninguém", "sem",
    }
)  # fmt: skip
_SAYS_NOT_TOGETHER = _NEGATIONS_IN_CONCORD | {"n"}


# Of each line, one word rules out the others: a vector of "the lights are on" is nearly that of "… off".
_OPPOSITES = tuple(
    frozenset(line.split())
    for line in f"""
    {" ".join(MONTH_NAMES).lower()}
    {" ".join(WEEKDAY_NAMES).lower()} weekdays weekends
    {" ".join(f"{name}s" for name in WEEKDAY_NAMES).lower()}
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
    spring summer autumn winter
    daily weekly monthly yearly
    today tomorrow yesterday
    one two three four five six seven eight nine ten eleven twelve
    third fourth fifth sixth seventh eighth ninth tenth
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

# A word behind one of these tells by its ending who it is: "mi prima", "el vecino", "meine Chefin".
_DETERMINERS = words(
    """
    mi tu su nuestro nuestra vuestro vuestra el la un una al del este esta ese esa mio mia tuo tua suo sua nostro
    nostra il lo uno mon ma ton ta son sa notre votre leur le une ce cette cet meu minha seu sua o a um uma
    mein meine meinem meinen meiner meines dein deine sein seine seinem seinen seiner ihr ihre ihrem ihren ihrer
    unser unsere unserem unseren unserer der die das dem den des ein eine einem einen einer
    """
)
_GENDERS = (
    ("o", "a"), ("", "a"), ("e", "a"), ("", "e"), ("", "ne"), ("", "le"), ("er", "ère"), ("eur", "euse"),
    ("teur", "trice"), ("tor", "triz"), ("tore", "trice"), ("e", "essa"), ("", "in"), ("e", "in"), ("f", "ve"),
)  # fmt: skip
# What stands behind one of these has another part in it than what stands before: "tea over coffee".
_PARTS = words(
    """
    from to over than before after for by under behind above below
    von zu zum zur nach vor als statt über für unter hinter
    de del a al que antes después para por sobre desde hacia
    du au aux à avant après pour sur vers
    da dal dalla di che dopo per sopra verso
    """
)
_WITH_ARTICLE = {
    "al": "a",
    "del": "de",
    "zum": "zu",
    "zur": "zu",
    "du": "de",
    "au": "à",
    "aux": "à",
    "dal": "da",
    "dalla": "da",
}
_BETWEEN = frozenset({*_DETERMINERS, "the", "my", "his", "her", "their", "our", "your", "its", "an"}) - _PARTS
_LEAST_STEM = 3  # letters before such an ending
_PLAIN = str.maketrans("äöü", "aou")


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case, spacing and a full stop."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .!").casefold()


def may_be_same(one: str, other: str) -> bool:
    """False where each side has a number or a name the other lacks, just one denies, one says the opposite, one is
    about a woman and the other about a man, or what one prefers the other gives up for it.
    """
    if denies(one) != denies(other) or _are_opposites(one, other) or _differ_in_gender(one, other):
        return False
    if _change_parts(one, other):
        return False
    return not (differs_in_number(one, other) or _both_differ(_NAME, one, other))


def differs_in_number(one: str, other: str) -> bool:
    """Whether each has a number that the other lacks; one is told as "once" alone."""
    ours, theirs = _numbers_of(one), _numbers_of(other)
    return bool(ours - theirs) and bool(theirs - ours)


def tells_how_often(text: str) -> bool:
    """Whether it tells how many times in a while something is done: "three times a week", „zweimal im Monat“."""
    return _HOW_OFTEN.search(text) is not None


def _numbers_of(text: str) -> frozenset[str]:
    often = (number for number, words in _OFTEN.items() if words.search(text))
    return numbers_of(text).union(often)


@kept
def denies(text: str) -> bool:
    """Whether a text says by its words that something isn't so, an odd number of times."""
    spoken = _WORD.findall(_NO_DENIAL.sub(" ", text.replace("’", "'")))
    words = [word.lower().removesuffix("'s") for word in spoken]  # "nobody's made me lead yet"
    bare = set(words)
    if "'" in text or "’" in text:
        bare.update(part for word in words for part in word.split("'"))  # "n'aime", "l'ex"
    together = not bare.isdisjoint(_SAYS_NOT_TOGETHER)
    times = 0 if bare.isdisjoint(_NEGATIONS) else sum(word in _NEGATIONS for word in words)
    return (times + together) % 2 == 1


def without_denial(text: str) -> str:
    """The text without the words by which it says "not"."""
    return _WORD.sub(lambda found: "" if denies(found[0]) else found[0], text)


def _are_opposites(one: str, other: str) -> bool:
    ours, theirs = (set(_WORD.findall(text.lower())) for text in (one, other))
    only_ours, only_theirs = ours - theirs, theirs - ours
    return any(group & only_ours and group & only_theirs for group in _OPPOSITES)


def _differ_in_gender(one: str, other: str) -> bool:
    """Whether each names somebody whom the other doesn't, by a word of another gender: two cousins, two neighbours."""
    ours, theirs = _named_by_role(one), _named_by_role(other)
    return any(_are_genders(a, b) or _are_genders(b, a) for a in ours - theirs for b in theirs - ours)


def _named_by_role(text: str) -> set[str]:
    return {word for before, word in pairwise(_words(text)) if before in _DETERMINERS}


def _change_parts(one: str, other: str) -> bool:
    """Whether both have the same two words, but in each other's place: "tea over coffee", "coffee over tea"."""
    ours, theirs = _behind_parts(one), _behind_parts(other)
    both = set(_words(one)) & set(_words(other))
    return any(
        (ours[part] - theirs[part]) & both and (theirs[part] - ours[part]) & both
        for part in ours.keys() & theirs.keys()
    )


def _behind_parts(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for part, behind in pairwise(word for word in _words(text) if word not in _BETWEEN):
        if part in _PARTS and behind not in _PARTS:
            found.setdefault(_WITH_ARTICLE.get(part, part), set()).add(behind)
    return found


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _are_genders(man: str, woman: str) -> bool:
    return any(
        man.endswith(his)
        and woman.endswith(hers)
        and _stem(man, his) == _stem(woman, hers)
        and _stem(man, his)
        for his, hers in _GENDERS
    )


def _stem(word: str, ending: str) -> str:
    """A word without its ending and its umlaut, "Arzt" and "Ärztin"; empty where too little is left to tell."""
    stem = word.removesuffix(ending).translate(_PLAIN)
    return stem if len(stem) >= _LEAST_STEM else ""


def _both_differ(pattern: re.Pattern[str], one: str, other: str) -> bool:
    ours, theirs = set(pattern.findall(one)), set(pattern.findall(other))
    return bool(ours - theirs) and bool(theirs - ours)
