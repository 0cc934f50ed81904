"""Whom a question's pronoun means, for the search: "before I call her" after "I'm going to call mum" asks about mum.

A search knows no earlier talk, so nothing would be found for "her". Only what is searched for changes; the question
stays as it was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from memories.selectors import with_persona
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.content_words import content_words
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from sessions.models import Message, Session

NEWEST = 12  # messages of the person in which whoever is meant was named
_PRONOUN = re.compile(
    r"\b(?:her|him|them|she|he|they|ihn|ihm|ihr|ihnen|sie|er|ella|él|ellas|ellos|elle|lui|lei|loro)\b"
)
_WORD = re.compile(r"[^\W\d_]+")


def points_to_somebody(question: str) -> bool:
    """Whether it has a pronoun for somebody, and names nobody."""
    return _PRONOUN.search(question) is not None and not _list_named(question)


def name_whom(question: str, texts: Iterable[str]) -> str:
    """The question with whoever is meant in the place of the pronoun; as it is where nobody tells.

    `said` is what the person said, newest first: the first that has a telling word of the question, and names somebody.
    """
    asked = content_words(question)
    for text in texts:
        named = _list_named(text)
        if named and asked & content_words(text):
            return _PRONOUN.sub(" ".join(named), question, count=1)
    return question


def list_newest_words(*, tenant: Tenant | UUID, session: Session) -> Sequence[str]:
    """What the person said last to the persona of a session, newest first, without what is withheld."""
    persona_id = session.persona_id or default_persona_id(tenant_id_of(tenant))
    rows = Message.objects.for_tenant(tenant).filter(
        with_persona("session__persona_id", tenant, persona_id),
        person_id=session.person_id,
        role=Message.Role.USER,
    )
    return [message.words for message in rows.order_by("-recorded_at").only("content", "shown")[:NEWEST]]


def _list_named(text: str) -> list[str]:
    """Relatives and friends by what they are, and people by name."""
    kin = [word for word in _WORD.findall(text) if kin_of(word.lower())]
    return list(dict.fromkeys([*kin, *names_of(text)]))
