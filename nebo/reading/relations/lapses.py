"""A subscription or a membership that the speaker let run out: "I let the Economist subscription lapse"."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.covering import content_words, language_of
from nebo.reading.wording.vocabulary import names_other_kin
from nebo.reading.words.bare_verbs import THIRD_PERSON

DOUBT = 0.5  # chance of asking or supposing, from which nothing ran out
PART_CHARS = (
    4  # letters of a word of which a longer one is made: „Abo“ is too short for „Fitnessabo“, and is its end
)
_WHAT = r"(?P<{}>[^,;.!?]{{3,50}}?)"
_LET = re.compile(
    "|".join(
        (
            rf"(?:^|\bi(?:['’]ve| have)?|\bwe(?:['’]ve| have)?)(?: just| finally| now)* ?let {_WHAT.format('en')}"
            r" (?:lapse|expire|run out|slide)\b",
            rf"\bhabe?n? (?:ich |wir )?{_WHAT.format('de')} auslaufen lassen\b",
            rf"^{_WHAT.format('de2')} habe?n? (?:ich|wir) (?:\w+ )?auslaufen lassen\b",
            rf"\b(?:he|hemos|dejé|dejamos)(?: dejado)? (?:caducar|vencer|expirar) {_WHAT.format('es')}(?=$|[,;.!?])",
            rf"\b(?:j['’]ai|on a|nous avons) laissé expirer {_WHAT.format('fr')}(?=$|[,;.!?])",
            rf"\b(?:ho|abbiamo) lasciato scadere {_WHAT.format('it')}(?=$|[,;.!?])",
        )
    ),
    re.IGNORECASE,
)
# What runs for a time that somebody pays for.
_RUNS = re.compile(
    r"\b(?:subscri\w+|member\w*|season ticket|licen[cs]e|polic(?:y|ies)|contract|plan|pass|domain|lease|insurance"
    r"|pays for|\w*(?:abo|abonnement|mitglied\w*|vertrag|versicherung|karte|lizenz|domain)|abonn\w+|suscri\w+|soci[oa]"
    r"|abono|póliza"
    r"|contrato|adhérente?|adhésion|contrat|abbona\w+|tessera|iscri\w+|contratto)\b",
    re.IGNORECASE,
)


_OF_ANOTHER = {
    name: re.compile(rf"[A-ZÀ-ÖØ-Þ][\w'’-]+ (?:{verbs}|subscribes|pays|belongs)\b")
    for name, verbs in THIRD_PERSON.items()
}


def has_lapsed(known: str, sentence: Sentence) -> bool:
    """Whether the speaker let run out what is known that they pay for, or belong to."""
    text, meaning = sentence.text, sentence.meaning
    found = _LET.search(text)
    if found is None or denies(text) or denies(known) or tells_ahead(text):
        return False
    if max(meaning.chances["question"], meaning.chances["supposed"]) >= DOUBT:
        return False
    what = next(filter(None, found.groups()), "")
    runs = _RUNS.search(known) or _RUNS.search(what)
    named = stems(what) & stems(known) or any(_ends_alike(one, known) for one in content_words(what))
    return bool(runs and named) and not (
        _OF_ANOTHER[language_of(known)].match(known) or names_other_kin(known, text, family=True)
    )


def _ends_alike(word: str, known: str) -> bool:
    return len(word) >= PART_CHARS and any(other.endswith(word) for other in content_words(known))
