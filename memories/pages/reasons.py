"""Reasons that the database keeps, in English as agents get them, told in the language of a page."""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

# As they are written where they are stored; `{}` is what stands there in a case, which is told as it is.
SENTENCES = (
    _("Contains a {}, which was removed and is not kept."),
    _("Reads like an instruction to the agent ({})."),
    _("Is about {}; this workspace asks first."),
    _("Not the person’s own words, and tells the agent what to do."),
    _("Not the person’s own words, and changes who is paid, reached, trusted or meant."),
    _("Not the person’s own words, and asks to be hidden, kept or repeated."),
    _("Says what was marked as wrong."),
    _("Contradicts a memory you pinned or confirmed."),
    _("Contradicts what you said yourself; only the assistant said this."),
    _("Contradicts what is known more surely."),
    _("Came in with a file; something else is known in its place."),
    _("Is another now: “{}”"),
    _("Holds no longer: “{}”"),
    _("Is told more plainly by what was read in the same words."),
    _("Until {}: “{}”"),
    _("The day came on which it was to end."),
    _("A second reading says that the words bear it out."),
    _("It is answered otherwise since."),
    _("The extraction run that did it was undone."),
    _("The decision was undone."),
    _("The memory that said this more fully was deleted."),
    _("The fold was undone."),
    _("A newer fact changes one of the parts."),
    _("It was said {} and used {} by agents."),
    _("Says the same as another memory; folded into one."),
    _("One of several facts about the same subject; folded into one."),
    _("Says the same."),
    _("Another name of {}."),
    _("No longer taken for {}."),
    _("Version {} brought back."),
    _("Only inferred, and not seen again within 30 days."),
    _("Its time ran out."),
    _("Lay in the trash for longer than the tenant keeps it."),
    _("Nothing could be delivered for {} days."),
    _("once"),
    _("{} times"),
)


def tell_reason(text: str) -> str:
    """In the language of the page; what is none of these sentences, such as a model's own words, stays as it is."""
    for pattern, sentence in _patterns():
        if found := pattern.fullmatch(text):
            return gettext(sentence).format(*map(tell_reason, found.groups()))
    return gettext(text) if text else ""


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Those with something in them, each with what finds it."""
    with_gaps = [one for one in SENTENCES if "{}" in one]
    return tuple((re.compile(re.escape(one).replace(r"\{\}", "(.+?)"), re.DOTALL), one) for one in with_gaps)
