"""Who somebody is: name, age, birthday, origin, family status, languages, diet, health."""

from __future__ import annotations

import re

from nebo.llm.rules.english.introductions import is_given_name
from nebo.llm.rules.english.phrasing import slug, trim
from nebo.llm.rules.english.rules import IM, NAME, Made, Reading, is_name, named, rule
from nebo.llm.rules.wordlists import words

_NO_NICKNAME = words(
    "later back tomorrow crazy anytime tonight asap when now soon first again old stupid silly paranoid "
    "whatever anything what maybe if at on in after before not out up over spelled pronounced written "
    "listed there here mud different secret cynical biased skeptical naive lazy weird"
)
_CONDITIONS = (
    r"(?:type (?:1|2|one|two) )?diabetes|asthma|adhd|add|autism|celiac(?: disease)?|coeliac(?: "
    r"disease)?|epilepsy|arthritis|migraines?|insomnia|anxiety|depression|ptsd|ocd"
    r"|dyslexia|high blood pressure|hypertension|ibs|crohn['’]?s(?: disease)?|lupus|psoriasis"
    r"|eczema|tinnitus|sleep apnea|endometriosis|scoliosis|bipolar disorder|glaucoma"
)
_STATUS = (
    r"married|engaged|divorced|separated|single|widowed|a widow(?:er)?|retired|unemployed|pregnant"
    r"|a single (?:parent|mom|mum|dad|mother|father)|self-employed|colou?r-?blind|left-handed|deaf"
    r"|blind|transgender|non-binary|gay|bisexual|lesbian|queer|asexual|trans"
)
_DIETS = (
    r"vegetarian|vegan|pescatarian|pescetarian|gluten[- ]free|lactose[- ]intolerant|kosher|halal"
    r"|keto|diabetic|teetotal|sober|dairy[- ]free"
)
_LANGUAGES = (
    r"english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish"
    r"|polish|czech|russian|ukrainian|turkish|arabic|hebrew|farsi|persian|hindi|urdu"
    r"|bengali|tamil|telugu|mandarin|cantonese|chinese|japanese|korean|vietnamese|thai|greek"
    r"|hungarian|romanian|swahili|indonesian|malay|tagalog|catalan|sign language"
)


MAX_GREETING_CHARS = 24  # of a message that may stand before "I'm Kim"


def _name(found: Reading) -> Made:
    name = named(found["name"])
    if not _can_be_called(name):
        return None
    shown = name if name != name.lower() else name.title()
    return found.says("name", "user/name", f"is called {shown}", shown, importance=3, tags=("name",))


def _introduces(found: Reading) -> Made:
    """`I'm Kim.` as the first sentence of a message: a name alone, of whoever isn't known to have another."""
    name, clause = found["name"], found.clause
    alone = clause.text.strip() == clause.sentence.strip(" \n.!…").removeprefix(clause.before).strip()
    first = clause.start <= MAX_GREETING_CHARS and " Am " not in found.match.group()
    known = found.turn.speaker and name.lower() not in found.turn.speaker.lower()
    return _name(found) if first and alone and not known and is_given_name(name) else None


def _can_be_called(name: str) -> bool:
    words = name.lower().split()
    return bool(words) and words[0] not in _NO_NICKNAME and is_name(name)


def _age(found: Reading) -> Made:
    return found.says(
        "fact", "user/age", f"is {found['age']} years old", found["age"], importance=2, tags=("age",)
    )


def _birthday(found: Reading) -> Made:
    day = trim(found["day"])
    if not re.search(
        r"\d|january|february|march|april|may|june|july|august|september|october|november|december"
        r"|christmas|valentine",
        day.lower(),
    ):
        return None
    return found.says(
        "fact", "user/birthday", f"has their birthday on {day}", day, importance=2, tags=("birthday",)
    )


def _origin(found: Reading) -> Made:
    place = trim(found["place"])
    return (
        found.says("fact", "user/origin", f"is from {place}", place, importance=2, tags=("origin",))
        if place
        else None
    )


def _upbringing(found: Reading) -> Made:
    place = trim(found["place"])
    if not slug(place) or len(place.split()) > 9:
        return None
    return found.says("fact", "user/upbringing", f"grew up {place}", place, importance=2, tags=("origin",))


def _status(found: Reading) -> Made:
    status = found["status"].lower()
    key = (
        "user/relationship-status"
        if re.match(r"married|engaged|div|sep|single|widow", status)
        else f"user/{slug(status)}"
    )
    return found.says("fact", key, f"is {status}", status, importance=2)


def _married_for(found: Reading) -> Made:
    return found.says(
        "fact", "user/relationship-status", f"has been married for {found['time']}", "married", importance=2
    )


def _diet(found: Reading) -> Made:
    diet = found["diet"].lower()
    return found.says(
        "preference",
        "user/diet",
        f"is {diet}",
        diet,
        importance=2,
        fact_type="preference",
        tags=("diet", "food"),
    )


def _allergy(found: Reading) -> Made:
    what = trim(found["what"])
    if not slug(what) or len(what.split()) > 10:
        return None
    return found.says(
        "preference",
        f"allergy/{slug(what)}",
        f"is allergic to {what}",
        what,
        importance=3,
        tags=("allergy", "health"),
    )


def _condition(found: Reading) -> Made:
    what = found["what"]
    return found.says("fact", f"health/{slug(what)}", f"has {what}", what, importance=3, tags=("health",))


