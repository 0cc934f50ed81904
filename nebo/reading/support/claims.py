"""Whether a quote supports a claim: the hard checks of code first, then how much of it the words cover.

Nothing here believes the proposer. What fails a hard check is unsupported whatever the rest says; what shares too few
words with its quote for code to tell, as rewordings and other languages do, is unclear and may be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from nebo.reading.facts.values import find_value
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.reader import read_sentence, relation
from nebo.reading.relations.pair_chances import ABOUT_FACTS
from nebo.reading.support.alike import is_alike
from nebo.reading.support.quoted import CLAUSE, QuoteInContext
from nebo.reading.support.roles import weigh_roles
from nebo.reading.support.ties import weigh_ties
from nebo.reading.support.verdicts import SUPPORTED, Support, doubt, refuse
from nebo.reading.wording.covering import content_words, find_uncovered, language_of, list_words, means_same
from nebo.reading.wording.figures import find_missing_figure, numbers_of
from nebo.reading.wording.names import find_foreign_name, names_of
from nebo.reading.wording.polarity import is_almost, is_denied, is_past, without_answer
from nebo.reading.wording.vocabulary import kin_of

NO_DAY = date(2000, 1, 1)  # where nobody knows when it was said, bare months are still told apart

NOT_STATED: tuple[tuple[Kind, str], ...] = (
    ("question", "The words quoted ask; they don't say so."),
    ("supposed", "The words quoted only suppose it."),
    ("quoted", "The words quoted are somebody else's."),
    ("joking", "The words quoted are a joke."),
)
OTHERS = "The words quoted are about somebody else."
DOUBT = 0.5  # chance of one of those from which code alone doesn't take a sentence at its word
NEARLY, MOSTLY, PARTLY = 0.75, 0.6, 0.34  # share of a claim's words that its quote covers
ABOUT, HARDLY, CLEARLY = 0.5, 0.5, 0.8  # chance that quote and claim are about the same thing
KNOWN_PLACE = "York"
_OWN = re.compile(
    r"\b(?:I|I['’]\w+|i['’]m|im(?!\s+[A-ZÄÖÜ])|ive|(?i:we|we['’]\w+|me|ich|wir|mich|mir|uns|yo|nosotr[oa]s|je|j['’]|nous|moi|io|noi"
    r"|mi chiamo|\w{2,}iamo|\w{2,}[aei]mos|he \w+(?:ado|ido|cho|sto|rto)|ho \w+(?:ato|ito|uto|sso|tto|rto)))\b"
)
_THEIRS = re.compile(
    r"(?:(?:the )?user['’]s|their|his|her|seine?[nrms]?|ihre?[nrms]?|der|die|das|su|sus|son|sa|ses|leurs?|il suo|la sua"
    r"|suo|sua|i suoi|le sue)\s",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"(?:my|our|meine?|unsere?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|(?:il|la|i|le)?\s?(?:mio|mia|miei|mie|nostr[oaie]))"
    r"\s+(?P<owned>[^\W\d_]+)",
    re.IGNORECASE,
)
# Who is spoken of so isn't the speaker; English alone says it in every sentence.
_THIRD = re.compile(
    r"^\W*(?:he|she|they|er|il|elle|ils|elles|él|ella|ellos|ellas|lui|lei|loro)\s", re.IGNORECASE
)
# What a sentence that begins so says is said of that thing or person, unless somebody speaks of themselves in it.
_OF_A_THING = re.compile(
    r"^\W*(?:the|an?|der|die|das|eine?|el|la|los|las|una?|le|les|une|il|lo|gli|i)\s(?!(?:user|person|speaker)\b)",
    re.IGNORECASE,
)
# What opens a sentence and puts all of it in the past.
_LONG_AGO = re.compile(
    r"\W*(?:before|once|earlier|früher|damals|einst|antes|avant|autrefois|prima|una volta)\s*,\s*$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|statt|anstatt|anstelle|en (?:vez|lugar) de|au lieu d|à la place d"
    r"|invece d|al posto d)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"^(?:(?:but|aber|sondern|pero|sino|mais|ma|però|and|und|y|et|so)\s+)+", re.IGNORECASE)
# "It wasn't me, …", after which somebody else is told of.
_NOT_ME = re.compile(
    r"\b(?:not (?:I|me)|wasn['’]t me|nicht ich|no (?:fui )?yo|pas moi|non (?:sono stat[oa] )?io)\W+$",
    re.IGNORECASE,
)
_IS_FIGURE = re.compile(
    r"(?P<what>[^,.;:]+?) (?:is|are|was|were|costs?|ist|sind|kostet|kosten|es|son|cuestan?|est|sont|coûtent?|è|sono"
    r"|costano?)"
    r" [^,.;:]*\d",
    re.IGNORECASE,
)
_HAS = re.compile(r"(?:\S+ ){0,2}(?:has|have|hat|tiene|ha)\s", re.IGNORECASE)
_USER = re.compile(r"^(?:the )?(?:user|person|speaker)(?P<of>['’]s)?\s+", re.IGNORECASE)


def weigh_claim(claim: str, source: QuoteInContext, *, about: str = "", serious: bool = True) -> Support:
    """Whether what was said supports a claim; `about` names whom or what it is about, if another than the speaker.

    `serious`: of the world, so that questions and suppositions support nothing; a wish may be put as a question.
    """
    if not list_words(source.quote):
        return refuse("No words are quoted.")
    whole = f"{about}: {claim}" if about and find_uncovered(list_words(about), list_words(claim)) else claim
    checks: tuple[Callable[[], Support | None], ...] = (
        lambda: weigh_names(whole, source),
        lambda: _weigh_label(about, source),
        lambda: weigh_figures(whole, source),
        lambda: weigh_manner(source, serious=serious),
        lambda: _weigh_subject(whole, source, about),
        lambda: _weigh_polarity(claim, source),
        lambda: weigh_ties(claim, source.quote, source.question),
        lambda: weigh_roles(claim, source.sentences, source.own_names),
    )
    found = [fault for check in checks if (fault := check())]
    if any(fault.grade == "unsupported" for fault in found):
        return next(fault for fault in found if fault.grade == "unsupported")
    covered = weigh_words(whole, source)
    return found[0] if found and covered.grade != "unsupported" else covered


def weigh_words(claim: str, source: QuoteInContext) -> Support:
    """How much of a claim the quote covers, and whether both are about the same thing."""
    missing, share = _missing(claim, source), weigh_share(claim, source)
    about = _same_thing(claim, source)
    # Of another nothing reads like news of the speaker; who it is and that it is so was checked.
    # Who or what does it stands first, and no other word stands for that.
    enough = NEARLY if missing and list_words(claim)[0] == missing[0] else MOSTLY
    if any(word in missing for word in _list_subject(claim)):
        return doubt(
            f"Code alone can't tell whether the words quoted say it of “{_list_subject(claim)[-1]}”."
        )
    said = (_opens_with_name, _names_their_kin, _is_said_so)
    theirs = share == 1 and any(is_so(claim, source) for is_so in said)
    if theirs or (share == 1 and about >= HARDLY) or (share >= enough and about >= ABOUT):
        return SUPPORTED
    if about < ABOUT and share < MOSTLY:
        return refuse("The words quoted are about something else.")
    if share < PARTLY and about < CLEARLY:
        return refuse("The words quoted say too little of it.")
    named = f": “{missing[0]}” stands nowhere in them" if missing else ""
    return doubt(f"Code alone can't tell whether the words quoted say so{named}.")


def _list_subject(claim: str) -> list[str]:
    """The words for what a claim tells a figure of: of "The rent is 870" the rent."""
    found = _IS_FIGURE.match(claim)
    return list(content_words(found["what"])) if found else []


def weigh_share(claim: str, source: QuoteInContext) -> float:
    """The share of a claim's words that the quote covers; all of one that has only figures, checked apart."""
    words = content_words(claim)
    return 1 - len(_missing(claim, source)) / len(words) if words else float(bool(numbers_of(claim)))


