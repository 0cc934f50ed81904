"""Verbs whose form says who speaks: "soy vegana" and "abito a Bari" have their subject, and are whole sentences."""

from __future__ import annotations

import re

FIRST_PERSON = (
    r"(?i:(?:ya )?(?:no |non )?(?:me llamo|me gustan?|me dedico|mi chiamo|mi piac\w+|soy|estoy|tengo|vivo|trabajo"
    r"|laburo|curro|estudio|hablo|toco|juego|hago|uso|llevo|sono|ho|doy clases|bebo|vengo|nací"
    r"|odio|prefiero|necesito|abito|mangio|bevo"
    r"|insegno|preferisco|lavoro|faccio|suono|gioco|studio|parlo|porto)\b)"
)
# What German speakers do, with the ending left off as people type: „ich komm“, „wohn in Kiel“.
CLIPPED = (
    r"(?:komm|wohn|leb|arbeit|studier|lern|back|spiel|fahr|trink|ess|mach|geh|heiß|schreib|koch|les|lauf|brauch|schlaf|such"
    r"|kauf|zieh|verdien|betreib|leit|führ|unterricht|züchte?|jobb|kenn|nehm|vertrag|hass|lieb|sammel|näh|bau|verkauf)"
)
# Of somebody else, by language. In English and German only after a name and "and" can the subject be missing.
THIRD_PERSON = {
    "en": r"(?:is|has|was|had|does|doesn't|isn't|hasn't|lives|works|studies|teaches|plays|speaks|runs|goes|loves|likes"
    r"|hates|wants|collects|sings|swims|drives|owns|eats|drinks|moved|writes|makes|sells|needs|uses"
    r"|just (?:got|had|moved|started|passed|left|became))",
    "de": r"(?:ist|hat|war|hatte|wohnt|lebt|arbeitet|studiert|lernt|spielt|spricht|geht|mag|liebt|hasst|fährt|isst"
    r"|trinkt|kommt|heißt|macht|unterrichtet|sammelt|singt|schwimmt|kann|will|wurde|wird)",
    "es": r"(?:no )?(?:es|está|tiene|vive|trabaja|estudia|juega|toca|habla|hace|va|viene|come|bebe|odia|quiere|cumple"
    r"|nació|se llama|se dedica|le gustan?|acaba de)",
    "fr": r"(?:est|a|vit|habite|travaille|étudie|joue|parle|fait|va|aime|déteste|mange|boit|vient)",
    "it": r"(?:non )?(?:è|ha|vive|abita|lavora|studia|suona|gioca|parla|fa|va|viene|mangia|beve|odia|ama|si chiama)",
}
# What "she's" stands before as "she has".
DONE = (
    "been|got|had|gone|become|taken|moved|started|finished|joined|passed|left|quit|brought|bought|sold|lost|found|met|seen"
    "|done|given|told|said|eaten|broken|chosen|fallen|begun|written|kept|caught|taught|stopped|won"
)
# The same of several.
PLURAL = {
    "en": r"(?:are|have|were|had|live|work|go|play|love|like|hate|both|[a-z]+ed)",
    "de": r"(?:sind|haben|waren|hatten|wurden|werden|wohnen|leben|gehen|spielen|lieben|mögen)",
    "es": r"(?:son|están|tienen|viven|van|juegan|cumplen|cumplieron|nacieron|[a-z]+(?:aron|ieron))",
    "fr": r"(?:sont|ont|vivent|habitent|vont|jouent|aiment|étaient)",
    "it": r"(?:sono|hanno|vivono|abitano|vanno|giocano|compiono|[a-z]+(?:arono|irono))",
}
_BEGINS = re.compile(FIRST_PERSON)


def has_bare_verb(clause: str) -> bool:
    """Whether a clause begins with the speaker's own verb, without a pronoun."""
    return _BEGINS.match(clause) is not None
