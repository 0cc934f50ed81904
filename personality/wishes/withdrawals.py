"""What a sentence that takes a wish back means: a field of the overlay, a rule, or a style that was learned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from memories.screening.sensitive import redact
from memories.understanding import Related, Understanding
from nebo.reading.meaning.kinds import Relation
from nebo.reading.requests.limits import names_case
from nebo.reading.requests.wishes import ADDRESS, SINGLE
from nebo.tenants.models import Tenant
from personality.fields import RULES
from personality.models import PersonaCandidate, PersonaOverlay
from personality.overlays.overlay import ABOUT, ENDED
from personality.styles.ending import list_styles_about
from personality.wishes.finding import MAX_QUOTE_CHARS, Wish, Withdrawal
from personality.wishes.relations import RelatedRule

SURE = 0.6  # chance from which a rule is over, too, where a field is meant already


def take_back(
    *,
    tenant: Tenant | UUID,
    overlay: PersonaOverlay,
    understood: Understanding,
    wishes: Sequence[Wish],
    withdrawals: Sequence[Withdrawal],
) -> list[Wish]:
    """What one message takes back, as wishes for it to be as it was; by a new wish, too, that takes its place.

    What takes back nothing that stands is itself what they want: “stop calling me buddy”.
    """
    rules = _list_named(tenant, understood.related)
    found: list[Wish] = []
    for one in withdrawals:
        excepted = [rules.get(r.object_id, "") for r in related_by(one, understood.related, "beside")]
        if excepted:
            found += _excepted(overlay, one, excepted[0])
            continue
        if names_case(one.text) and _is_for_all(overlay, one, understood.related, rules):
            found += [] if one.start in {wish.start for wish in wishes} else [_in_own_words(one)]
            continue
        ended = list(_of_withdrawal(overlay, one, understood.related, rules))
        found += ended or [_instead(tenant, overlay, one)]
    asked = {wish.field for wish in wishes}
    for wish in wishes:
        if wish.is_explicit and not wish.unsafe and _may_replace(wish):
            found += _replaced(overlay, wish, asked, understood.related, rules)
    return found


def _is_for_all(
    overlay: PersonaOverlay, one: Withdrawal, related: Iterable[Related], rules: dict[UUID, str]
) -> bool:
    """Whether what it would take back in one case was wished for in all: then all else stays as it was."""
    field = _find_field(overlay, one)
    rule = _find_rule(overlay, one, related, rules, beside=bool(field))
    return bool(field or rule) and not names_case(rule)


def related_by(one: Withdrawal, related: Iterable[Related], kind: Relation) -> list[RelatedRule]:
    """The rules that its sentence is related to in one way."""
    rules = (rule for rule in related if isinstance(rule, RelatedRule))
    return [rule for rule in rules if rule.start == one.start and rule.relation == kind]


def takes_back(wish: Wish) -> bool:
    """Whether a wish is for something to be as it was."""
    return not wish.value or wish.value.startswith(ENDED)


def _may_replace(wish: Wish) -> bool:
    """Whether what a wish is about has one answer at a time; a condition leaves that open, and the rule it changes."""
    return wish.about in SINGLE or wish.field == RULES


def _of_withdrawal(
    overlay: PersonaOverlay, one: Withdrawal, related: Iterable[Related], rules: dict[UUID, str]
) -> Iterator[Wish]:
    """The field that is named by its value, else the one it is about, and the nearest rule that is clearly meant."""
    field = _find_field(overlay, one)
    rule = _find_rule(overlay, one, related, rules, beside=bool(field))
    if rule or field:
        one = replace(one, mode="explicit" if one.mode == "hedged" else one.mode)  # there is what it may mean
    if field:
        yield one.of(field, "")
    if rule:
        yield one.of(RULES, ENDED + rule)


def _instead(tenant: Tenant | UUID, overlay: PersonaOverlay, one: Withdrawal) -> Wish:
    """The end of what was learned about the same, or else a rule in their own words."""
    if one.about in ABOUT and list_styles_about(tenant, overlay, one.about).exists():
        return one.of(ABOUT[one.about][0], "")
    return _in_own_words(one)


def _in_own_words(one: Withdrawal) -> Wish:
    return one.of(RULES, redact(one.text.strip(" .!\n"))[:MAX_QUOTE_CHARS])


def _find_field(overlay: PersonaOverlay, one: Withdrawal) -> str:
    """The field that stands and is meant, or empty."""
    held, text = overlay.fields, one.text.casefold()
    standing = [name for name in held if name != RULES]
    named = [name for name in standing if str(held[name]).casefold() in text]
    about = [name for name in ABOUT.get(one.about, ()) if name in standing]
    return next(iter([*named, *about]), "")


def _find_rule(
    overlay: PersonaOverlay,
    one: Withdrawal,
    related: Iterable[Related],
    rules: dict[UUID, str],
    *,
    beside: bool,
) -> str:
    """The rule that stands and is meant, or empty; `beside` a field only what shares its words with the sentence."""
    standing = overlay.fields.get(RULES, ())
    address = [rule for rule in standing if rule.startswith(ADDRESS) and one.about == "address"]
    nearest = sorted((r for r in related if r.start == one.start), key=lambda r: -_fit(r))
    near = [rules.get(r.object_id, "") for r in nearest if not beside or r.chance >= SURE]
    return next((rule for rule in (*address, *near) if rule in standing), "")


def _fit(related: Related) -> float:
    """How well a rule fits a sentence: by its words and matter, and by the meaning of both together."""
    return related.chance + (related.over if isinstance(related, RelatedRule) else 0.0)


def _excepted(overlay: PersonaOverlay, one: Withdrawal, rule: str) -> Iterator[Wish]:
    """A rule with what is allowed in one case, in the place of the rule: both in the person's words."""
    if rule in overlay.fields.get(RULES, ()):
        both = redact(f"{rule}; but {one.text.strip(' .!')}")
        one = replace(one, mode="explicit" if one.mode == "hedged" else one.mode)
        yield one.of(RULES, ENDED + rule)
        yield one.of(RULES, both[:MAX_QUOTE_CHARS])


def _replaced(
    overlay: PersonaOverlay,
    wish: Wish,
    asked: set[str],
    related: Iterable[Related],
    rules: dict[UUID, str],
) -> Iterator[Wish]:
    """What stands in the way of a new wish about the same: an older rule, or a field that a rule now speaks of."""
    for one in related:
        rule = rules.get(one.object_id, "")
        if one.start == wish.start and one.relation == "changes" and rule in overlay.fields.get(RULES, ()):
            yield Wish(RULES, ENDED + rule, wish.mode, wish.quote, wish.start, wish.end, about=wish.about)
    for name in ABOUT.get(wish.about, ()) if wish.field == RULES and wish.about != "address" else ():
        if name in overlay.fields and name not in asked:
            yield Wish(name, "", wish.mode, wish.quote, wish.start, wish.end, about=wish.about)


def _list_named(tenant: Tenant | UUID, related: Sequence[Related]) -> dict[UUID, str]:
    ids = [one.object_id for one in related]
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(pk__in=ids, field=RULES)
    return dict(rows.values_list("pk", "value")) if ids else {}
