"""What says nothing by itself, as far as code can see: stumps, pronouns without their noun, what was only shown."""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_value
from nebo.reading.times.calendar_words import COUNTS, UNITS
from nebo.reading.times.dates import without_times
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.names import names_of
from nebo.reading.words.bare_verbs import THIRD_PERSON, has_bare_verb

MIN_WORDS = 3
MAX_CHARS = 320  # characters; a longer one is a story
# A pronoun at the beginning that stands for something said before; "it's" of the weather and the like, too.
_POINTS = re.compile(
    r"(?:he|she|they(?!(?:['’](?:ve|re|ll)| have| are)? (?:\w+ed|put|cut|set|made|given|taken|gave|took|let|raised"
    r"|\w+ing) (?:me|my|our|us)\b)|it|this|that|these|those|his|hers?|their|its|such|there|which|who|where|same"
    r"|er|sie|es|dies\w*|das(?! mit \w| (?-i:[A-ZÄÖÜ])\w+ (?:[a-zäöüß]+e|hab|bin|mach|verlass) ich\b)"
    r"|dort|ihr|sein\w*|él|ella|ellos|ellas|eso|esto|esa|ese|su|allí|il|elle|ils|elles|ça|cela|ceci|c['’]est|lui|lei"
    r"|loro|questo|quello|ciò|là|your?|yours|du|dein\w*|tú|tus?|tu|ton|votre|vos|vous|tuo|tua|tuoi)(?:['’]\w+)?\b"
    r"|\d{4},|(?:especially|particularly) (?:since|as|because|when|if)\b|as someone who\b(?!.*, (?:I|my|we|our)\b)",
    re.IGNORECASE,
)
# A noun without a verb, which answers what was asked: "The bass, since I was fifteen", „Zwei Katzen, Mimi und Momo“.
_NOUN_ALONE = re.compile(
    rf"(?i:the|an?|der|die|das|dem|den|einen?|eine|el|la|los|las|una?|unos|unas|\d+|{'|'.join(COUNTS[2:])}) "
    r"(?!of\b)(?:[\w-]+ )?[\w-]+(?<!ed)(?:\W*$|,| (?:since|from|at|in|for|with|desde|seit|mit|aus|bei|von"
    r"|en|con|de)\b"
    r"| (?:of|d[eu]l?|meine[rs]|unsere[rs]|der|des|eine[rs]) (?:my |our |the |mi |mis |mes )?[\w'’-]+\W*$)"
)
_TRADE_ALONE = re.compile(  # "Nurse at the Mercy."
    r"[A-Za-z][a-z]+(?<!s)(?<!ed)(?: [a-z]+){0,2} (?:at|for) (?:the |an? )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*\W*$"
)
_NAMES_ALONE = re.compile(r"[A-ZÀ-Þ][\w'’-]+(?:(?:,| and| und| y| et| e) [A-ZÀ-Þ][\w'’-]+)+\W*$")
_VERB = re.compile(
    r"['’]|\b(?:is|are|was|were|has|have|had|did|can|will|ist|sind|war|hat|haben|es|son|está|tiene|tienen"
    r"|me|mich|us|died"
    r"|went|came|got|broke|left|ran|won|lost)\b",
    re.IGNORECASE,
)
# Somebody's doing whom the verb alone doesn't name: "Deja el circo en enero".
_HE_DOES = re.compile(
    r"(?:(?:y|pero|ya|también|además|ahora) )*(?:no )?(?:deja|quiere|tiene|vive|trabaja|estudia|viene|busca|cumple|toma"
    r"|come|bebe|juega|odia|necesita|sigue|empieza|abre|cierra|vende"
    r"|vuelve|se (?:llama|dedica|muda|casa|va|jubila|queda)"
    r"|vuole|vive|lavora|studia|mangia|beve|odia|cerca|lascia|apre)"
    r" (?!(?:mi|mis|nuestr\w+|mio|mia|i miei|il mio|la mia)\b)"
)
# "I go there every Sunday", „ich fahr jeden Sonntag hin“
_THITHER = re.compile(
    r"(?:i|we|ich|wir|voy|vamos|je|on) (?:[^\W\d_]+ ){1,4}?(?:hin|dorthin|dahin|there|allí|là-bas)"
    r"(?: (?:every|each|jeden?|jede|todos los|cada|tous les|chaque) [^\W\d_]+)?\W*$"
    r"|(?:ich|wir) (?:fahr|geh|komm|lauf|schau)\w* (?:[^\W\d_]+ ){0,3}hin\W*$",
    re.IGNORECASE,
)
# Where somebody has gone, until they are back: „bin zu meinen Eltern“.
_GONE = re.compile(
    r"ich bin (?:(?:dann|jetzt|gleich|gestern|heute|erstmal|erst mal|wieder) )*"
    r"(?:nach hause|zu (?:ihm|ihr|ihnen|(?:mein|unser)\w* [^\W\d_]+))\W*$",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"da (?:bin|habe?|ist|sind|war|hatte|kann|muss)\b", re.IGNORECASE
)  # then, of what was said
# Without what it leads to, or with what only stands below: "Given that it's May and I …", "Here is my code".
_LEADS_ON = re.compile(
    r"(?:(?i:here(?: is|['’]s| are)|given (?:that|my|our|the)|considering (?:that|my|our|the)|with (?:my"
    r"|our|the|an?))"
    r"|With [A-ZÀ-Þ][\w-]+['’]s)\b(?!.*, (?:(?i:i|we|my|our|it|the|he|she|they)|[A-ZÀ-Þ][\w'’-]+)\b)"
)
# "I made it in class", "I've had them since May": of what was said before.
_OBJECT = re.compile(
    r"(?:I|we)(?:['’]\w+)?(?: (?:have|had|will|can|could|would|also|just|always|usually|often|never|already"
    r"|once|twice"
    r"|been|\w+ly|(?:want|like|love|used|need|plan|going|able|try|trying|chosen|chose|decided|started|begun"
    r"|hoping) to))* (?!heard|hear|get|got)\w+"
    r" (?:it|them|those|these)(?= (?:in|on|at|with|from|for|by|as|since|last|again|every|before|yesterday|twice|once"
    r"|over|instead|rather|and|because|so)\b|[,;]|[\s.!]*$)",
    re.IGNORECASE,
)
# "I'm working on one with my group", "I told you about my trip": what it was stands elsewhere.
_ELSEWHERE = re.compile(
    r"I(?:['’]\w+)? (?:\w+ ){1,3}?one (?:with|at|in|for|from|on)\b|.*\bI (?:told|showed|sent) you (?:about|the|my)\b",
    re.IGNORECASE,
)
# "Two weeks of uni": over as soon as it is said.
_LASTED = re.compile(
    rf"(?:\d+|{'|'.join(COUNTS[2:])}) (?:{UNITS['day']}|{UNITS['week']}|{UNITS['month']})\b", re.IGNORECASE
)
_ENDS_OPEN = re.compile(
    r"\b(?:the|a|an|my|our|their|to|of|for|with|and|or|but|in|(?<!now )on|at|by|from|as|than|that|which"
    r"|because|if|der"
    r"|die|das|ein|eine|und|oder|mit|von|zu|für|weil|dass|el|la|un|una|y|o|de|con|para|que|le|les|et|ou"
    r"|avec|pour|il|lo|e|di"
    r"|che|per)$",
    re.IGNORECASE,
)
# Where somebody is who sends a greeting, for as long as they are there.
_GREETS_FROM = re.compile(
    r"(?:(?:warm|sunny|cold|best|kind|liebe|viele|schöne|sonnige|muchos|un)\s)?(?:greetings|regards|hello|hi|hiya|hey"
    r"|grüße|gruß|grüsse|moin|servus|hallo|saludos?|hola|bonjour|salut|coucou|ciao|saluti|un saluto)"
    r" (?:from|aus|von|vom|desde|de|depuis|da|dal)\b",
    re.IGNORECASE,
)
# Who hasn't been heard of for a while says so, and that much has happened since.
_CATCHES_UP = re.compile(
    r"long time,? no (?:talk|see|chat|speak|hear)\b|(?:(?:sorry )?(?:I|we)(?:['’]ve| have)? )?haven['’]t"
    r" (?:talked|spoken|chatted|caught up|heard from you|seen you|been in touch|checked in)\b(?! (?:to"
    r"|with) (?!you\b|ya\b))"
    r"|(?:it['’]s been|been|it has been) (?:so |such |quite |too |ages|forever|a while|a long time"
    r"|a minute)[^,;.!?]{0,20}"
    r"since (?:we|I) (?:last )?(?:talk|spoke|chat|caught|met|saw you)|lange? nicht (?:gesehen|gehört|gesprochen)\b"
    r"|lange? nichts (?:mehr )?(?:von dir )?gehört\b|(?:cuánto|tanto) tiempo(?: sin verte| sin hablar|[!,.]|$)"
    r"|hace (?:mucho|tiempo|días|semanas) que no hablamos\b|ça fait (?:longtemps|un bail)\b|quanto tempo(?:[!,.]|$)"
    r"|è (?:da )?(?:un po['’]|tanto) che non ci sentiamo\b",
    re.IGNORECASE,
)
# The rest of an answer, without whom it is of: "Mostly wholesale orders", „Meistens am Wochenende“.
_HEDGED = re.compile(
    r"(?:mostly|mainly|usually|probably|meist(?:ens)?|hauptsächlich|vor allem|sobre todo|principalmente|normalmente"
    r"|surtout|principalement|soprattutto|per lo più)\b",
    re.IGNORECASE,
)
# "Recently, education reform and roads", "for the half marathon in May": what was asked stands elsewhere.
_LATELY = re.compile(
    r"(?:recently|lately|mostly|mainly|currently|these days|zuletzt|hauptsächlich|últimamente|sobre todo|récemment"
    r"|surtout|ultimamente|soprattutto|for|with|about|from|because of|für|mit|bei|wegen|para|con|por|pour"
    r"|avec|per)\b",
    re.IGNORECASE,
)
# What only somebody who was there could look at.
_SHOWN = re.compile(
    r"\b(?:(?<!['’]s )(?<!\bis )(?<!\bare )here"
    r"|this(?! (?:year|month|week|weekend|morning|afternoon|evening|spring|summer|autumn|fall|winter|is|time"
    r"|[A-Z]))"
    r"|that (?:pic\w*|photo\w*|one|place)|hier|dort|aquí|ahí|allí|ici|là-bas)\b"
    r"(?! (?:and now|y ahora|(?:in der|um die|gleich um die|bei uns|am|nebenan|around the|near|next"
    r"|down the|cerca|al lado|a la vuelta"
    r"|à côté|près|vicino|dietro)\b|en \w|in \w+|(?:in|at) (?:the )?[A-ZÀ-Þ]\w+)\b)",
)
# What somebody does with "it", of which nothing before it tells: "Denise takes it on", "Maureen called it Dolly".
_DOES_IT = re.compile(
    r"(?:(?!(?:I|We|You|There|It|This|That|What|My|Our)\b)[A-ZÀ-Þ][\w-]+|(?i:my|our) [a-z-]+(?: [A-ZÀ-Þ][\w-]+)?)"
    r"(?:['’]s)? (?:(?:(?:has|is|will|had|was|does|did|would)(?:n['’]t)?|won['’]t|can['’]?t|be|been|not|never|just"
    r"|really|now|also) )*"
    r"(?:\w+ing|\w+ed|\w+s|take|run|do|say|took|made|did|got|gave|sold|bought) (?:it|them|that)\b(?!['’])"
    r"(?! (?:when|if|that|to|all|is|was|there)\b)",
)
# A pronoun further on, with nobody before it whom it could mean: "I said eleven but she was ten then".
_SOMEBODY = {
    language: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for language, words in {
        "en": r"she|(?<!\bme )(?<!\bse )(?<!\bte )(?<!\bya )(?<!\bno )he",
        "de": "er",
        "es": "ella|él",
        "fr": "elle",
    }.items()
}
_NOUN_BEFORE = re.compile(
    r"\b(?:my|our|the|an?|her|his|mein\w*|unser\w*|de[rmn]|die|das|eine?[rmn]?|mi|nuestr[oa]|el|la|una?|mon"
    r"|ma|notre|le|une"
    r"|someone|somebody|jemand\w*|alguien|quelqu['’]un|mum|mom|mam|dad|granny|grandma|grandpa|nan|oma|opa"
    r"|mama|papa)\b"
    r"|[^\W\d_]+['’]s\b",
    re.IGNORECASE,
)
# What is felt of something that isn't named: „Ich habe Angst davor“, "me da miedo eso".
_OF_IT = re.compile(
    r"(?:\S+ ){1,4}(?:da(?:vor|von|für|gegen|rüber|ran|zu|mit|bei)|(?:of|about) (?:it|that)|(?:de |a )?eso|de ça)"
    r"(?:, (?:ehrlich gesagt|to be honest|tbh|la verdad|honestly|franchement))?\W*$",
    re.IGNORECASE,
)
# What stands below: "I'm using the following config".
_BELOW = re.compile(
    r".*\b(?:(?:the|this) following\b(?! (?:day|week|month|year|morning|evening|summer|winter|spring|autumn))"
    r"|as follows|folgende[nrms]?\b(?!n? (?:Tag|Woche|Monat|Jahr))"
    r"|(?:el|la|los|las) siguientes?\b(?! (?:día|semana|mes|año))"
    r"|suivante?s?\W*$|seguent[ei]\W*$)",
    re.IGNORECASE,
)
# The reason for what is told elsewhere: "The floods were the reason behind it".
_REASON = re.compile(
    r".*\b(?:(?:reason|cause|motivation|inspiration|idea|thought|story) (?:behind|for) (?:it|this|that|them)"
    r"|(?:raz[oó]n|motivo) de (?:eso|ello)|raison de (?:ça|cela)|(?:motivo|ragione) di (?:ciò|questo))\W*$",
    re.IGNORECASE,
)
# Advice to whoever listens: "…, so make sure you get some sleep", „…, also pass auf dich auf“.
_ADVISES = re.compile(
    r"(?:.*[,;:–—-] ?)?(?:(?:so|and|but|just|also|und|aber|así que|pero|y|alors|donc|mais|quindi|allora|ma|please"
    r"|bitte) )*"
    r"(?:(?:make|be) sure (?:that )?you\b|(?:don['’]?t|never) (?:you )?forget to\b|take (?:good )?care of you"
    r"|go easy on yourself|treat yourself|look after yourself|(?:pass|gib|achte?) (?:gut |bitte |immer )?auf dich\b"
    r"|(?:gönn|nimm) dir\b|cuídate\b|asegúrate\b|no te olvides\b|prends(?: bien)? soin de toi|ménage[- ]toi"
    r"|assure[- ]toi|(?:abbi|prenditi) cura di te|riguardati\b|assicurati\b)",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\b(?:i|we|my|our|ich|wir|mein\w*|yo|nosotr[oa]s|mis?|je|nous|mon|ma|mes|io|noi)\b", re.IGNORECASE
)
_OPENS = re.compile(r"(?P<who>[^\W\d_]{3,}) (?P<rest>.*)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")  # "I'm" is two


