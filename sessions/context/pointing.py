"""Whom a question's pronoun means, for the search: "before I call her" after "I'm going to call mum" asks about mum.

A search knows no earlier talk, so nothing would be found for "her". Only what is searched for changes; the question
stays as it was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import UUIDField, Value
from django.db.models.functions import Coalesce

from memories.selectors import with_persona
from nebo.errors import NotFound
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.content_words import content_words
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, Rows, TenantReads
from sessions.models import Message, Session
from sessions.selectors import list_one, list_one_with_login

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

    `texts` are what the person said, newest first: the first with a telling word of the question that names somebody.
    """
    asked = content_words(question)
    for text in texts:
        named = _list_named(text)
        if named and asked & content_words(text):
            return _PRONOUN.sub(" ".join(named), question, count=1)
    return question


def read_newest_words(*, tenant: Tenant | UUID, session_id: UUID) -> tuple[Session, Sequence[str]]:
    """A session, and what its person said last to its persona, newest first, without what is withheld; one statement.
    Raises NotFound.
    """
    found: Rows = NEWEST_WORDS.read(tenant=tenant, session_id=session_id)
    if not found["session"]:
        raise NotFound
    return found["session"][0], [message.words for message in found["words"]]


def _list_newest(tenant: UUID, *, session_id: UUID, person_id: UUID, persona_id: UUID) -> Queries:
    session = list_one(tenant=tenant, session_id=session_id)
    default = Value(default_persona_id(tenant), output_field=UUIDField())
    messages = Message.objects.for_tenant(tenant).filter(
        with_persona("session__persona_id", tenant, persona_id),
        person_id=person_id,
        role=Message.Role.USER,
    )
    return {
        "person_id": session.values_list("person_id"),
        "persona_id": session.values_list(Coalesce("persona_id", default)),
        "session": list_one_with_login(tenant=tenant, session_id=session_id),
        "words": messages.order_by("-recorded_at")[:NEWEST].only("content", "shown"),
    }


NEWEST_WORDS = TenantReads(
    _list_newest,
    given={"session_id": "uuid"},
    found={"person_id": "uuid", "persona_id": "uuid"},
)


def _list_named(text: str) -> list[str]:
    """Relatives and friends by what they are, and people by name."""
    kin = [word for word in _WORD.findall(text) if kin_of(word.lower())]
    return list(dict.fromkeys([*kin, *names_of(text)]))
