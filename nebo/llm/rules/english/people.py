"""The people and animals in somebody's life: who they are, and what is said of them."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import in_third_person, is_short_enough, slug, trim, without_when
from nebo.llm.rules.english.rules import NAME, Made, Reading, is_name, named, rule
from nebo.llm.rules.statements import Statement

_FAMILY = (
    r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|mom|mum|mother|dad|father"
    r"|brother|sister|son|daughter|baby|grandma|grandmother|granny|grandpa|grandfather"
    r"|grandson|granddaughter|aunt|uncle|cousin|niece|nephew|stepmom|stepmother|stepdad|stepfather"
    r"|stepson|stepdaughter|(?:mother|father|sister|brother|son|daughter)-in-law|twin"
)
_SOCIAL = (
    r"friend|best friend|bestie|buddy|boss|manager|supervisor|colleague|co-?worker|co-?founder"
    r"|business partner|roommate|flatmate|housemate|neighbou?r|mentor|mentee|teacher|coach"
    r"|therapist|doctor|dentist|landlord|landlady|assistant|client|team lead|advisor|professor"
    r"|nanny|trainer|lawyer|ex|ex-wife|ex-husband|godson|goddaughter"
)
_PETS = (
    r"dog|cat|puppy|pup|kitten|guinea pig|hamster|rabbit|bunny|parrot|bird|horse|pony|goldfish"
    r"|fish|turtle|tortoise|snake|lizard|ferret|hedgehog|golden retriever|labrador|poodle|corgi"
    r"|beagle|husky"
)
_QUALITY = (
    r"(?:(?:older|younger|little|big|twin|eldest|oldest|youngest|best|late|new|old|close|dear"
    r"|elderly|good|\w+-year-old|first|second|adopted|rescue) )?"
)
RELATION = rf"(?P<relation>{_QUALITY}(?:{_FAMILY}|{_SOCIAL}|{_PETS}))"
_PET = re.compile(rf"(?:{_PETS})$", re.IGNORECASE)
_POSSESSED = rf"(?:my|our) {RELATION}"
_DOES = (
    r"(?P<verb>works?|lives?|is|has|likes?|loves?|hates?|enjoys?|plays?|studies|teaches|speaks"
    r"|runs|owns|collects|prefers|moved|started|graduated|got|turned|passed away|died|was born"
    r"|was diagnosed"
    r"|keeps|bakes|starts|started|cooks|sings|paints|writes|builds|sells|drives|swims|practi[cs]es|volunteers|coaches"
    r"|manages|leads|grows|commutes|lived|worked|played|taught|sang"
    r"|joined|retired|won|adopted|had a baby|gave birth|proposed|bought|goes to|wants to|is called)"
)
_SLOTS = {
    "work": "occupation",
    "live": "location",
    "like": "taste",
    "love": "taste",
    "hate": "taste",
    "enjoy": "taste",
    "prefer": "taste",
}
_LASTING = re.compile(
    r"(?:an? (?!bit\b|little\b|lot\b|mess|joy|blast|great|good|huge|big fan|rock\b|real|true"
    r"|star\b|gem\b|angel)[\w -]{3,60}|\d{1,3}(?: (?:years?|months?|weeks?) old)?$|from [A-Z]"
    r"|(?:severely )?allergic to|pregnant|vegetarian|vegan"
    r"|deaf|blind|retired|married|divorced|engaged|single|getting married|autistic|diabetic"
    r"|transgender|turning \d|in (?:college|university|kindergarten|high school|\w+ grade)"
    r"|learning|studying|training)"
)
_GOT = re.compile(
    r"(?:married|engaged|divorced|promoted|fired|laid off|into|a (?:new )?(?:job|puppy|dog|cat"
    r"|house)|hurt|injured|accepted|sick|diagnosed|in(?:to)? an accident|pregnant)\b"
)


def _relation(found: Reading) -> Made:
    """`my wife Sarah`, `Sarah, my wife`, `my wife is called Sarah`."""
    name = named(found["name"])
    if not is_name(name):
        return None
    return _is_related(found, name, _plain(found["relation"]))


def _is_related(found: Reading, name: str, relation: str) -> Statement:
    entity = {"type": "people", "entity": name, "entity_type": "person", "category": "entities"}
    value = f"{name} is {found.owner} {relation}"
    return found.states(
        "relation",
        f"person/{slug(name)}",
        value,
        name,
        fact_type="relationship",
        importance=2,
        tags=(slug(relation),),
        **entity,
    )


def _about(found: Reading) -> Made:
    """`my brother Tom works at …`, `my dog is a …`."""
    verb, rest = found["verb"].lower(), trim(found["rest"])
    if not _is_telling(verb, rest):
        return None
    rest, when = without_when(rest, found.on)
    relation, name = _plain(found["relation"]), named(found["name"])
    named_ok = bool(name) and is_name(name)
    who = f"{name} ({found.owner} {relation})" if named_ok else f"{found.owner} {relation}"
    value = f"{who} {verb} {in_third_person(rest)}".strip() + (f" ({when.label})" if when else "")
    about = _fact_about(
        found,
        name if named_ok else f"{found.owner} {relation}",
        name if named_ok else relation,
        value,
        _slot(verb, rest),
        rest,
    )
    return [about, _is_related(found, name, relation)] if named_ok else about


def _fact_about(found: Reading, label: str, subject: str, value: str, slot: str, detail: str) -> Statement:
    entity = {
        "type": "people",
        "entity": label[:1].upper() + label[1:],
        "entity_type": "person",
        "category": "entities",
    }
    return found.states(
        "relation",
        f"person/{slug(subject)}/{slot}",
        value[:1].upper() + value[1:],
        detail,
        importance=2,
        **entity,
    )


def _is_telling(verb: str, rest: str) -> bool:
    if verb == "is":
        return bool(_LASTING.match(rest))
    if verb == "got":
        return bool(_GOT.match(rest))
    if verb == "has":
        return bool(
            re.match(
                r"(?:an? |two |three |\d )?(?:\w+ )?(?:kids?|child(?:ren)?|sons?|daughters?|dogs?|cats?"
                r"|birthday|allergy|diabetes|asthma|adhd|autism|cancer|degree|job|house)",
                rest,
            )
        )
    if verb in ("passed away", "died", "had a baby", "gave birth", "retired", "proposed"):
        return True
    return (
        bool(slug(rest))
        and is_short_enough(rest)
        and not re.match(
            r"(?:it|that|this|me|you|them|to (?:say|think|see)|how|what|well|hard|out|great|up)\b",
            rest,
            re.IGNORECASE,
        )
    )


def _slot(verb: str, rest: str) -> str:
    stem = re.sub(r"s$", "", verb)
    if stem in ("like", "love", "hate", "enjoy", "prefer"):
        return f"taste-{slug(rest, 3)}"
    if stem == "i" and (years := re.match(r"\d", rest)):
        return "age" if years else ""
    return _SLOTS.get(stem) or f"{slug(verb, 2) or 'is'}-{slug(rest, 3)}".strip("-")


def _they(found: Reading) -> Made:
    """`my parents live in Graz`."""
    verb, rest, relation = found["verb"].lower(), trim(found["rest"]), found["relation"].lower()
    lasting = _LASTING.match(rest) if verb == "are" else _is_telling(verb, rest)
    if not lasting or not is_short_enough(rest):
        return None
    who = f"{found.owner} {relation}"
    value = f"{who} {verb} {in_third_person(rest)}"
    return _fact_about(found, who, relation, value, _slot(verb, rest), rest)


def _birthday(found: Reading) -> Made:
    day = trim(found["day"])
    if not re.search(
        r"\d|january|february|march|april|may|june|july|august|september|october|november|december",
        day.lower(),
    ):
        return None
    relation, name = _plain(found["relation"]), named(found["name"])
    who = name if name and is_name(name) else f"{found.owner} {relation}"
    return _fact_about(found, who, name or relation, f"{who}'s birthday is {day}", "birthday", day)


def _has_named(found: Reading) -> Made:
    name = named(found["name"])
    return _is_related(found, name, _plain(found["relation"])) if is_name(name) else None


def _plain(relation: str) -> str:
    relation = re.sub(r"^(?:dear|old|good|late|new|first|second) ", "", relation.lower())
    return f"pet {relation}" if relation.split()[0] == "rescue" else relation


_TITLE = r"(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?"
_NAME = rf"(?P<name>{_TITLE}{NAME})"
_MANY = (
    r"parents|grandparents|in-laws|kids|children|twins|siblings|brothers|sisters|sons|daughters|cousins|roommates"
    r"|flatmates"
)
RULES = (
    rule(
        rf"{_POSSESSED}['’]s (?:birthday|bday)(?: is|['’]s)(?: on)? (?P<name>(?!))?(?P<day>.{{3,40}})",
        _birthday,
    ),
    rule(
        rf"(?:{_POSSESSED}['’]s name is|{_POSSESSED.replace('relation', 'relation2')} (?:is (?:called"
        rf"|named)|goes by)|{_POSSESSED.replace('relation', 'relation3')} is) {_NAME}(?=$|[,.!])",
        lambda found: _named_relation(found),
    ),
    rule(
        rf"(?:my|our|the(?= kids| children| twins)) (?P<relation>{_MANY}) (?:both |all |still |now )*"
        r"(?P<verb>live|work|go to|are|own|run|moved to|play|speak|love|like|hate|attend|study) (?P<rest>.{2,80})",
        _they,
    ),
    rule(
        rf"{_POSSESSED}(?:,? {_NAME},?)? (?:just |also |recently |finally |currently |now |really "
        rf"|already )*{_DOES}(?: (?P<rest>.{{1,160}}))?$",
        _about,
    ),
)
ANYWHERE = (
    rule(rf"\b{_POSSESSED},? {_NAME}(?=$|[\s,.!?'’)])(?! (?:and I|I)\b)", _relation, anywhere=True),
    rule(
        rf"\b(?:I am|I['’]m|got) married to {_NAME}(?=$|[\s,.!?])",
        lambda found: (
            _is_related(found, named(found["name"]), "spouse") if is_name(named(found["name"])) else None
        ),
        anywhere=True,
    ),
    rule(rf"(?:^|[\s,-]){_NAME}, my {RELATION}\b(?!['’])", _relation, anywhere=True),
    rule(
        rf"\b(?:have|has|got|adopted|'ve got|’ve got) (?:an?|another|one|two) {RELATION} (?:named"
        rf"|called) {_NAME}",
        _has_named,
        anywhere=True,
    ),
)


def _named_relation(found: Reading) -> Made:
    relation = found["relation"] or found["relation2"] or found["relation3"]
    name = named(found["name"])
    return _is_related(found, name, _plain(relation)) if is_name(name) else None
