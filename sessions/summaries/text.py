"""Summaries as text: how an old one shrinks, what of a new one may be kept, and how a model's answer is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memories.extraction.locating import find_json_object
from memories.screening.checks import find_reason
from memories.screening.personal import NO_POLICY, Policy, is_told_freely
from nebo.llm.errors import LlmError
from nebo.llm.rules.summaries import carry_over, condense
from nebo.llm.spine_text import Sections, read_sections, section_name

ROLLING_CHARS = 600  # characters of a rolling summary; docs/design.md#conversation-numbers
LIST_ITEMS = 10  # in one list of a session's summary
ITEM_CHARS = 300  # characters
ONE_LINER_CHARS = 400  # characters
TONE_CHARS = 200  # characters
LIST_FIELDS = ("what_mattered", "open_loops", "commitments", "people")
SUMMARY_CHARS = 4_000  # characters of what one compaction folds
EARLIER_CHARS = 800  # the earlier summary is compressed to this
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*\s*")


def fit_summary(parts: Sequence[str], policy: Policy = NO_POLICY) -> str:
    """What was written of each part of a conversation as one summary, each line once, in at most 4,000 characters."""
    lines = [line for part in parts for line in keep_clean(_without_fence(part), policy).splitlines()]
    return condense("\n".join(dict.fromkeys(filter(str.strip, lines))), SUMMARY_CHARS)


def cumulate(earlier: str, latest: str) -> str:
    """The next summary: what of the earlier one still holds, compressed, then what was folded now."""
    parts = [carry_over(earlier, latest, limit=EARLIER_CHARS), latest.strip()]
    return "\n\n".join(part for part in parts if part)


class SummaryUnreadable(LlmError):
    """An answer with no summary in it."""

    def __str__(self) -> str:
        return "The model's answer was unreadable: there is no summary in it."


def keep_clean(text: str, policy: Policy = NO_POLICY) -> str:
    """A text without the sentences that hold a secret, read like an order to the agent, or tell of a sensitive matter
    that the workspace doesn't simply let be learned. Of such a policy it reads sentences: with no transaction open.
    """
    if _is_fit(text, policy):
        return text
    return "".join(part for part in _SENTENCE.findall(text) if _is_fit(part, policy)).strip()


def _is_fit(text: str, policy: Policy) -> bool:
    return not find_reason(text) and is_told_freely(policy, text)


def fit_rolling(answer: str, policy: Policy = NO_POLICY) -> str:
    """A model's answer as a rolling summary of at most 600 characters; raises SummaryUnreadable for none."""
    text = keep_clean(_without_fence(answer))
    if not text:
        raise SummaryUnreadable
    return condense(keep_clean(text, policy), ROLLING_CHARS)


def parse_session_summary(answer: str, policy: Policy = NO_POLICY) -> dict[str, Any]:
    """The six fields of a session's summary, whatever the model wrapped them in; prose alone is the one-liner.

    Raises SummaryUnreadable where nothing is said.
    """
    found = find_json_object(answer)
    found = {"one_liner": _without_fence(answer)} if found is None else found
    fields: dict[str, Any] = {name: _texts(found.get(name)) for name in LIST_FIELDS}
    one_liner = _line(found.get("one_liner"), ONE_LINER_CHARS) or "; ".join(fields["what_mattered"])
    if not one_liner:
        raise SummaryUnreadable
    kept = {name: [one for one in fields[name] if is_told_freely(policy, one)] for name in LIST_FIELDS}
    tone = keep_clean(_line(found.get("tone"), TONE_CHARS), policy)
    return {**kept, "one_liner": keep_clean(one_liner[:ONE_LINER_CHARS], policy), "tone": tone}


def _without_fence(answer: str) -> str:
    """Prose as a model wrapped it: in a code fence, or in quotes."""
    text = re.sub(r"^```\w*\n|\n?```$", "", answer.strip()).strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    texts = [_line(item, ITEM_CHARS) for item in items]
    return [text for text in dict.fromkeys(texts) if text][:LIST_ITEMS]


def _line(value: Any, limit: int) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    return keep_clean(" ".join(str(value).split()))[:limit]


class SpineUnreadable(LlmError):
    """An answer in which none of the four sections can be found."""

    def __str__(self) -> str:
        return "The model's answer was unreadable: it has none of the four sections."


def parse_spine(text: str) -> Sections:
    """The sections of a model's answer, as headings with bullets or as one JSON object; raises SpineUnreadable."""
    found = read_sections(text) or _sections_of(find_json_object(text) or {})
    if not found:
        raise SpineUnreadable
    return found


def _sections_of(answer: Mapping[str, Any]) -> Sections:
    named = ((section_name(str(name)), value) for name, value in answer.items())
    return {name: _bullets(value) for name, value in named if name}


def _bullets(value: Any) -> list[str]:
    items = value if isinstance(value, list) else str(value or "").splitlines()
    return [str(item) for item in items if isinstance(item, str | int | float)]