def _missing(claim: str, source: QuoteInContext) -> list[str]:
    source_words = {*list_words(source.quote), *list_words(source.question), *_names_around(source)}
    return [
        word for word in find_uncovered(content_words(claim), source_words) if not _is_meant(word, source)
    ]


def weigh_names(claim: str, source: QuoteInContext) -> Support | None:
    """Nobody and nothing may be named who wasn't said."""
    name = find_foreign_name(claim, source.around)
    return refuse(f"Nobody named “{name}” in what was said.") if name else None


def _weigh_label(about: str, source: QuoteInContext) -> Support | None:
    """Whom a claim is about is named so, or only worded so: code can't tell."""
    name = find_foreign_name(f"of {about}", source.around)
    return doubt(f"“{name}” stands nowhere in what was said.") if name else None


def weigh_figures(claim: str, source: QuoteInContext) -> Support | None:
    """Every number and every day must be in the words quoted, or in the question they answer."""
    figure = find_missing_figure(
        claim, [(text, source.on or NO_DAY) for text in (source.quote, source.question)]
    )
    return refuse(f"“{figure}” doesn't stand in the words quoted.") if figure else None


def weigh_manner(source: QuoteInContext, *, serious: bool) -> Support | None:
    """What is asked, supposed, quoted or joked is not said."""
    meaning = read_sentence(source.sentences)
    for kind, reason in NOT_STATED:
        if kind == "question" and not serious:
            continue
        if meaning.is_sure(kind) and kind != "joking":  # jokes are too seldom told for sure
            return refuse(reason)
        if meaning.chances[kind] >= DOUBT:
            return Support("unclear", reason)
    return None


