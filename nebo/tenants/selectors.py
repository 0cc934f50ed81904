"""Who calls, where a login belongs, and whom memories are about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce, Concat, Now, NullIf

from nebo.errors import NotFound
from nebo.tenants.keys import KeyText, expand_scopes, find_key_text
from nebo.tenants.models import ApiKey, Tenant, User, UserProfile
from nebo.tenants.pauses import with_pauses, with_person_pause
from nebo.tenants.scoping import tenant_id_of

EXTERNAL_ID_LENGTH = 255  # characters, as the column has it
_NO_KEY = KeyText(public_id="", secret="").digest


@dataclass(frozen=True, slots=True)
class Caller:
    """A valid key: its tenant, what it may do, and whom and which persona it is bound to."""

    tenant_id: UUID
    key_id: UUID
    scopes: frozenset[str]
    person_id: UUID | None = None
    persona_id: UUID | None = None
    trust: str = ""  # whose words it brings, where it says so
    tenant_calls: int | None = field(
        default=None, compare=False
    )  # a minute, of all its tenant's keys, if limited
    is_unmarked: bool = field(default=False, compare=False)  # no use was noted within the last minute


@dataclass(frozen=True, slots=True)
class MembershipInfo:
    """A login's place in one tenant."""

    tenant_id: UUID
    slug: str
    name: str
    role: str
    is_active: bool = True  # an operator may suspend a tenant


class PersonVersion(NamedTuple):
    """A person, how often something was written about it and about everyone, and whether that is given to agents."""

    person_id: UUID
    external_id: str
    version: int
    everyone_version: int | None
    remembers: bool  # agents are given what is remembered (the tenant's `user_memory`)
    shares: bool  # and what others shared with the team (its `team_memory`)


# The function runs as its owner: no tenant is known yet, so row-level security would refuse the question.
FIND_KEY = """
SELECT id, tenant_id, digest, scopes, person_id, persona_id,
       tenant_active AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()),
       last_used_at IS NULL OR last_used_at < clock_timestamp() - interval '1 minute', trust, calls_per_minute
FROM nebo_find_key(%s)
"""

FIND_MEMBERSHIPS = "SELECT tenant_id, slug, name, role, is_active FROM nebo_memberships_of(%s)"

# Asked by nearly every call of the API; Django takes five times as long to write it as Postgres to answer it.
# `pause_stands` as in `pauses.with_pauses`.
FIND_PERSON = """
SELECT person.*, (
    EXISTS (SELECT FROM tenants_pause
            WHERE tenant_id = %(tenant_id)s AND person_id = person.id
              AND (until IS NULL OR until > statement_timestamp()))
    OR EXISTS (SELECT FROM tenants_pause
               WHERE tenant_id = %(tenant_id)s AND person_id IS NULL
                 AND (until IS NULL OR until > statement_timestamp()))) AS pause_stands
FROM tenants_userprofile AS person
WHERE tenant_id = %(tenant_id)s AND external_id = %(external_id)s AND kind = 'person'
"""

# All that a search has to know of a person.
FIND_STANDING = """
SELECT id, external_id, memory_version,
       (SELECT memory_version FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared'),
       (SELECT user_memory FROM tenants_tenant WHERE id = %(tenant_id)s),
       (SELECT user_memory AND team_memory FROM tenants_tenant WHERE id = %(tenant_id)s)
FROM tenants_userprofile
WHERE tenant_id = %(tenant_id)s AND """
BY_ID, BY_EXTERNAL_ID = "id = %(person)s", "external_id = %(person)s AND kind = 'person'"


def find_caller(token: str) -> Caller | None:
    """Whose key this is; None alike for unknown, wrong, revoked or expired ones and a tenant switched off."""
    given = find_key_text(token)
    if given is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(FIND_KEY, [given.public_id])
        row = cursor.fetchone()
    matches = given.matches(row[2] if row else _NO_KEY)
    if not (row and matches and row[6]):
        return None
    key_id, tenant_id, _, scopes, person_id, persona_id, _, is_unmarked, trust, calls = row
    return Caller(tenant_id, key_id, expand_scopes(scopes), person_id, persona_id, trust, calls, is_unmarked)


def list_memberships(user: User | UUID) -> list[MembershipInfo]:
    """The tenants a login belongs to, suspended ones too, by name; asked before any tenant is known."""
    user_id = user if isinstance(user, UUID) else user.pk
    with connection.cursor() as cursor:
        cursor.execute(FIND_MEMBERSHIPS, [user_id])
        return [MembershipInfo(*row) for row in cursor.fetchall()]


