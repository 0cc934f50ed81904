"""Forms of an English word that no stem joins: “went” is about going, and “children” are a child each.

The index keeps what the stemmer leaves of a word, and a stemmer only cuts off endings. So the few words that change
within are looked up in all of their forms, which count as one word. Children are "kids" more often than not. Left out
are words of which a form is more often another word: "bit", "rose", "leaves".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from search.questions.names import WORD, bare

IRREGULAR = """
become became, begin began begun, bend bent, blow blew blown, break broke broken, bring brought, build built, burn
burnt, buy bought, catch caught, choose chose chosen, come came, deal dealt, dig dug, draw drew drawn, dream dreamt,
drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
fly flew flown flies, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give
gave given, go went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, know knew
known, lead led, learn learnt, leave left, lend lent, lose lost, make made, mean meant, meet met, pay paid, ride rode
ridden, ring rang rung, run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook
shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sit sat, sleep slept, slide slid,
speak spoke spoken, spell spelt, spend spent, spill spilt, stand stood, steal stole stolen, stick stuck, strike
struck, swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn,
tell told, think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, weep wept, win
won, write wrote written,
child children kid, foot feet, goose geese, half halves, knife knives, loaf loaves, man men, mouse mice, person
people, shelf shelves, thief thieves, tooth teeth, wife wives, wolf wolves, woman women
"""
QUESTION_WORDS = 200  # of a long text that are looked at


def _inflections(word: str) -> Iterator[str]:
    """What regular endings make of it, and some words that nobody says."""
    yield from (
        word,
        f"{word}s",
        f"{word}es",
        f"{word}ing",
        f"{word}{word[-1]}ing",
        f"{word.removesuffix('e')}ing",
    )


def _read_table() -> Mapping[str, str]:
    """Each form with all the forms of its word."""
    words = [group.split() for group in IRREGULAR.split(",")]
    return {form: " ".join(forms) for forms in words for form in (*_inflections(forms[0]), *forms)}


FORMS = _read_table()


def find_forms(question: str) -> list[str]:
    """The words of a question that have such forms: of each all of them, with spaces between."""
    words = WORD.findall(question)[:QUESTION_WORDS]
    return list(dict.fromkeys(forms for word in words if (forms := FORMS.get(bare(word)))))
