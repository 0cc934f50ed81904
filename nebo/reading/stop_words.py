"""Words that are mere grammar or courtesy: they tell nothing about what a text is about."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


STOPWORDS = words(
    """
    a about after all also am an and any are as at be because been being but by called can could did do
    does doing don't everything for from get go going good got great had has have having he her here
    hers hey hi him his how i i'm i've if in into is it it's its just know like likes made make me more
    most much my name named no not now of on one or our out over really said she so some than thanks
    that that's the their them then there these they think this those to told too up us user very want
    was we were what when where which who why will with would wow yeah yes you you're your
    """
)
