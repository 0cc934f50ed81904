"""Days as they usually go: when somebody rises, how they get to work, what they have for breakfast."""

from __future__ import annotations

from nebo.llm.rules.english.phrasing import is_short_enough, slug, third_person_verb, trim
from nebo.llm.rules.english.rules import IM, Made, Reading, rule

_CLOCK = (
    r"(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?|noon|midnight|dawn|sunrise|(?:half past |quarter (?:past|to) )?"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
)
_OFTEN = r"(?:(?P<often>usually|always|normally|generally|typically|mostly|often) )?"
_MEALS = r"breakfast|lunch|dinner|supper|dessert|a snack"
_TRANSPORT = r"bus|tram|train|metro|subway|underground|tube|ferry|bike|bicycle|car|scooter|boat"
_WORK = r"work|school|the office|university|uni|college|class|campus"
_TYPES = (
    r"night owl|early bird|early riser|morning person|night person|introvert|extrovert|homebody|perfectionist"
    r"|workaholic|bookworm|foodie|(?:coffee|tea) drinker|(?:light|deep|heavy) sleeper"
)


def _rises(found: Reading) -> Made:
    doing, often = found["doing"].lower(), found["often"].lower()
    verb, _, rest = doing.partition(" ")
    said = " ".join(
        filter(None, (often, third_person_verb(verb), rest, f"at {found['clock']}", trim(found["days"])))
    )
    return found.says(
        "habit", f"habit/{slug(doing)}", said, found["clock"], fact_type="habit", tags=("habit",)
    )


def _meal(found: Reading) -> Made:
    what, meal = trim(found["what"]), found["meal"].lower()
    if not slug(what) or not is_short_enough(what):
        return None
    often = found["often"].lower()
    said = f"{often} {third_person_verb(found['verb'])} {what} for {meal}".strip()
    return found.says("habit", f"habit/{slug(meal)}", said, what, fact_type="habit", tags=("habit", "food"))


def _commute(found: Reading) -> Made:
    how = f"{third_person_verb(found['verb'])} {found['by']}".strip()
    said = f"{found['often'].lower()} {how} to {found['place']}".strip()
    key = f"habit/commute-{slug(found['place']) or 'work'}"
    return found.says("habit", key, said, how, fact_type="habit", tags=("habit", "commute"))


def _type(found: Reading) -> Made:
    kind = found["kind"].lower()
    article = "an" if kind[0] in "aeiou" else "a"
    return found.says("fact", f"fact/{slug(kind)}", f"is {article} {kind}", kind, tags=("character",))


def _diet(found: Reading) -> Made:
    diet = f"{trim(found['diet']).lower()} diet"
    return found.says(
        "preference",
        "user/diet",
        f"is on a {diet}",
        diet,
        importance=2,
        fact_type="preference",
        tags=("diet", "food"),
    )


def _drinks_no(found: Reading) -> Made:
    what = found["what"].lower()
    return found.says(
        "preference", f"diet/{slug(what)}", f"does not drink {what}", what,
        importance=2, fact_type="preference", tags=("diet", "food"),
    )  # fmt: skip


RULES = (
    rule(
        rf"(?:I|we) {_OFTEN}(?P<doing>get up|wake up|rise|go to bed|go to sleep|have breakfast|have lunch|have dinner"
        rf"|start work|finish work|leave for work) (?:at|around|by|before) (?P<clock>{_CLOCK})(?P<days>.{{0,40}})",
        _rises,
    ),
    rule(rf"(?:I|we) {_OFTEN}(?P<verb>have|eat|take|drink) (?P<what>.{{2,60}}?) for (?P<meal>{_MEALS})$", _meal),
    rule(
        rf"(?:I|we) {_OFTEN}(?P<verb>take|ride|catch) (?P<by>(?:the|my|a) (?:[\w-]+ )?(?:{_TRANSPORT})"
        rf"(?: (?:number|line) \w+)?) to (?P<place>{_WORK})\b",
        _commute,
    ),
    rule(
        rf"(?:I|we) {_OFTEN}(?P<verb>cycle|bike|walk|drive|commute|run"
        rf"|row)(?P<by>(?: by \w+)?) to (?P<place>{_WORK})\b",
        _commute,
    ),
    rule(rf"{IM}(?:such |really |definitely |very much )*(?:an? )(?:real |total |big )?(?P<kind>{_TYPES})\b", _type),
    rule(rf"{IM}(?:currently |now )?on an? (?P<diet>[\w-]+(?: [\w-]+)?) diet\b", _diet),
    rule(
        r"I (?:don['’]?t|do not|never|can['’]?t|cannot) drink(?: any)? (?P<what>milk|coffee|alcohol"
        r"|caffeine|wine|beer|soda"
        r"|cow['’]s milk|energy drinks)$",
        _drinks_no,
    ),
)  # fmt: skip