def _weigh_subject(claim: str, source: QuoteInContext, about: str) -> Support | None:
    """Kin in the claim must be said; and what is said of kin alone is no claim about the speaker."""
    if kin := _find_foreign_kin(claim, source):
        return refuse(f"Nobody said that it is about a {kin}.")
    if _is_owner_only(claim, source.message):
        return doubt(OTHERS)
    if tells_of_another(claim, source.own_names, about) or _opens_with_name(claim, source):
        return None
    return _weigh_speaker(claim, source)


def _find_foreign_kin(claim: str, source: QuoteInContext) -> str:
    """The relative of whom a claim speaks and nobody did; else empty."""
    spoken = [*list_words(source.message), *list_words(source.before)]
    kin = (word for word in content_words(claim) if kin_of(word))
    return next((word for word in kin if not any(means_same(word, other) for other in spoken)), "")


def _weigh_speaker(claim: str, source: QuoteInContext) -> Support | None:
    """What is wrong with a claim about the speaker, by whom the words quoted are about."""
    if _NOT_ME.search(source.led_by) and not is_denied(claim):
        return refuse(OTHERS)
    if is_of_another(source.clauses if len(list_words(source.clauses)) > 2 else source.sentences):
        return refuse(OTHERS)
    if _OF_A_THING.match(source.clauses) and not (_OF_A_THING.match(claim) or _OWN.search(source.clauses)):
        return None if source.question else doubt(OTHERS)
    if _cuts_off_another(source):
        return refuse(OTHERS) if _OWNED.match(_JOINS.sub("", source.clauses.lstrip())) else doubt(OTHERS)
    owned = _OWNED.match(source.quote)
    return Support("unclear", OTHERS) if owned and _takes(claim, owned["owned"]) else None


def _cuts_off_another(source: QuoteInContext) -> bool:
    """Whether the quote leaves out that its clause begins with somebody else: "my neighbour …", "but Henner …"."""
    whole = _JOINS.sub("", source.clauses.lstrip())
    if whole.startswith(source.quote) or _OWN.search(whole):
        return False
    return bool(_OWNED.match(whole)) or _opens_with_another(whole, source)


def _opens_with_another(clause: str, source: QuoteInContext) -> bool:
    """Whether it begins with a name that isn't the speaker's, outside of the quote."""
    own = {word for name in source.own_names for word in list_words(name)}
    first = next(iter(list_words(clause.partition(source.quote)[0])), "")
    named = {word for name in names_of(f"so {clause}") for word in list_words(name)}
    return first in named - own


def _is_owner_only(claim: str, message: str) -> bool:
    """Whether the name that a claim begins with was said of an owner alone: "Piet's teacher broke a leg"."""
    name = re.escape(next(iter(claim.split()), ""))
    spoken = len(re.findall(rf"\b{name}\b", message))
    return 0 < spoken == len(re.findall(rf"\b{name}['’]s\b", message)) and name[:1].isupper()


def _takes(claim: str, owned: str) -> bool:
    """Whether a claim says of the speaker what was said of a thing of theirs: of "my doctor is …" that they are one."""
    return any(means_same(word, owned.lower()) for word in content_words(claim)) and not _HAS.match(claim)


def _opens_with_name(claim: str, source: QuoteInContext) -> bool:
    """Whether a claim begins with a name that was said, and isn't the speaker's."""
    own = {word for name in source.own_names for word in list_words(name)}
    first = next(iter(list_words(claim)), "")
    named = {
        word
        for text in (source.message, source.before)
        for name in names_of(text)
        for word in list_words(name)
    }
    return first in named - own


def _names_their_kin(claim: str, source: QuoteInContext) -> bool:
    """Whether a claim is about the relative of whom the quote says "my sister"."""
    kin = [word for word in content_words(claim) if kin_of(word)]
    owned = [found["owned"].lower() for found in _OWNED.finditer(source.quote)]
    return any(means_same(word, other) for word in kin for other in owned)


