"""“Forget that I said …” where nothing was learned from what was said: the words themselves are withheld.

They go into the trash as a note, so that restoring it brings them back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from memories.learning.confidential import TELLS
from memories.learning.notes import Quote, note_of
from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.storing.edit import delete_memory
from memories.storing.store import store_memory
from memories.withholding.withholding import SpokenRequest, list_messages
from nebo.errors import InvalidInput
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.meaning.sentences import Span, list_sentences
from nebo.reading.words.naming import named_words

# Who says so means what was told, and not what they had asked for: "forget that, make it six".
_OF_KEEPING = re.compile(
    r"\b(?:keep|hold on to|store|remember|save|record|note|write|memory|merk\w*|speicher\w*|behalt\w*|notier\w*"
    r"|guard\w+|record\w+|memoria|gard\w+|enregistr\w+|mémoire|ricord\w+|salv\w+)\b",
    re.IGNORECASE,
)
READ = 6  # sentences of the message before, 5 ms each where they weren't read a moment ago


def find_unlearned(turn: Utterance, request: Sentence) -> tuple[Any, Span] | None:
    """The sentence that a request means, and its message; of one that names nothing, what was said just before."""
    if named_words(request.text):
        meant = turn.understood.find_meant(request)
        message = list_messages(turn.tenant).filter(pk=meant.object_id).first() if meant else None
        return (message, Span(message.content, meant.begin, meant.end)) if meant and message else None
    if turn.text[: request.start].strip():
        return _find_stated_here(turn, request)
    rows = list_messages(turn.tenant).filter(session_id=turn.session_id, role="user")
    here = rows.filter(pk=turn.message_id).values("seq")[:1]
    before = rows.filter(seq__lt=here).order_by("-seq").first()
    return _find_stated_before(before) if before else None


def forget_unlearned(turn: Utterance, request: Sentence, message: Any, span: Span) -> list[Memory]:
    """Into the trash with it, as a note."""
    words = message.content[span.start : span.end]
    quote = Quote(message.pk, message.created_at, words, span.start)
    new = note_of(turn, quote, value=words, persona_id=turn.persona_id, importance=0, tag="forgotten")
    new = replace(new, to_forget=True)
    try:
        stored = store_memory(tenant=turn.tenant, person=turn.person, new=new, actor=turn.actor)
    except InvalidInput:  # raised before anything is written; a turn is never refused for what was made of it
        return []
    if stored.action not in ("created", "quarantined") or stored.deduplicated:
        return []
    spoken = SpokenRequest(turn.message_id, turn.text[request.start : request.end])
    delete_memory(tenant=turn.tenant, memory=stored.memory, actor=turn.actor, request=spoken)
    return [stored.memory]


def _find_stated_before(message: Any) -> tuple[Any, Span] | None:
    """All of a message that tells something: "forget it" after a question only drops the question."""
    sentences = list_sentences(message.content)[:READ]
    if not any(read_sentence(one.text).is_sure(kind) for one in sentences for kind in TELLS):
        return None
    return message, Span(message.content, 0, len(message.content))


def _find_stated_here(turn: Utterance, request: Sentence) -> tuple[Any, Span] | None:
    """What the same message says before the request, back to what tells something: "Neville's had a letter from the
    hospital, he's beside himself, so please don't hold on to that".
    """
    before = [one for one in turn.understood.reading.sentences if one.end <= request.start]
    told = [one for one in before if not any(one.meaning.is_sure(kind) for kind in ("question", "request"))]
    telling = [one for one in told if any(one.meaning.may_be(kind) for kind in TELLS)]
    if not told or not (telling or _OF_KEEPING.search(request.text)):
        return None
    message = list_messages(turn.tenant).filter(pk=turn.message_id).first()
    return (message, Span(message.content, (telling or told)[-1].start, told[-1].end)) if message else None