def _languages(found: Reading) -> Made:
    what = trim(found["what"])
    return found.says("fact", "user/languages", f"speaks {what}", what, tags=("language",))


def _learns_language(found: Reading) -> Made:
    return found.says(
        "fact",
        f"learning/{slug(found['what'])}",
        f"is learning {found['what']}",
        found["what"],
        tags=("learning", "language"),
    )


RULES = (
    rule(rf"my (?:full |first |real |actual )?name(?:['’]s| is) (?P<name>{NAME}|[a-z]{{2,15}}$)", _name),
    rule(
        r"(?:from now on,? |going forward,? |you can |you may |just |please |everyone |everybody "
        rf"|friends |people |most people )*calls? me (?P<name>{NAME}|[a-z]{{2,15}}$)",
        _name,
    ),
    rule(rf"I(?: usually| mostly| just)? (?:go|prefer to go) by (?P<name>{NAME}|[a-z]{{2,15}}$)", _name),
    rule(rf"(?:I prefer|I like) (?:to be|being) called (?P<name>{NAME})", _name),
    rule(rf"(?:this is |{IM})(?P<name>{NAME})(?=,? (?:here|by the way|btw)\b|, nice to meet)", _name),
    rule(rf"{IM}(?P<age>\d{{2}})(?: years? old| y/?o)?$", _age),
    rule(r"my (?:birthday|bday|date of birth)(?:['’]s| is)(?: on)? (?P<day>.{3,40})", _birthday),
    rule(r"I was born (?:on|in) (?P<day>.{3,40})", _birthday),
    rule(rf"{IM}(?:originally )?from (?P<place>(?:the )?{NAME}(?:, {NAME})?)", _origin),
    rule(
        rf"(?:I grew up|I was raised|I was born(?: and raised)?) in (?P<place>(?:the )?{NAME}(?:, {NAME})?)",
        _origin,
    ),
    rule(r"I (?:grew up|was raised) (?P<place>(?:on|near|by|at|in) .{3,60})", _upbringing),
    rule(
        rf"(?:{IM}|I just got |I got |I am now |I recently got )(?:happily |recently |now |newly "
        rf")?(?P<status>{_STATUS})(?= now| recently|,| and\b| to\b| with\b| of\b|$)",
        _status,
    ),
    rule(
        r"(?:I|we)(?:['’]ve| have) been (?:happily )?married for (?P<time>(?:about |over |almost "
        r")?[\w-]+ years)",
        _married_for,
    ),
    rule(
        rf"{IM}(?:a |an |strictly |now |mostly )*(?P<diet>{_DIETS})\b(?! (?:restaurant|food|friend))", _diet
    ),
    rule(
        r"(?:I (?:don['’]?t|do not|never|can['’]?t|cannot) (?:eat|have)(?: any)?) (?P<diet>(?:red "
        r")?meat|pork|beef|fish|gluten|dairy|seafood|shellfish|sugar|nuts|peanuts)\b",
        lambda found: _avoids(found),
    ),
    rule(
        r"I (?:don['’]?t|do not) (?P<what>drink(?: alcohol| coffee| caffeine)?|smoke)$",
        lambda found: _abstains(found),
    ),
    rule(
        rf"{IM}(?:severely |very |really |deathly |highly |also )*allergic to (?P<what>.{{2,80}})", _allergy
    ),
    rule(
        r"I(?:['’]ve got| have|['’]ve| suffer from| also have| got)(?: a| an)?(?: severe| bad| "
        r"serious)? (?P<what>[\w ]{2,30}) allergy",
        _allergy,
    ),
    rule(
        r"I(?:['’]ve got| have| suffer from| live with|['’]ve been diagnosed with| was diagnosed "
        rf"with)(?: severe| chronic| mild)? (?P<what>{_CONDITIONS})\b",
        _condition,
    ),
    rule(
        r"I (?:can |also )?speak (?:fluent |some |a little |a bit of "
        rf")?(?P<what>(?:{_LANGUAGES})(?:(?:,|,? and| or) (?:some |a little |fluent |a bit of "
        rf")?(?:{_LANGUAGES})){{0,4}})",
        _languages,
    ),
    rule(
        r"I(?:['’]m| am|['’]ve been| have been) (?:currently |now )?(?:learning|studying) "
        rf"(?P<what>{_LANGUAGES})\b",
        _learns_language,
    ),
    rule(rf"{IM}(?P<name>{NAME})$", _introduces),
)


def _avoids(found: Reading) -> Made:
    what = found["diet"].lower()
    return found.says(
        "preference",
        f"diet/{slug(what)}",
        f"does not eat {what}",
        what,
        importance=2,
        fact_type="preference",
        tags=("diet", "food"),
    )


def _abstains(found: Reading) -> Made:
    what = found["what"].lower()
    return found.says(
        "preference", f"diet/{slug(what)}", f"does not {what}", what, fact_type="habit", tags=("diet",)
    )


INTRODUCTION = re.compile(
    r"(?:hi|hello|hey)(?: there)?[\s,!.]+(?:everyone[\s,!.]+)?(?:I['’]?m|I am|this is|my name is) "
    rf"(?P<name>{NAME})(?=[\s.,!]|$)(?! (?:and|the)\b)",
    re.IGNORECASE,
)
