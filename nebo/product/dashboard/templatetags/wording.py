"""How the dashboard says things: values as words, times as people say them, changes as before and after.

Everything shown is escaped here or by the template: what a conversation said is text, never markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from memories.confidence import PROMPT_GATE
from memories.pages.persona_names import name_all, name_one
from memories.pages.reasons import tell_reason
from memories.storing.versions import BROUGHT_BACK
from nebo.languages import in_sentence
from nebo.product.dashboard.job_words import list_results
from nebo.product.dashboard.unseen import split_unseen, with_labels
from nebo.product.dashboard.vocabulary import ERRORS, WORDS
from nebo.product.dashboard.word_diff import Part, compare_words
from personality.pages.choices import name_choice
from sessions.lifecycle.identity import KEY_PREFIX

register = template.Library()

UNITS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))
SURE = 0.85  # share; what a person said outright starts at 0.9
TITLE_CHARS = 90  # characters of a conversation's title
AROUND = 80  # characters shown on either side of a passage that would go
WINDOW = 280  # characters shown on either side of a quote
LONGEST_KEY = 40  # characters of a key's name
LONGEST_AGENT = 80  # characters of a header that names no known browser
# By what stands in a User-Agent header; each names those before it too, so the first that fits is meant.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip
HISTORY_FIELDS = (
    "value", "key", "namespace", "type", "fact_type", "tags", "entity_label", "entity_refs", "importance", "pinned",
    "status", "confidence", "trust", "scope", "valid_from", "valid_to", "expires_at",
)  # fmt: skip


@register.filter
def word(value: Any, subject: str) -> str:
    """A stored value as a person would say it: `{{ memory.layer|word:"layer" }}`."""
    text = str(value)
    known = WORDS[subject].get(text)
    if known is None:
        return text.replace("_", " ").replace(".", " ").capitalize()
    return gettext(known) if known else ""


register.filter("in_sentence", in_sentence)


@register.filter
def wish_value(wish: Any) -> str:
    """What a wish asks for, as the forms call it: `Short`, not `short`."""
    return name_choice(wish.field, wish.value) if wish.value else ""


@register.filter
def stored(text: str) -> str:
    """A sentence that was kept in English, in the words of the page's language where Nebo has them."""
    return tell_reason(text)


@register.filter
def text(value: Any) -> SafeString:
    """What somebody else wrote, kept to itself: its direction is its own, and what cannot be seen is shown."""
    return format_html('<bdi dir="auto">{}</bdi>', _seen(str(value)))


@register.filter
def label(value: Any) -> str:
    """The same where no markup can stand, as in a title."""
    return with_labels(str(value))


def _seen(written: str) -> SafeString:
    """With the invisible characters as marks."""
    return format_html_join("", "{}", ((_run(run.text, run.title),) for run in split_unseen(written)))


def _run(words: str, title: str) -> str | SafeString:
    if not title:
        return words
    return format_html('<span class="unseen" title="{}">{}</span>', title, words)


@register.filter
def sure_word(confidence: float) -> str:
    """A confidence between 0 and 1 in words."""
    return (gettext("Unsure"), gettext("Fairly sure"), gettext("Sure"))[sure_level(confidence) - 1]


@register.filter
def sure_level(confidence: float) -> int:
    """1, 2 or 3 bars."""
    return 1 + (confidence >= PROMPT_GATE) + (confidence >= SURE)


@register.filter
def percent(share: float) -> str:
    """0.9 as `90 %`."""
    return f"{round(share * 100)}\u202f%"


@register.filter
def wait_word(milliseconds: float) -> str:
    """How long something took: `340 ms`, `1.3 s`."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{number_format(milliseconds / 1000, 1)} s"


@register.filter
def likeness(evidence: dict[str, Any]) -> str:
    """Why two names may be one, in words."""
    sound = gettext("sound the same") if evidence.get("sound") else ""
    text = ", ".join(filter(None, (sound, _spelled(evidence.get("edits")))))
    return f"{text[:1].upper()}{text[1:]}" or gettext("Merged by hand before")


def _spelled(edits: int | None) -> str:
    if edits is None:
        return ""
    if edits == 0:
        return gettext("spelled the same but for accents")
    return ngettext("one letter apart", "%(edits)s letters apart", edits) % {"edits": edits}


@register.filter
def error_word(error: str) -> str:
    """A job's error in a sentence a person can act on."""
    text = error.lower()
    for signs, sentence in ERRORS:
        if any(sign in text for sign in signs):
            return gettext(sentence)
    return gettext("Something went wrong that Nebo has no words for. The details are below.")


