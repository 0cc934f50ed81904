"""What a text must pass before it may be remembered: limits, secrets, orders to the agent."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from memories.new_memory import NewMemory, NewObservation, address_key, make_key
from memories.screening.orders import OWN, find_order_reason
from memories.screening.sanitize import TextTooLong, clean_key, clean_text, clean_value, find_instructions
from memories.screening.sensitive import find_sensitive, redact
from nebo.errors import InvalidInput

TAG_MAX_CHARS = 64  # characters
TAGS_MAX = 20  # tags of one memory
LABEL_MAX_CHARS = 200  # characters
REASON_SENSITIVE = "Contains a {kind}, which was removed and is not kept."
_SLUG_MARKS = re.compile(r"[-_/:]+")
_BEFORE_DIGITS = re.compile(r"(?<=[a-z])[-_/: ]+(?=[a-z]*\d)", re.IGNORECASE)
_PART = re.compile(r"\w{4,}")  # of a secret; less is in many a word
REASON_INSTRUCTION = "Reads like an instruction to the agent ({name})."


@dataclass(frozen=True, slots=True)
class Screened:
    """A memory fit to store; with a `reason` it may be shown to its person, but never be used."""

    new: NewMemory
    reason: str


def screen(new: NewMemory) -> Screened:
    """Clean every text, redact secrets, name what keeps it out of use. Raises InvalidInput naming the field."""
    value = within("value", clean_value, new.value)
    if not value:
        raise InvalidInput(_("A memory needs a value."), field="value")
    tags = tuple(dict.fromkeys(_clean_tag(tag) for tag in new.tags))
    if len(tags) > TAGS_MAX:
        raise InvalidInput(_("At most %(most)s tags.") % {"most": TAGS_MAX}, field="tags")
    clean = replace(
        new, value=value, key=within("key", clean_key, new.key), tags=tags, entity_label=_label(new)
    )
    named = (
        clean.key,
        clean.memory_key,
        clean.entity_label,
        clean.namespace,
        *clean.tags,
        *clean.entity_refs,
    )
    slugs = [spelled for slug in named for spelled in _spellings(slug)]
    beside = (clean.memory_key, clean.entity_label, *clean.tags, *_strings(clean.metadata))
    reason = find_reason(clean.value, clean.key, *slugs, *beside)
    if _is_of_its_words(clean):  # and says nothing that the value doesn't
        named = (clean.key.rpartition("/")[0], *named[1:])
    slugs = [spelled for slug in named for spelled in _spellings(slug)]
    return Screened(_redacted(clean), reason or _find_order(clean, *slugs, *beside) or new.doubt)


def _is_of_its_words(new: NewMemory) -> bool:
    """Whether its key was made of its value: the digits at the end of such a one may read like an account's."""
    return new.key.rpartition("/")[2] == make_key(new.value)


def _find_order(new: NewMemory, *beside: str) -> str:
    """What keeps words in review that aren't the person's own."""
    return "" if new.trust == OWN else find_order_reason(new.value, *beside)


def find_reason(*texts: str) -> str:
    """Why a memory with these texts may not be used, or empty."""
    for text in texts:
        secrets = find_sensitive(text)
        if secrets:
            return REASON_SENSITIVE.format(kind=secrets[0].kind.replace("_", " "))
    for text in texts:
        orders = find_instructions(text)
        if orders:
            return REASON_INSTRUCTION.format(name=orders[0].replace("_", " "))
    return ""


def redact_all(data: Any) -> Any:
    """JSON with the secrets in its strings removed."""
    if isinstance(data, str):
        return redact(clean_text(data))
    if isinstance(data, dict):
        return {redact_all(key): redact_all(value) for key, value in data.items()}
    return [redact_all(item) for item in data] if isinstance(data, list | tuple) else data


def within(field: str, clean: Callable[[str], str], text: str) -> str:
    """The text cleaned; raises InvalidInput for `field` where it is over its limit."""
    try:
        return clean(text)
    except TextTooLong as error:
        raise InvalidInput(str(error), field=field) from error


def _redacted(new: NewMemory) -> NewMemory:
    value = redact(new.value)
    return replace(
        new,
        value=value,
        key=address_key("" if _tells_secret(new.key, new.value) else redact(new.key), value),
        tags=tuple(redact(tag) for tag in new.tags if not _tells_secret(tag, new.value)),
        entity_label="" if _tells_secret(new.entity_label, new.value) else redact(new.entity_label),
        entity_refs=tuple(ref for ref in new.entity_refs if not _tells_secret(ref, new.value)),
        namespace="/".join(part for part in new.namespace.split("/") if not _tells_secret(part, new.value)),
        memory_key="" if _tells_secret(new.memory_key, new.value) else redact(new.memory_key),
        metadata=redact_all(dict(new.metadata)),
        observations=tuple(_redacted_observation(seen) for seen in new.observations),
    )


def _spellings(slug: str) -> tuple[str, str]:
    """A slug as it would be written: `card-4111-1111-1111-1111` is a number again, `pin-4821` says that it is one."""
    return _SLUG_MARKS.sub(" ", slug), _SLUG_MARKS.sub(" ", _BEFORE_DIGITS.sub(" is ", slug))


def _tells_secret(slug: str, value: str) -> bool:
    """Whether a key or a tag spells out a secret, or a part of one that the value has."""
    secrets = [value[found.start : found.end].lower() for found in find_sensitive(value)]
    parts = [part for secret in secrets for part in _PART.findall(secret)]
    spelled = any(find_sensitive(text) for text in _spellings(slug))
    return spelled or any(part in slug.lower() for part in parts)


def _redacted_observation(seen: NewObservation) -> NewObservation:
    """A quote with a secret in it loses its place too, since the words no longer stand there."""
    quote = redact(seen.quote)
    value = redact(clean_text(seen.value))
    if quote == seen.quote:
        return replace(seen, value=value)
    return replace(seen, value=value, quote=quote, quote_start=None, quote_end=None)


def _strings(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, dict):
        return [text for pair in data.items() for item in pair for text in _strings(item)]
    return [text for item in data for text in _strings(item)] if isinstance(data, list | tuple) else []


def _clean_tag(tag: str) -> str:
    text = " ".join(clean_text(tag).split())
    if not text or len(text) > TAG_MAX_CHARS:
        raise InvalidInput(_("A tag has 1 to %(most)s characters.") % {"most": TAG_MAX_CHARS}, field="tags")
    return text


def _label(new: NewMemory) -> str:
    label = " ".join(clean_text(new.entity_label).split())
    if len(label) > LABEL_MAX_CHARS:
        raise InvalidInput(f"At most {LABEL_MAX_CHARS} characters.", field="entity_label")
    return label
