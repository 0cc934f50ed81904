"""What somebody does for a living, where, and what they study."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import slug, trim, without_when
from nebo.llm.rules.english.rules import IM, ORG, Made, Reading, rule
from nebo.llm.rules.statements import Statement

_JOBS = re.compile(
    r"\b(?:nurse|teacher|doctor|lawyer|attorney|chef|cook|baker|pilot|judge|architect|surgeon"
    r"|student|professor|scientist|economist|accountant|consultant|analyst|assistant"
    r"|attendant|clerk|agent|guard|intern|freelancer|entrepreneur|founder|co-?founder|ceo|cto|cfo"
    r"|coo|vp|director|manager|engineer|developer|designer|programmer|writer|author"
    r"|editor|journalist|reporter|photographer|painter|musician|singer|dancer|actor|actress|artist"
    r"|illustrator|animator|filmmaker|producer|therapist|psychologist|counsell?or"
    r"|psychiatrist|dentist|pharmacist|veterinarian|vet|paramedic|firefighter|police officer"
    r"|officer|soldier|sailor|electrician|plumber|carpenter|mechanic|welder|builder|farmer"
    r"|gardener|driver|trucker|courier|barista|bartender|waiter|waitress|server|cashier|retailer"
    r"|realtor|broker|banker|trader|investor|marketer|recruiter|librarian|curator"
    r"|translator|interpreter|tutor|instructor|trainer|coach|lecturer|researcher|chemist|physicist"
    r"|biologist|mathematician|statistician|historian|geologist|technician"
    r"|administrator|sysadmin|operator|coordinator|supervisor|receptionist|secretary|salesperson"
    r"|sales rep|social worker|midwife|nanny|babysitter|hairdresser|barber"
    r"|tailor|florist|butcher|fisherman|astronaut|streamer|youtuber|podcaster|blogger|product "
    r"owner|scrum master|data scientist|project lead|team lead|tech lead|principal|dean|priest"
    r"|pastor)s?\b",
    re.IGNORECASE,
)
_AT = rf"(?: (?:at|for|with) (?P<org>(?:the )?{ORG}))?"
_NOT_EMPLOYERS = re.compile(r"^(?:the weekend|weekends?|nights?|home|myself|night)", re.IGNORECASE)
_FIELDS = (
    r"(?:software|web|game|product) (?:development|design|engineering)|marketing|finance"
    r"|healthcare|education|sales|tech|it|retail|hospitality|construction|consulting|insurance"
    r"|advertising|publishing|real estate|human resources|hr|logistics|law|journalism|banking"
    r"|politics|government|academia|research|engineering|design|biotech|cyber ?security|data "
    r"science"
    r"|public health|mental health|customer (?:service|support)|manufacturing|agriculture|film"
    r"|fashion|music|media|accounting|nursing|social work|child ?care|security|aviation"
)


def _occupation(found: Reading) -> Made:
    job = re.sub(r"^(?:an?|the)\s+", "", trim(found["job"]), flags=re.IGNORECASE)
    if (
        not _JOBS.search(job)
        or len(job.split()) > 7
        or re.search(r"\b(?:good|bad|great|terrible|better|worse|big fan)\b", job)
    ):
        return None
    article = "an" if job[:1].lower() in "aeiou" else "a"
    works = found.says(
        "fact", "user/occupation", f"works as {article} {job}", job, importance=2, tags=("work", "occupation")
    )
    return [works, *_employer_of(found)]


def _employer_of(found: Reading) -> list[Statement]:
    org = trim(found["org"])
    if not org or _NOT_EMPLOYERS.match(org):
        return []
    entity = {"entity": org, "entity_type": "org"}
    return [
        found.says(
            "fact", "user/employer", f"works at {org}", org, importance=2, tags=("work", "employer"), **entity
        )
    ]


def _field(found: Reading) -> Made:
    field = found["field"]
    return found.says(
        "fact", "user/occupation", f"works in {field}", field, importance=2, tags=("work", "occupation")
    )


def _studies(found: Reading) -> Made:
    what, when = without_when(trim(found["what"]), found.on)
    if (
        not slug(what)
        or len(what.split()) > 8
        or re.match(r"(?:the|this|that|it|for|how|a)\b", what, re.IGNORECASE)
    ):
        return None
    return (
        found.says("fact", "user/studies", f"studies {what}", what, importance=2, tags=("education",))
        if not when
        else None
    )


def _education(found: Reading) -> Made:
    what, where = trim(found["what"]), trim(found["where"])
    if not slug(what) or len(what.split()) > 6:
        return None
    return found.says(
        "fact", "user/education", f"studied {what} {where}", what, importance=2, tags=("education",)
    )


def _remote(found: Reading) -> Made:
    return found.says(
        "habit", "user/workplace", f"works {found['how']}", found["how"], fact_type="habit", tags=("work",)
    )


RULES = (
    rule(
        rf"I(?: currently| now)? work(?:ed)? as (?P<job>(?:an? |the )?[\w /&-]{{3,60}}?){_AT}(?=$"
        r"|[,.;!]| (?:and|but|in|since|because|so|where|who|which|right|now)\b)",
        _occupation,
    ),
    rule(
        rf"{IM}(?:currently |now |actually |also )*(?P<job>(?:an? |the )(?:[\w/&-]+ "
        rf"){{0,5}}?[\w/&-]+?){_AT}(?: by (?:trade|profession|day))?(?=$|[,.;!]| (?:and|but|in|from"
        r"|since|so|based|living|who|with|working|specializing|by)\b)",
        _occupation,
    ),
    rule(
        r"my (?:day )?(?:job|occupation|profession|role|job title)(?:['’]s| is) (?:being |as "
        rf")?(?P<job>(?:an? |the )?[\w /&-]{{3,50}}?){_AT}(?=$|[,.;!])",
        _occupation,
    ),
    rule(
        rf"I(?: currently| now)? work (?:at|for|with) (?P<org>(?:the )?{ORG})",
        lambda found: _employer_of(found),
    ),
    rule(
        rf"{IM}(?:currently |now )?(?:working|employed) (?:at|for|with|by) (?P<org>(?:the )?{ORG})",
        lambda found: _employer_of(found),
    ),
    rule(rf"my (?:employer|company) is (?P<org>{ORG})", lambda found: _employer_of(found)),
    rule(
        rf"I(?: currently| now|['’]m| am)? work(?:ing)? in (?P<field>{_FIELDS})(?=$|[,.;!]| (?:and|but"
        r"|at|for|in|so)\b)",
        _field,
    ),
    rule(
        r"I(?: usually| mostly| always)? work (?P<how>from home|remotely|nights|night shifts|part[- "
        r"]time|full[- ]time|freelance)\b",
        _remote,
    ),
    rule(
        rf"I (?:studied|majored in) (?P<what>[\w &-]{{3,50}}?) (?P<where>(?:in|at) (?:the )?{ORG})",
        _education,
    ),
    rule(
        r"(?:I|I['’]m|I am)(?: currently| now)? study(?:ing)? (?P<what>[\w &-]{3,60}?)(?= at\b| in\b| "
        r"right\b| for\b|$|[,.;!])",
        _studies,
    ),
)