def points_back(text: str) -> bool:
    """Whether a text begins with a pronoun that stands for something said before."""
    return bool(_POINTS.match(text))


def does_it(text: str) -> bool:
    """Whether it tells what somebody does with "it", of which nothing before it tells."""
    return _DOES_IT.match(text) is not None


def means_somebody_unnamed(text: str) -> bool:
    """Whether a text says "she" of nobody that it speaks of before."""
    pronoun = _SOMEBODY.get(language_of(text))
    found = pronoun.search(text) if pronoun else None
    before = text[: found.start()] if found else ""
    is_named = _NOUN_BEFORE.search(before) or names_of(f"and {before}") or _opens_with_somebody(before)
    return found is not None and not is_named


def _opens_with_somebody(text: str) -> bool:
    """Whether a text begins with a name in small letters, as far as the verb behind it tells: "thorsten hat …"."""
    opens, verbs = _OPENS.match(text), THIRD_PERSON.get(language_of(text))
    if opens is None or verbs is None or is_light(opens["who"].lower()):
        return False
    return re.match(rf"{verbs}\b", opens["rest"]) is not None and without_times(opens["who"]) == opens["who"]


def is_stump(clause: str) -> bool:
    """Whether code can see that a clause says nothing by itself."""
    words = _WORD.findall(re.sub(r"\b[Ii]m\b", "I am", clause))
    if not len(words) + has_bare_verb(clause) >= MIN_WORDS or len(clause) > MAX_CHARS or clause.endswith("?"):
        return True
    shown = _SHOWN.search(clause) and not find_value("home", clause)  # "We live in Leeds, and like it here"
    passing = _THERE.match(clause) or _LASTED.match(clause) or _OF_IT.match(clause) or _GONE.match(clause)
    passing = passing or _HE_DOES.match(clause[:1].lower() + clause[1:]) or _THITHER.match(clause)
    unclear = (
        _POINTS.match(clause)
        or does_it(clause)
        or _OBJECT.match(clause)
        or _ELSEWHERE.match(clause)
        or _LEADS_ON.match(clause)
        or _GREETS_FROM.match(clause)
        or _CATCHES_UP.match(clause)
        or _BELOW.match(clause)
        or _REASON.match(clause)
        or _ADVISES.match(clause)
        or means_somebody_unnamed(clause)
    )
    return bool(
        _lacks_verb(clause) or unclear or passing or shown or _ENDS_OPEN.search(clause.rstrip(" .!…"))
    )


def _lacks_verb(clause: str) -> bool:
    """Whether it only names something: who says so answers a question, and says nothing without it."""
    if _HEDGED.match(clause) and not (
        _VERB.search(clause) or _SPEAKS.search(clause) or has_bare_verb(clause)
    ):
        return True
    noun = _NOUN_ALONE.match(clause) or _TRADE_ALONE.match(clause)
    if _LATELY.match(clause) and not (
        _VERB.search(clause) or _SPEAKS.search(clause) or has_bare_verb(clause)
    ):
        return True
    alone = noun is not None and not _VERB.search(noun[0] + clause[noun.end() - 1 :].partition(",")[0])
    return alone or _NAMES_ALONE.match(clause) is not None