@register.filter
def initial(name: Any) -> str:
    """The letter in an avatar."""
    return str(name).strip()[:1] or "·"


@register.filter
def browser_name(agent: str) -> str:
    """The browser and the system that a User-Agent header names, or the header itself."""
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or agent[:LONGEST_AGENT] or gettext("Unknown")


@register.filter
def persona_name(persona: Any) -> str:
    """What a persona is called where no other stands beside it."""
    return name_one(*_names_of(persona))


@register.filter
def told_apart(personas: Iterable[Any]) -> list[tuple[Any, str]]:
    """Each persona of a list with what it is called among the others."""
    listed = list(personas)
    return list(zip(listed, name_all([_names_of(one) for one in listed]), strict=True))


def _names_of(persona: Any) -> tuple[str, str]:
    if isinstance(persona, dict):
        return persona["name"], persona["slug"]
    return persona.name, persona.slug


@register.filter
def speaker(message: Any, person: Any = None) -> str:
    """Who said a message: the name it came with, that of the person whose page it is, or its role."""
    own = person is not None and message.role == "user" and message.person_id == person.pk
    return message.name or (own and person.display_name) or word(message.role, "role")


@register.filter
def session_title(session: Any) -> str:
    """What a session is called: what it was about, else its first words, its place, its key, or at least its day."""
    if told := getattr(session, "one_liner", "") or getattr(session, "first_words", ""):
        return _cut(told.strip().partition("\n")[0], TITLE_CHARS)
    if name := session.identity.get("conversation") or _own_key(session):
        return name
    day = format_date(timezone.localtime(session.started_at), gettext("j F Y"))
    return gettext("Conversation of %(day)s") % {"day": day}


def _own_key(session: Any) -> str:
    """The key that the agent chose; one that is made of an identity tells people nothing."""
    return "" if session.key.startswith(KEY_PREFIX) else session.key


@register.simple_tag
def ago(at: datetime | None) -> str | SafeString:
    """A `<time>` like `3 h ago`, with the exact moment as its title."""
    if at is None:
        return gettext("never")
    at = timezone.localtime(at)
    title = f"{format_date(at, gettext('j F Y, H:i:s'))} {zone_name()}"
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), title, _since(at))


@register.simple_tag
def moment(at: datetime) -> SafeString:
    """A `<time>` to the second, for a log."""
    at = timezone.localtime(at)
    shown = format_date(at, gettext("j M Y, H:i:s"))
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), zone_name(), shown)


@register.simple_tag
def zone_name() -> str:
    """The zone in which times are told here, such as `Europe/Berlin`."""
    return timezone.get_current_timezone_name()


def _since(at: datetime) -> str:
    passed = timezone.now() - at
    if passed < timedelta(0):
        return gettext("in %(span)s") % {"span": _span(_rounded(-passed))}
    if passed < timedelta(seconds=5):
        return gettext("just now")
    if passed < timedelta(days=7):
        return gettext("%(span)s ago") % {"span": _span(passed)}
    this_year = at.year == timezone.localtime().year
    return format_date(at, gettext("j M") if this_year else gettext("j M Y"))


def _rounded(ahead: timedelta) -> timedelta:
    """To its nearest day, hour or minute: a week that has just begun is 7 d, not 6."""
    unit = next((one for one in UNITS if ahead >= one), timedelta(seconds=1))
    return round(ahead / unit) * unit


def _span(passed: timedelta) -> str:
    seconds = int(passed.total_seconds())
    if days := seconds // 86_400:
        return ngettext("%(days)s d", "%(days)s d", days) % {"days": days}
    if hours := seconds // 3_600:
        return gettext("%(hours)s h") % {"hours": hours}
    if minutes := seconds // 60:
        return gettext("%(minutes)s min") % {"minutes": minutes}
    return gettext("%(seconds)s s") % {"seconds": seconds}