def _is_said_so(claim: str, source: QuoteInContext) -> bool:
    """Whether the sentence begins with all of a claim, word for word: "Makesh left the firm" of "… on Tuesday"."""
    words, spoken = list_words(claim), list_words(source.sentences)
    return len(words) > 2 and spoken[: len(words)] == words


def tells_of_another(claim: str, own_names: Sequence[str], about: str = "") -> bool:
    """Whether a claim says by its words that it isn't about the speaker."""
    own = {word for name in own_names for word in list_words(name)}
    if any(kin_of(word) for word in content_words(claim)):
        return True
    if _THEIRS.match(claim):
        return True
    subject = [word for word in list_words(about) if word not in own and word not in ("user", "the")]
    named = [name for name in names_of(claim) if claim.lstrip().startswith(name) and name.lower() not in own]
    return bool(subject or named)


def is_of_another(sentence: str) -> bool:
    """Whether a sentence tells of a relative, a friend or a thing, and of the speaker nothing."""
    if _THIRD.match(sentence) and not _OWN.search(sentence):
        return True
    chances = read_sentence(sentence).chances
    theirs = max(chances["relative"], chances["other"]) >= DOUBT
    return theirs and chances["lasting"] < DOUBT and not _OWN.search(sentence)


def _weigh_polarity(claim: str, source: QuoteInContext) -> Support | None:
    """The clauses that hold the quote and say it must deny as often as the claim; and what is over isn't so."""
    clauses = _clauses_about(claim, source)
    past = is_past(source.clauses) or bool(_LONG_AGO.match(source.led_by))
    if past and not is_past(claim) and not is_denied(claim):
        return refuse("The words quoted say that it was so once.")
    if source.corrects and find_uncovered(content_words(without_answer(source.quote)), list_words(claim)):
        return refuse("The words quoted say something else.")
    if any(map(is_almost, clauses)) and not is_almost(claim):
        return refuse("The words quoted say that it was nearly so.")
    denials = sum(map(is_denied, (*clauses, source.question)))
    if denials % 2 == 1 and _INSTEAD.search(claim) and not any(map(_INSTEAD.search, clauses)):
        return None
    if (denials % 2 == 1) == is_denied(claim):
        return None
    fault = "The words quoted say the opposite."
    shared = _shares_words(claim, " ".join((*clauses, source.question)))
    return refuse(fault) if shared else Support("unclear", fault)


def _clauses_about(claim: str, source: QuoteInContext) -> list[str]:
    """Those that share a word with the claim; all that hold the quote where none does."""
    words = content_words(claim)
    clauses = [one for one in CLAUSE.split(without_answer(source.clauses)) if one and one.strip()]
    near = [one for one in clauses if len(find_uncovered(words, list_words(one))) < len(words)]
    return near or [source.clauses]


def _shares_words(claim: str, text: str) -> bool:
    words, source_words = content_words(claim), list_words(text)
    left = find_uncovered(words, source_words)
    return len(left) < len(words) or any(is_alike(word, other) for word in left for other in source_words)


def _names_around(source: QuoteInContext) -> list[str]:
    """The names that a pronoun in the quote may stand for, and the speaker's own."""
    around = [*names_of(source.message), *names_of(source.before), *source.own_names]
    return [word for name in around for word in list_words(name)]


def _is_meant(word: str, source: QuoteInContext) -> bool:
    return any(is_alike(word, other) for other in content_words(f"{source.quote} {source.question}"))


def likeness(claim: str, sentence: str) -> float:
    """The chance that a sentence, read as news of a claim, is about the same thing; 1 where no head can tell."""
    pairs = [(claim, sentence), (_as_spoken(claim), sentence)]
    place = find_value("home", claim)
    if place and place in sentence:  # whose name may be strange to whoever reads
        pairs += [(claim.replace(place, KNOWN_PLACE), sentence.replace(place, KNOWN_PLACE))]
    return max(_chance(*pair) for pair in dict.fromkeys(pairs))


def _same_thing(claim: str, source: QuoteInContext) -> float:
    return max(
        likeness(claim, quote) for quote in {source.quote, f"{source.question} {source.quote}".strip()}
    )


def _chance(claim: str, quote: str) -> float:
    chances = relation(claim, quote)
    total = sum(chances[name] for name in ABOUT_FACTS) if chances else 0.0
    return 1 - chances["other"] / total if total else 1.0


def _as_spoken(claim: str) -> str:
    """A claim as the person would say it: "The user's sister" is "my sister"."""
    found = _USER.match(claim)
    if not found or language_of(claim) != "en":
        return claim
    return f"{'My' if found['of'] else 'I'} {claim[found.end() :]}"
