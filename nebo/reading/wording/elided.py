"""English clauses that leave out who is meant: "Can't have shellfish", "Lost my job", "Mum's 70 in May"."""

from __future__ import annotations

import re

from nebo.reading.wording.covering import language_of
from nebo.reading.words.bare_verbs import CLIPPED, DONE

_ADVERB = r"(?:(?:just|recently|finally|also|only|even|still|never|always|usually|already|really) )?"
_PAST = (
    "lost|got|booked|ordered|went|had|made|found|bought|moved|started|finished|took|met|saw|joined|quit"
    "|left|tried|spent|won"
    "|sold(?! out)|switched|grew|broke|dyed|sprained|adopted|stopped|gave up|passed|failed|signed|swapped"
    "|turned|became"
    "|began|used to"
)
_DENYING = "can't|cannot|couldn't|won't|wouldn't|didn't|haven't|hadn't|wasn't"
_HABITS = "like|eat|drink|smoke|drive|have|want|own|work|live|sleep|do|speak|use|need|get|go"
_OF_ONESELF = (
    "(?:job|mum|mom|dad|phone|keys?|place|car|bike|flat|house|wrist|arm|leg|ankle|foot|toe|nose|finger"
    "|collarbone|hip|hair|back"
    r"|(?:[\w-]+ ){0,2}?(?:exam|test|theory|medical|degree|licen[cs]e|viva|final|mock)s?)"
)
# A verb that begins a clause so has nobody but the speaker for its subject. "Had I known" and "Left my job" differ.
_VERBS = re.compile(
    rf"(?:{_ADVERB}(?:{_PAST})|{_ADVERB}(?:{_DENYING})|never [a-z]+ed"
    rf"|(?:don't|never|always|usually) (?:really )?(?:{_HABITS})|have (?:\d+|two|three|four|five|an?) [a-z]+)\b"
    rf"(?! (?:I|we|she|he|they|it)\b)(?! (?:my|our) (?!{_OF_ONESELF}\b))"
    r"(?!.*\b(?:when|whenever|if) I (?:ask|say|tell|mention|want|request|send)\b)",
    re.IGNORECASE,
)
_BEEN = re.compile(  # "Been to Rome", but not "Been a while"
    rf"{_ADVERB}been\b(?! (?:(?:an?|quite|such|too|so|ages|forever|\d+|two|three|some) (?:few |long |good )?)?"
    r"(?:days?|weeks?|months?|years?|whiles?|ages|time|long|forever|since)\b)",
    re.IGNORECASE,
)
# "Learning Welsh", but not "Learning Welsh is fun".
_DOING = re.compile(
    r"(?:currently |still |now |just )?(?:learning|training (?:for|as)|trying to|living (?:in|with|near|out of)"
    r"|working (?:as|at|for|in|on|nights|days|shifts|part|full)|studying|saving (?:up )?for|planning to|expecting"
    r"|researching|volunteering|preparing for|practi[sc]ing|applying (?:for|to)|(?:writing|building) (?:an?"
    r"|my|our))\b"
    r"(?!(?:(?! [-–—]+ ).)*\b(?:is|are|was|were|has|helps?|helped|makes?|made|keeps?|kept|gives?|gave|can"
    r"|will|would|takes?)\b"
    r"|.*\b[a-z]+s me\b)",
    re.IGNORECASE,
)
_BEING = re.compile(
    r"(?:busy (?:with|at)|not (?:an?|really|much of|very|keen|allowed|good|big)"
    r"|(?:also |really |very |highly )?allergic to"
    r"|(?:lactose|gluten) intolerant|married to|originally from|based in|born)\b(?!,)",
    re.IGNORECASE,
)
# "Two kids, Leo and Vera", „zwei Katzen, Mimi und Momo“: whom somebody has.
_HAVING = re.compile(
    r"(?:\d|two|three|four|five) (?:(?:little|grown-up|small|young|older|younger|step)[ -]?)?"
    r"(?:kids|children|sons|daughters|boys|girls|cats|dogs|brothers|sisters|siblings|grandchildren"
    r"|grandkids)(?=[,:(]|\W*$)",
    re.IGNORECASE,
)
_HABEND = re.compile(
    r"(?:\d|zwei|drei|vier|fünf) (?:(?:kleine|erwachsene|große|ältere|jüngere) )?"
    r"(?:Kinder|Söhne|Töchter|Jungs|Mädchen|Katzen|Hunde|Brüder|Schwestern|Geschwister"
    r"|Enkel(?:kinder)?)(?=[,:(]|\W*$)",
    re.IGNORECASE,
)
_BORN = re.compile(r"born\b", re.IGNORECASE)
# "live with my nan", "work nights at a bakery": nobody is told to.
_LIVING = re.compile(
    r"(?:live (?:with (?:my|our|two|three|four)|alone|on my own)"
    r"|work (?:as an?|nights|days|shifts|part[- ]time|full[- ]time))\b",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"(?:Mum|Mom|Mam|Dad|Daddy|Mummy|Grandma|Grandpa|Granny|Gran|Nan|Grandad)(?=['’]s [a-z\d]| (?!and\b)[a-z])"
)
_PRONOUNS = (
    "he",
    "she",
    "it",
    "that",
    "there",
    "what",
    "who",
    "here",
    "where",
    "let",
    "everyone",
    "everything",
)
# "My wife's pregnant", "Hedda's moving": a verb, where what follows can't be hers, as in "Maya's wedding is in July".
_HERS = r"(?:wedd|meet|build|train|paint|hear|even|morn|open|cloth|r|k|th|spr|str|pudd|sibl|offspr|s|earr|ceil)ing\b"
_SHORT = re.compile(
    rf"(?P<who>(?:[Mm]y |[Oo]ur )?[\w-]+(?: [\w-]+)?)['’]s (?:(?P<has>{DONE})\b|(?=(?:\d+(?![\w-])"
    r"|(?:an?|the|from|in|at|on|not|called|allergic|vegan|vegetarian|pregnant|expecting|married|divorced"
    r"|retired|ill|very|really|always|also|still|just"
    rf"|(?!{_HERS})[a-z]+ing(?! (?:is|isn['’]t|was|wasn['’]t|will|has|had|went|got|starts?|ends?)\b))\b)))"
)
_WITH_ME = re.compile(r", me and (?P<name>(?:my )?[\w'’-]+(?: [A-Z][\w'’-]+)?)(?=[.!]*$)")
_ICH = re.compile(
    r"(?:bin|hab|habe|hatte|war|wohne|lebe|arbeite|esse|trinke|vertrage|mag|spiele|lerne|studiere|fahre|komme|brauche|kann"
    rf"|muss|müsste|soll|sollte|will|möchte|darf|{CLIPPED}) (?!ich\b|wir\b|du\b|man\b|es\b|das\b)",
    re.IGNORECASE,
)
# "Guess who's been made head of science!": the speaker, who answers it so.
_GUESS_WHO = re.compile(
    r"^guess who(?P<has>['’]s|s| has| is|)\s+(?=(?:been|got|just|passed|won|failed|lost|found|bought|moved|made"
    r"|starting|moving|having|getting|going|finally|officially)\b)",
    re.IGNORECASE,
)
_ONESELF = {"s": "I've ", "has": "I've ", "is": "I'm ", "": "I "}
_HABE = re.compile(r"^hab(?= )")
_PLACE = r"(?P<place>[A-ZÀ-ÖØ-Þ][\w'’-]+(?:[ -][A-ZÀ-ÖØ-Þ][\w'’-]+)?)"
_HOME = (  # "York now, closer to my mum", „jetzt in Leipzig“
    (re.compile(rf"(?:[Ii]n )?{_PLACE} (?:now|these days)(?=[.,!]|$)"), "I live in {} now"),
    (re.compile(rf"(?:[Nn]ow in|[Nn]ow) {_PLACE}(?=[.,!]|$)"), "I now live in {}"),
    (re.compile(rf"(?:[Jj]etzt|[Nn]un)(?: in)? {_PLACE}(?=[.,!]|$)"), "Ich wohne jetzt in {}"),
    (re.compile(rf"(?:[Ii]n )?{_PLACE} (?:jetzt|inzwischen)(?=[.,!]|$)"), "Ich wohne jetzt in {}"),
    (re.compile(rf"[Aa]hora(?: en)? {_PLACE}(?=[.,!]|$)"), "Ahora vivo en {}"),
    (re.compile(rf"[Mm]aintenant(?: à)? {_PLACE}(?=[.,!]|$)"), "J'habite maintenant à {}"),
    (re.compile(rf"(?:[Oo]ra|[Aa]desso)(?: a)? {_PLACE}(?=[.,!]|$)"), "Ora vivo a {}"),
)