def list_linked_people(*, tenant: Tenant | UUID, user: User | UUID) -> QuerySet[UserProfile]:
    """The people a login stands for in a tenant, the longest known first."""
    user_id = user if isinstance(user, UUID) else user.pk
    people = UserProfile.objects.for_tenant(tenant).filter(kind=UserProfile.Kind.PERSON, login_id=user_id)
    seen = with_person_pause(with_pauses(people, tenant=tenant), tenant=tenant)
    return seen.order_by("created_at", "id")


def get_key_names(*, tenant: Tenant | UUID, actors: Collection[str]) -> dict[str, str]:
    """The names of the keys among these actors, by the actor (`key:<id>`)."""
    ids = {actor.removeprefix("key:") for actor in actors if actor.startswith("key:")}
    known = [one for one in ids if is_id(one)]
    if not known:
        return {}
    rows = ApiKey.objects.for_tenant(tenant).filter(pk__in=known).values_list("pk", "name", "public_id")
    return {f"key:{pk}": name or public_id for pk, name, public_id in rows}


def key_name_of(column: str, *, tenant: Tenant | UUID) -> Subquery:
    """The name of the key that a row's actor (`key:<id>`) is, for an annotation; null for everybody else."""
    keys = ApiKey.objects.for_tenant(tenant)
    actor = Concat(Value("key:"), Cast("pk", TextField()), output_field=TextField())
    named = keys.annotate(actor=actor).filter(actor=OuterRef(column))
    return Subquery(named.values(shown=Coalesce(NullIf("name", Value("")), "public_id"))[:1])


def is_id(text: object) -> bool:
    """Whether it is an id in its usual spelling."""
    try:
        UUID(str(text))
    except ValueError:
        return False
    return True


def find_newest_key(*, tenant: Tenant | UUID) -> ApiKey | None:
    """The key issued last of those that still open the door."""
    usable = Q(expires_at=None) | Q(expires_at__gt=Now())
    keys = ApiKey.objects.for_tenant(tenant).filter(usable, revoked_at=None)
    return keys.order_by("-created_at").first()


def find_tenant(*, slug: str) -> Tenant | None:
    """A tenant by its slug."""
    return Tenant.objects.filter(slug=slug).first()


def is_external_id(value: str) -> bool:
    """Whether this can name a person, and stand in an address: printable, not blank, no slash, not too long."""
    fits = bool(value.strip()) and len(value) <= EXTERNAL_ID_LENGTH and value.isprintable()
    return fits and "/" not in value and value not in (".", "..")


def get_person(*, tenant: Tenant | UUID, external_id: str) -> UserProfile:
    """The person agents call `external_id`; raises NotFound."""
    if not is_external_id(external_id):
        raise NotFound
    names = {"tenant_id": tenant_id_of(tenant), "external_id": external_id}
    people = UserProfile.objects.for_tenant(tenant).raw(FIND_PERSON, names)
    found: UserProfile | None = next(iter(people), None)
    if found is None:
        raise NotFound
    return found


def get_person_version(*, tenant: Tenant | UUID, person: str | UUID) -> PersonVersion:
    """Of a person by its external id or its own; raises NotFound. In the open scope."""
    if isinstance(person, str) and not is_external_id(person):
        raise NotFound
    condition = BY_ID if isinstance(person, UUID) else BY_EXTERNAL_ID
    with connection.cursor() as cursor:
        cursor.execute(FIND_STANDING + condition, {"tenant_id": tenant_id_of(tenant), "person": person})
        row = cursor.fetchone()
    if row is None:
        raise NotFound
    return PersonVersion._make(row)


def get_person_by_id(*, tenant: Tenant | UUID, person_id: UUID) -> UserProfile:
    """A person (or the shared profile) by its id; raises NotFound."""
    people = UserProfile.objects.for_tenant(tenant).filter(pk=person_id)
    found = with_pauses(people, tenant=tenant).first()
    if found is None:
        raise NotFound
    return found


def get_shared_person(*, tenant: Tenant | UUID) -> UserProfile:
    """The profile that stands for everyone in the tenant."""
    shared: UserProfile = UserProfile.objects.for_tenant(tenant).get(kind=UserProfile.Kind.SHARED)
    return shared


def count_together(tenant: Tenant, *rows: QuerySet[Any]) -> tuple[int, ...]:
    """How many each of these are, in one statement."""
    counts = [
        Coalesce(Subquery(one.order_by().values("tenant_id").annotate(count=Count("pk")).values("count")), 0)
        for one in rows
    ]
    found: tuple[int, ...] = Tenant.objects.filter(pk=tenant.pk).values_list(*counts).get()
    return found
