"""What is meant by "it" and "them" where somebody says that something is done: "I rang them" of "Ring the ward";
and what worked out: „Jonte kommt in die Waldschule, das hat geklappt.“
"""

from __future__ import annotations

import re

from nebo.reading.requests.acts import is_act

FEW_CHARS = 120  # of what is told in the fewest words
_DID_IT = re.compile(
    r"(?:^|[,;.:–—-]\s+|\b(?:and|but|so|oh|btw)\s+)"
    r"(?P<lead>(?:I|we)(?:['’]ve| have)?(?: just| already| finally| even)?) "
    r"(?P<verb>[a-z]+)(?: (?:up|off|back|in|out))? (?:them|him|her|it|that|those|one)\b(?! (?:to|that|about)\b)",
    re.IGNORECASE,
)
# The reader knows it in most words and languages, but not that something "worked".
_NOT_THERE = r"(?!(?:in|im|bei|beim|an|am|auf|en|con|nicht|nichts|no|non)\b)"
_SOMETHING = rf"{_NOT_THERE}(?:(?:das )?mit |lo del? )?[^\W\d_]+(?: [^\W\d_]+)?"
_WORKED = re.compile(
    rf"(?:(?P<what>{_SOMETHING}) )?(?:ha(?:t|ben) (?:(?:jetzt|nun|endlich|doch|sogar|auch|ja|schon|alles"
    rf"|gut|noch|dann"
    r"|tatsächlich|zum glück|am ende) )*(?:geklappt|hingehauen)|hat sich (?:damit |schon |jetzt )?erledigt"
    r"|(?:(?:ha|has)(?: finally)? )?(?:all |finally )?worked out(?: (?:in the end|fine|well))?"
    r"|(?:(?:ya|por fin|al final) )*(?:salió|ha salido|funcionó|ha funcionado)(?: bien)?"
    r"|a (?:fini par |enfin |bien )*march(?:é|er)|(?:alla fine )?ha funzionato)",
    re.IGNORECASE,
)
# "Solicitor sorted", „Zeugnisse und Garage sind längst durch“: what it is, and that it's over.
_HALFWAY = (
    r"\b(?:if|once|when|until|till|before|after|unless|will|must|should|to|be|not|never|nearly|almost|half"
    r"|nothing|wenn|sobald"
    r"|bis|bevor|muss|müssen|soll|sollen|wird|werden|nicht|nie|kein\w*|fast|halb|nichts|cuando|hasta|si"
    r"|debe|tiene|no|nunca|casi"
    r"|nada|quand|jusqu\w*|doit|ne|pas|rien|presque|quando|finché|deve|non|niente|quasi|i|ich|yo|je|io|we"
    r"|wir|you|it|that|this"
    r"|das|es|alles|all|everything|eso|todo|tout|ça|tutto|who|what|wer|was)\b"
)
_TELLING = rf"(?!{_HALFWAY})[^\W\d_][\w-]*(?:['’](?!s\b)[\w-]+)?"
_RESULT = re.compile(
    rf"(?:(?:so|also|oh|und|and|y|et|e|la|el|lo)\s)?(?P<what>{_TELLING}(?:\s{_TELLING}){{0,5}}?)"
    r"(?:['’]s|\s(?:is|are|got|was|were|has been|have been|ist|sind|war|waren|wurden?|(?:ya "
    r"|por fin )?(?:está|están|quedó|quedaron)"
    r"|est|sont|è|sono))?(?:\s(?:all|now|finally|already|long|also|too|jetzt|nun|schon|endlich|längst"
    r"|natürlich|auch|alle|beide|ya"
    r"|también|por fin|enfin|déjà|aussi|finalmente|già|anche))*"
    r"\s(?:sorted(?: out)?|done|dealt with|ticked off|taken care of|out of the way|in|durch|erledigt|abgehakt"
    r"|vom tisch|hech[oa]s?"
    r"|resuelt[oa]s?|solucionad[oa]s?|arreglad[oa]s?|réglée?s?|bouclée?s?|faite?s?|fatt[oaei]"
    r"|sistemat[oaei]|a posto|risolt[oaei])"
    r"(?:\s(?:(?:ages|weeks|months|days|a while|long) ago|(?:last|this) (?:week|month)|yesterday|today|gestern|heute"
    r"|seit \w+|letzte woche|hace (?:tiempo|semanas|meses|días)|ayer|hoy|depuis \w+|hier|da \w+|ieri|oggi))?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s(?:and|und|y|et|e|&)\s", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:and |so |und |y |et |e )?(?:it|that|this|das|es|alles|eso|todo|ça|tout|ya|por fin|al final)?",
    re.IGNORECASE,
)


def what_worked(clause: str) -> str | None:
    """What a clause says worked out, empty where that is only "it"; None where it doesn't say so."""
    match = _WORKED.fullmatch(clause.strip(" .,;:!…–—-"))
    what = (match["what"] or "") if match else ""
    return None if match is None else "" if _NOTHING.fullmatch(what) else what


def list_results(clause: str) -> list[str]:
    """What a clause says in the fewest words is over, each thing by itself; none where it says something else."""
    found = _RESULT.fullmatch(clause.strip(" .,;:!…–—-")) if len(clause) <= FEW_CHARS else None
    return [what.strip() for what in _AND.split(found["what"]) if what.strip()] if found else []


def point_out(text: str, todo: str) -> str:
    """What says that one did something to "it", with what is to be done in the place of "it"; empty where it isn't the
    todo's own act.
    """
    match = _DID_IT.search(text)
    act, _, what = todo.partition(" ")
    if match is None or not what or (match["verb"].lower() != act.lower() and not is_act(match["verb"], act)):
        return ""
    return f"{match['lead']} {match['verb']} {what}"
