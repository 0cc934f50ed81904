"""Several things to do in one sentence: "tell the gas people, and find somebody for the piano" is two."""

from __future__ import annotations

import re

from nebo.reading.wording.covering import language_of
from nebo.reading.words.stop_words import words

MIN_WORDS = 2  # of each thing to do: what is done, and with what
MAX_ACTS = 8  # of one sentence; more are a list that somebody pasted
# What English tasks begin with. "Go and buy", "try and find" are one.
_ENGLISH = words(
    """
    add apply arrange ask assemble back bake book borrow bring buy call cancel change charge chase check choose
    claim clean clear close collect confirm contact cook cut decide deliver deploy do donate download draft drop
    email empty fetch fill file find finish fit fix get give hand hang hire install insure invite iron learn lend
    let mail make measure meet mend merge message mow move open order organise organize pack paint pay phone pick
    plan plant post practise prepare print put read register remind renew rent repair replace reply reschedule
    return review ring schedule sell send set sew sign sort start submit switch take talk tell test text thank tidy
    transfer translate try unpack update upload visit wash water wrap write
    """
)
# "have the boiler looked at"
_CAUSED = re.compile(
    r"(?:have|get) (?:the|my|our|his|her|their|an?|\w+['’]s) .*\b(?:[a-z]{2,}ed|done|seen|cut|put|set|read)\b",
    re.IGNORECASE,
)
_LED = words("go come try wait stay run pop")
_PAUSE = re.compile(r"\s*[,;]\s+(?:(?:and|und|y|et|e)\s+)?|\s+(?:and|und|y|et|e|&)\s+", re.IGNORECASE)
_AGAIN = re.compile(
    r"(?:(?:then|also|to|then to|auch|noch|dann|también|luego|aussi|puis|de|anche|poi|di)\s+)+", re.IGNORECASE
)
_INFINITIVE_LAST = re.compile(r"\b[a-zäöüß]{2,}(?:en|ern|eln|tun)$")
_INFINITIVE_FIRST = {
    "es": re.compile(r"[a-záéíóúñ]+(?:[aei]r|ír)(?:me|te|se|l[aeo]s?|nos)?\b", re.IGNORECASE),
    "fr": re.compile(
        r"(?:(?:me|m'|se|s'|le|la|les|l')\s?)?[a-zàâçéèêëîïôûù]+(?:er|ir|re|oir)\b", re.IGNORECASE
    ),
    "it": re.compile(r"[a-zàèéìòù]+(?:[aei]re|rre|[aei]r(?:si|mi|l[aeio]|gli|ne))\b", re.IGNORECASE),
}


def list_acts(act: str, said: str, *, led: bool = False) -> list[str]:
    """The things to do that an act names, each by itself; the act alone where it is one. `said` is the whole sentence,
    by which the language is known; `led` where words stand before the act that only a verb can follow.
    """
    language = language_of(said)
    pauses = list(_PAUSE.finditer(act))
    acts: list[str] = []
    begun = 0
    for pause in pauses:
        before, behind = act[begun : pause.start()], act[pause.end() :]
        again = _AGAIN.match(behind)
        behind = behind[again.end() :] if again else behind
        if (
            (_is_act(before, language) or (led and not acts and _may_be_act(before, language)))
            and _is_act(_first_of(behind, language), language)
            and not _is_led(before)
        ):
            acts.append(before)
            begun = len(act) - len(behind)
    acts.append(act[begun:])
    return acts if len(acts) <= MAX_ACTS else [act]


def has_verb_last(act: str) -> bool:
    """Whether the verb of a thing to do stands last, as in German, which two words alone don't tell."""
    words_of_it = act.strip(" .!").split()
    if language_of(act) == "de":
        return True
    is_english = not words_of_it or words_of_it[0].lower() in _ENGLISH or language_of(f"{act} und") != "de"
    return not is_english and _INFINITIVE_LAST.search(act.strip(" .!")) is not None


def _first_of(behind: str, language: str) -> str:
    """What stands up to the next pause; in German, where the verb comes last, up to the first that ends with one."""
    if language != "de":
        return behind
    ends = [one.start() for one in _PAUSE.finditer(behind)] + [len(behind)]
    found = (behind[:end] for end in ends if _INFINITIVE_LAST.search(behind[:end].rstrip(" .!")))
    return next(found, behind)


def _is_act(part: str, language: str) -> bool:
    text = part.strip(" .!")
    if len(text.split()) < MIN_WORDS:
        return False
    if language == "de":
        return _INFINITIVE_LAST.search(text) is not None
    first = _INFINITIVE_FIRST.get(language)
    if first:
        return first.match(text) is not None
    return text.split()[0].lower() in _ENGLISH or _CAUSED.match(text) is not None


def _may_be_act(before: str, language: str) -> bool:
    """Whether what words lead up to begins with some verb: "invoice the museum"."""
    return language == "en" and len(before.split()) >= MIN_WORDS


def _is_led(before: str) -> bool:
    """Whether it only leads up to the next: "go to town and buy …" is one errand, "go" alone isn't any."""
    return before.split()[0].lower() in _LED and len(before.split()) <= MIN_WORDS
