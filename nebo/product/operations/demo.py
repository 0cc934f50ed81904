"""The demo tenant of a first run: Maya, her login, a key, and a conversation told through the HTTP API.

Whether it is whole stands in the name of its key, so that a first run that was cut short is taken up again.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import httpx
from allauth.account.models import EmailAddress

from nebo.env import env
from nebo.tenants.models import ApiKey, Membership, Tenant, User
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import create_tenant, get_or_create_person, issue_key, revoke_key

SLUG = "demo"
EMAIL = "demo@nebo.local"
PERSON = "maya"
KEY_NAME = "demo"
UNFINISHED_NAME = "demo (being set up)"
QUESTION = "Who helps to paint, and on which days?"
CONVERSATIONS = Path(__file__).with_name("demo_conversation.json")
PASSWORD_FILE = env.data_dir / "demo_password"
EXTRACTION_WAIT_S = 30
TURN_MESSAGES = 2  # a question and its answer

Json = dict[str, Any]
Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Demo:
    """`password` and `key` are empty where they are not ours to tell any more."""

    password: str
    key: str


def is_wanted() -> bool:
    """On a first run, and until the demo is whole; never beside tenants of somebody's own."""
    tenant = Tenant.objects.filter(slug=SLUG).first()
    return not _has_key(tenant, KEY_NAME) if tenant else not Tenant.objects.exists()


def find_demo() -> Demo | None:
    """What can be told of a demo made by an earlier run."""
    user = User.objects.filter(email=EMAIL).first()
    if user is None or not Tenant.objects.filter(slug=SLUG).exists():
        return None
    return Demo(_kept_password(user), "")


def make_demo() -> Demo:
    """Tenant, login, person and a new key; what an earlier run has made already is kept."""
    user, password = _get_or_make_user()
    tenant = Tenant.objects.filter(slug=SLUG).first()
    if tenant is None:
        tenant = create_tenant(slug=SLUG, name="Demo", owner=user)
    with tenant_scope(tenant):
        Membership.objects.for_tenant(tenant).get_or_create(
            user_id=user.pk, defaults={"role": Membership.Role.OWNER}
        )
        person = get_or_create_person(tenant=tenant, external_id=PERSON)
        person.login = user
        person.save(update_fields=["login"])
        for key in ApiKey.objects.for_tenant(tenant).filter(name=UNFINISHED_NAME, revoked_at=None):
            revoke_key(tenant=tenant, key=key)
        issued = issue_key(tenant=tenant, name=UNFINISHED_NAME, created_by=user)
    return Demo(password, issued.secret)


def finish_demo() -> None:
    """From now on later runs leave the demo alone."""
    tenant = Tenant.objects.get(slug=SLUG)
    with tenant_scope(tenant):
        keys = ApiKey.objects.for_tenant(tenant)
        keys.filter(name=UNFINISHED_NAME, revoked_at=None).update(name=KEY_NAME)


def _has_key(tenant: Tenant, name: str) -> bool:
    with tenant_scope(tenant):
        return ApiKey.objects.for_tenant(tenant).filter(name=name).exists()


def _get_or_make_user() -> tuple[User, str]:
    user = User.objects.filter(email=EMAIL).first()
    if user is not None:
        return user, _kept_password(user)
    password = secrets.token_urlsafe(9)
    PASSWORD_FILE.unlink(missing_ok=True)
    PASSWORD_FILE.touch(mode=0o600)
    PASSWORD_FILE.write_text(password)
    made = User.objects.create_user(EMAIL, password, name="Maya Lindqvist")
    EmailAddress.objects.create(user=made, email=EMAIL, primary=True, verified=True)  # nobody reads its mail
    return made, password


def _kept_password(user: User) -> str:
    """The password we made, as long as it still opens the door."""
    try:
        password = PASSWORD_FILE.read_text().strip()
    except OSError:
        return ""
    return password if user.check_password(password) else ""


# --- The conversation, told as an agent would tell it ---------------------------------------------------


def count_turns() -> int:
    """How many calls `tell` makes for turns."""
    return sum(len(list(_turns(one["messages"]))) for one in _load())


def tell(client: httpx.Client, key: str, progress: Progress) -> list[str]:
    """Append every turn, a call each; gives the ids of the sessions. Raises httpx.HTTPError."""
    client.headers["Authorization"] = f"Bearer {key}"
    sessions = []
    for one in _load():
        identity = {"workspace": SLUG, "channel": "chat", "conversation": one["conversation"]}
        session = _post(client, "sessions/", {"user": PERSON, "identity": identity})["id"]
        for turn in _turns(one["messages"]):
            _post(client, f"sessions/{session}/turns/", {"messages": turn})
            progress(1)
        sessions.append(session)
    return sessions


def learn(client: httpx.Client, session: str) -> bool:
    """Have all of a conversation read; False where that takes longer than we wait."""
    answer = _post(client, f"sessions/{session}/flush/?wait={EXTRACTION_WAIT_S}", {})
    return bool(answer["job"]["state"] == "succeeded")


def count_memories(client: httpx.Client) -> int:
    """How many memories there are of Maya now (at most a page of them)."""
    response = client.get(f"/api/v1/users/{PERSON}/memories/", params={"limit": 100})
    return len(response.raise_for_status().json()["results"])


def _post(client: httpx.Client, path: str, body: Json) -> Json:
    answer: Json = client.post(f"/api/v1/{path}", json=body).raise_for_status().json()
    return answer


def _load() -> list[Json]:
    """The conversations, each message with its moment, counted back from today."""
    today = datetime.now(UTC).date()
    conversations: list[Json] = json.loads(CONVERSATIONS.read_text(encoding="utf-8"))
    for one in conversations:
        one["messages"] = [
            {
                "role": message["role"],
                "content": message["content"],
                "name": "Maya" if message["role"] == "user" else "",
                "external_id": f"{one['conversation']}-{number}",
                "created_at": datetime.combine(
                    today - timedelta(days=message["days_ago"]), time.fromisoformat(message["time"]), UTC
                ).isoformat(),
            }
            for number, message in enumerate(one["messages"], start=1)
        ]
    return conversations


def _turns(messages: list[Json]) -> Iterator[list[Json]]:
    for first in range(0, len(messages), TURN_MESSAGES):
        yield messages[first : first + TURN_MESSAGES]
