"""Several things to do in one sentence: "tell the gas people, and find somebody for the piano" is two."""

from __future__ import annotations

import re

from nebo.reading.wording.covering import language_of
from nebo.reading.words.act_verbs import ACT_PAUSE, ENGLISH, INFINITIVE_LAST, MIN_WORDS, first_of, is_act
from nebo.reading.words.stop_words import words

MAX_ACTS = 8  # of one sentence; more are a list that somebody pasted
_LED = words("go come try wait stay run pop")
_AGAIN = re.compile(
    r"(?:(?:then|also|to|then to|auch|noch|dann|también|luego|aussi|puis|de|anche|poi|di)\s+)+", re.IGNORECASE
)


def list_acts(act: str, said: str, *, led: bool = False) -> list[str]:
    """The things to do that an act names, each by itself; the act alone where it is one. `said` is the whole sentence,
    by which the language is known; `led` where words stand before the act that only a verb can follow.
    """
    language = language_of(said)
    pauses = list(ACT_PAUSE.finditer(act))
    acts: list[str] = []
    begun = 0
    for pause in pauses:
        before, behind = act[begun : pause.start()], act[pause.end() :]
        again = _AGAIN.match(behind)
        behind = behind[again.end() :] if again else behind
        if (
            (is_act(before, language) or (led and not acts and _may_be_act(before, language)))
            and is_act(first_of(behind, language), language)
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
    is_english = not words_of_it or words_of_it[0].lower() in ENGLISH or language_of(f"{act} und") != "de"
    return not is_english and INFINITIVE_LAST.search(act.strip(" .!")) is not None


def _may_be_act(before: str, language: str) -> bool:
    """Whether what words lead up to begins with some verb: "invoice the museum"."""
    return language == "en" and len(before.split()) >= MIN_WORDS


def _is_led(before: str) -> bool:
    """Whether it only leads up to the next: "go to town and buy …" is one errand, "go" alone isn't any."""
    return before.split()[0].lower() in _LED and len(before.split()) <= MIN_WORDS
