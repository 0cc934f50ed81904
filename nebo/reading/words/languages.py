"""Whether a sentence is English, by its commonest words: enough to know whose grammar may touch it."""

from __future__ import annotations

import re

from nebo.reading.words.hasty import write_apostrophes
from nebo.reading.words.kept import kept
from nebo.reading.words.stop_words import ENGLISH, FRENCH, GERMAN, ITALIAN, SPANISH, STOPWORDS, words

_WORD = re.compile(r"[^\W\d_]+")
# Words that stand in several of these languages ("in", "a", "me") tell nothing.
_ENGLISH = words(
    """
    the an i i'm my is are was were have has had do does don't to of for with at and or but
    not it you we they he she his her this that be been from by just can will would never always
    who which when where since our your them there their than like love hate prefer live work moved
    lives works likes got went
    """
)
_OTHERS = words(
    """
    ich mein meine meinen bin habe hab ist und der das die den dem ein eine nicht mit seit für auf im
    zu wir sie er wohne lebe arbeite yo mi mis soy tengo es el la los las un una y no con desde en por para
    que de se muy del al vivo llamo trabajo je mon ma mes suis ai est le les un une et pas avec depuis
    dans pour que du au des j qu ne vis habite travaille io mio mia sono ho è il lo gli un una e non con
    da per che di del al della ci abito lavoro
    """
)

_ENGLISH_GRAMMAR = STOPWORDS | ENGLISH
_OTHER_GRAMMAR = (
    GERMAN | SPANISH | FRENCH | ITALIAN | words("guten gute morgen abend danke buenos buenas gracias hola")
)


@kept
def is_english(text: str) -> bool:
    """Whether more of its common words are English than of the other languages we know; English where none tells."""
    words = [word.lower() for word in _WORD.findall(write_apostrophes(text))]
    english = sum(word in _ENGLISH for word in words)
    others = sum(word in _OTHERS and word not in _ENGLISH for word in words)
    return (english >= others and text.isascii()) or english > 2 * others


def leans_english(text: str) -> bool:
    """Whether at least as much of a text's grammar is English alone as is of another language alone; so also where
    nothing tells. For short questions, which name nothing of the above.
    """
    found = [word.lower() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH_GRAMMAR and word not in _OTHER_GRAMMAR for word in found)
    others = sum(word in _OTHER_GRAMMAR and word not in _ENGLISH_GRAMMAR for word in found)
    return english >= others