@register.simple_tag(takes_context=True)
def by(context: template.Context, actor: str) -> str | SafeString:
    """Who did something: `user:<id>` is `you` for that login, the others are named by what they are.

    A key is called by its name where the page's `key_names` has it.
    """
    kind, _, identifier = actor.partition(":")
    request = context.get("request")
    if kind == "user" and request is not None and str(request.user.pk) == identifier:
        return gettext("you")
    if name := (context.get("key_names") or {}).get(actor):
        return format_html("{} ({})", gettext(WORDS["actor"][kind]), text(_cut(name, LONGEST_KEY)))
    return gettext(WORDS["actor"][kind]) if kind in WORDS["actor"] else actor


@register.simple_tag
def due(at: datetime) -> str:
    """When a waiting job will be taken up: `due in 4 s`, or `due now`."""
    wait = at - timezone.now()
    if wait <= timedelta(seconds=1):
        return gettext("due now")
    return gettext("due in %(span)s") % {"span": _span(wait)}


@register.simple_tag
def quoted(observation: Any) -> SafeString:
    """The words an observation rests on, marked inside the turn they stand in (a window of it)."""
    text = observation.message.content if observation.message else ""
    start = text.find(observation.quote) if observation.quote else -1
    if observation.quote_start is not None and text.startswith(observation.quote, observation.quote_start):
        start = observation.quote_start
    if start < 0:
        return _seen(_cut(observation.quote or text, WINDOW * 2))
    end = start + len(observation.quote)
    before, after = _tail(text[:start], WINDOW), _cut(text[end:], WINDOW)
    return format_html("{}<mark>{}</mark>{}", _seen(before), _seen(text[start:end]), _seen(after))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " …"


def _tail(text: str, limit: int) -> str:
    return text if len(text) <= limit else "… " + text[-limit:].split(" ", 1)[-1]


@register.filter
def differs(version: Any, memory: Any) -> bool:
    """Whether a version said something else than the memory does now, of what can be brought back."""
    stood = version.after or {}
    return any(name in stood and stood[name] != getattr(memory, name) for name in BROUGHT_BACK)


@register.simple_tag
def reworded(before: str, after: str) -> SafeString:
    """A new wording with what it lost, word by word."""
    return format_html_join("", "{}", ((_changed(part),) for part in compare_words(str(before), str(after))))


def _changed(part: Part) -> SafeString:
    if part.kind == "same":
        return _seen(part.text)
    tag, said = ("del", gettext("Gone: ")) if part.kind == "gone" else ("ins", gettext("New: "))
    pattern = f'<{tag}><span class="visually-hidden">{{}}</span>{{}}</{tag}>'
    return format_html(pattern, said, _seen(part.text))


@register.simple_tag
def passage(span: Any) -> SafeString:
    """A stretch of a message, marked among the words around it."""
    words = span.message.content
    before, after = _tail(words[: span.start], AROUND), _cut(words[span.end :], AROUND)
    return format_html(
        "{}<mark>{}</mark>{}", _seen(before), _seen(words[span.start : span.end]), _seen(after)
    )


@register.filter
def changes(version: Any) -> list[tuple[str, str, str]]:
    """What a version changed, as (field, before, after); bookkeeping is left out."""
    before, after = version.before or {}, version.after or {}
    changed = [field for field in HISTORY_FIELDS if before.get(field) != after.get(field)]
    return [(word(field, "field"), _shown(field, before), _shown(field, after)) for field in changed]


def _shown(field: str, row: dict[str, Any]) -> str:
    value = row.get(field)
    if value is not None and field in WORDS:
        return word(value, field)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)


register.filter("results", list_results)


@register.filter
def pretty(value: Any) -> str:
    """JSON as one reads it."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


@register.filter
def with_code(text: str) -> SafeString:
    """Words between backticks as code."""
    pieces = (
        format_html("<code>{}</code>" if at % 2 else "{}", one) for at, one in enumerate(text.split("`"))
    )
    return format_html_join("", "{}", ((piece,) for piece in pieces))