def name_speaker(text: str) -> str:
    """An English or German clause with the speaker whom it leaves out; the text itself where it leaves none."""
    if text.rstrip().endswith("?"):
        return text
    return name_whom(text) if language_of(text) == "en" else name_ich(text)


def is_surely_own(text: str) -> bool:
    """Whether a text is a noun without a verb, of whom somebody has ("Two kids, Leo and Vera"), or tells without an "I"
    how they live ("live with my nan").
    """
    return bool(_HAVING.match(text) or _HABEND.match(text) or _LIVING.match(text))


def name_whom(text: str) -> str:
    """The clause with the "I" or the "my" that it leaves out; the text itself where it leaves none."""
    text = _GUESS_WHO.sub(lambda found: _ONESELF[found["has"].lower().strip(" '’")], text)
    text = _open_verb(_WITH_ME.sub(r" with \g<name>", text))
    if _PARENT.match(text):
        return f"My {_small(text)}"
    for pattern, subject in (
        (_BORN, "I was"),
        (_VERBS, "I"),
        (_BEEN, "I've"),
        (_DOING, "I'm"),
        (_BEING, "I'm"),
        (_HAVING, "I have"),
        (_LIVING, "I"),
    ):
        if pattern.match(text):
            return f"{subject} {_small(text)}"
    return text


def name_ich(text: str) -> str:
    """A German clause with the "Ich" that it leaves out: „bin gegen Katzen allergisch“."""
    if _HABEND.match(text):
        return f"Ich habe {_small(text)}"
    found = _ICH.match(text)
    if found is None or language_of(text) != "de":
        return text
    return f"Ich {_HABE.sub('habe', _small(text))}"


def with_home(clause: str) -> str:
    """A place and "now", as where somebody lives; anything else as it is."""
    for pattern, home in _HOME:
        if found := pattern.match(clause):
            return home.format(found["place"]) + clause[found.end() :]
    return clause


def _open_verb(text: str) -> str:
    found = _SHORT.match(text)
    if found is None or found["who"].lower() in _PRONOUNS:
        return text
    verb = f"has {found['has']}" if found["has"] else "is "
    return f"{found['who']} {verb}{text[found.end() :]}"


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
