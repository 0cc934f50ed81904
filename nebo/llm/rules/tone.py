"""The mood of a conversation, by the words of mood in several messages: a single one says little."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nebo.reading.words.stop_words import words

AT_LEAST = 2  # messages with a mood, before it is the conversation's
SHARE = 0.15  # of all messages, at least
CLEARLY = 2  # times as many of one mood as of the other
_GOOD = words(
    """
    happy glad love loved great awesome amazing wonderful excited proud thankful grateful fun enjoy enjoyed thanks yay
    haha fantastic brilliant lovely perfect relieved
    froh glücklich toll super wunderbar freue freut stolz dankbar danke schön herrlich erleichtert klasse spitze
    feliz contenta contento genial encanta alegría orgullosa orgulloso gracias maravilloso maravillosa ilusión jaja
    heureux heureuse génial super ravie ravi merci fière fier adore contente content
    felice contenta contento fantastico bellissimo grazie orgogliosa orgoglioso adoro
    """
)
_BAD = words(
    """
    sad angry upset worried stressed frustrated annoyed hate awful terrible scared afraid anxious hurt lonely crying
    miserable exhausted furious
    traurig wütend sauer besorgt gestresst frustriert genervt furchtbar schrecklich angst einsam erschöpft schlimm
    triste enfadada enfadado preocupada preocupado agobiada agobiado horrible miedo sola solo fatal agotada agotado
    triste fâchée fâché inquiète inquiet stressée stressé énervée énervé peur affreux épuisée épuisé
    triste arrabbiata arrabbiato preoccupata preoccupato stressata stressato paura terribile esausta esausto
    """
)
_WORD = re.compile(r"[^\W\d_]+")


def tone_of(texts: Sequence[str]) -> str:
    """`warm`, `troubled` or `mixed` where several messages of the person are; `calm` otherwise."""
    moods = [set(_WORD.findall(text.lower())) for text in texts]
    good, bad = sum(bool(one & _GOOD) for one in moods), sum(bool(one & _BAD) for one in moods)
    least = max(AT_LEAST, SHARE * len(texts))
    if good >= least and bad >= least and max(good, bad) < CLEARLY * min(good, bad):
        return "mixed"
    if good >= least and good >= CLEARLY * bad:
        return "warm"
    return "troubled" if bad >= least and bad >= CLEARLY * good else "calm"
