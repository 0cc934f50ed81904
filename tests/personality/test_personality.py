"""Styles grow surer, and a paragraph comes of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from memories.models import Memory, Version
from memories.new_memory import NewMemory, NewObservation
from memories.storing.edit import delete_memory, pin_memory, restore_memory, update_memory
from memories.storing.reinforcement import store_style
from nebo.jobs.claims import Claim, claim_job
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona, PersonaRevision
from personality.styles.directive import compose_directive
from personality.styles.selectors import find_directive, list_styles
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, Call, caller, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    with tenant_scope(acme.tenant):
        yield acme


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme)


def observe(team: Team, key: str, value: str, times: int = 1, at: datetime | None = None) -> Memory:
    for number in range(times):
        (message,) = say(team, f"{value} {number}", key=f"chat-{uuid4()}")
        seen = NewObservation(
            extractor="model", value=value, confidence=0.6, trust="user", message_id=message.pk,
            observed_at=at or datetime.now(UTC),
        )  # fmt: skip
        new = NewMemory(value=f"{value}", key=key, confidence=0.6, observations=(seen,))
        memory = store_style(tenant=team.tenant, person=team.person, new=new, actor=JOB)
    memory.refresh_from_db()
    return memory


def due_claim(team: Team) -> Claim:
    """The waiting job, claimed as a worker would."""
    job = Job.objects.for_tenant(team.tenant).get(kind="directive")
    Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(due_at=datetime(2020, 1, 1, tzinfo=UTC))
    claim = claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    assert claim is not None
    return claim


def test_a_style_seen_again_grows_surer_and_keeps_its_first_wording(scope: Team) -> None:
    observe(scope, "humor-dry", "Prefers dry wit")

    memory = observe(scope, "style/humor-dry", "Likes sarcasm", times=4)

    assert (memory.key, memory.namespace) == ("style/humor-dry", "tacit/personality")
    assert (memory.value, memory.reinforced_count) == ("Prefers dry wit", 5)
    assert memory.confidence == pytest.approx(1 - 0.4 * 0.8**4)


def test_the_same_message_never_counts_twice(scope: Team) -> None:
    (message,) = say(scope, "Short please")
    seen = NewObservation(
        extractor="model", value="Brief", confidence=0.6, trust="user", message_id=message.pk
    )
    new = NewMemory(value="Brief", key="style/brief", confidence=0.6, observations=(seen,))

    for _ in range(3):
        memory = store_style(tenant=scope.tenant, person=scope.person, new=new, actor=JOB)

    memory.refresh_from_db()
    assert memory.reinforced_count == 1


def test_styles_of_one_run_make_one_job(scope: Team) -> None:
    for key in ("a", "b", "c"):
        observe(scope, key, f"Trait {key}")

    assert Job.objects.for_tenant(scope.tenant).filter(kind="directive").count() == 1


def test_a_directive_is_composed_and_kept_in_versions(scope: Team) -> None:
    observe(scope, "humor-dry", "Prefers dry wit", times=3)
    observe(scope, "terse", "Wants short answers", times=2)
    observe(scope, "direct", "Likes direct feedback")

    compose_directive(claim=due_claim(scope))

    directive = find_directive(tenant=scope.tenant, person_id=scope.person.pk)
    assert directive is not None
    assert "dry wit" in directive.value
    assert directive.metadata["observation_count"] == 3
    assert datetime.fromisoformat(directive.metadata["synthesized_at"])

    observe(scope, "warm", "Enjoys warm greetings", times=5)
    compose_directive(claim=due_claim_again(scope))
    directive.refresh_from_db()
    assert directive.version == 2
    assert Version.unscoped.get(memory=directive, number=2).before["value"] != directive.value


def due_claim_again(team: Team) -> Claim:
    Job.objects.for_tenant(team.tenant).filter(kind="directive", state="succeeded").delete()
    return due_claim(team)


def test_two_observations_are_too_few(scope: Team) -> None:
    observe(scope, "humor-dry", "Prefers dry wit", times=9)
    observe(scope, "terse", "Wants short answers")

    compose_directive(claim=due_claim(scope))

    assert find_directive(tenant=scope.tenant, person_id=scope.person.pk) is None


def test_what_has_faded_no_longer_speaks(scope: Team) -> None:
    old = datetime.now(UTC) - timedelta(days=15)
    observe(scope, "humor-dry", "Prefers dry wit", at=old)
    observe(scope, "terse", "Wants short answers", times=2, at=old)
    observe(scope, "direct", "Likes direct feedback")
    observe(scope, "warm", "Enjoys warm greetings")

    compose_directive(claim=due_claim(scope))

    directive = find_directive(tenant=scope.tenant, person_id=scope.person.pk)
    assert directive is not None
    assert "dry wit" not in directive.value
    assert directive.metadata["observation_count"] == 3


def test_a_directive_a_person_pinned_stays_as_it_is(scope: Team) -> None:
    for key in ("a", "b", "c"):
        observe(scope, key, f"Likes trait {key}")
    compose_directive(claim=due_claim(scope))
    directive = find_directive(tenant=scope.tenant, person_id=scope.person.pk)
    assert directive is not None
    pin_memory(tenant=scope.tenant, memory=directive, actor=AGENT)
    observe(scope, "d", "Likes trait d", times=9)

    compose_directive(claim=due_claim_again(scope))

    directive.refresh_from_db()
    assert [v.action for v in Version.unscoped.filter(memory=directive).order_by("number")] == [
        "created",
        "pinned",
    ]


def test_the_personality_of_a_person_over_http(call: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        observe(acme, "humor-dry", "Prefers dry wit", times=2)
        assert list_styles(tenant=acme.tenant, person_id=acme.person.pk).count() == 1

    answer = call("GET", "users/alice/personality/").json()

    assert answer["directive"] is None
    assert [(s["key"], s["reinforced_count"]) for s in answer["styles"]] == [("style/humor-dry", 2)]


def test_personas_are_made_changed_and_listed(acme: Team, db: None) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))

    made = admin("POST", "personas/", {"slug": "coach", "name": "Coach", "voice_style": "warm"})
    changed = admin("PATCH", "personas/coach/", {"formality": "casual"}, **{"If-Match": '"1"'})
    stale = admin("PATCH", "personas/coach/", {"formality": "formal"}, **{"If-Match": '"1"'})

    assert (made.status_code, made.json()["name"]) == (201, "Coach")
    assert (changed.json()["formality"], changed.json()["version"]) == ("casual", 2)
    assert stale.status_code == 412
    slugs = [row["slug"] for row in admin("GET", "personas/").json()["results"]]
    assert slugs == ["coach", "default"]
    revisions = admin("GET", "personas/coach/revisions/").json()["results"]
    assert [(r["version"], r["before"] and r["before"]["formality"]) for r in revisions] == [
        (2, "adaptive"),
        (1, None),
    ]


@pytest.mark.parametrize(
    ("body", "status"), [({}, 400), ({"slug": "a b"}, 400), ({"slug": "x", "hair": "red"}, 400)]
)
def test_a_bad_persona_is_refused(acme: Team, db: None, body: dict[str, Any], status: int) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))

    assert admin("POST", "personas/", body).status_code == status


def test_a_taken_slug_is_a_conflict(acme: Team, db: None) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))
    admin("POST", "personas/", {"slug": "coach"})

    assert admin("POST", "personas/", {"slug": "coach"}).status_code == 409


def test_personas_are_the_tenants_own_and_need_admin_to_change(call: Call, acme: Team, rival: Team) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))
    admin("POST", "personas/", {"slug": "coach"})

    assert call("POST", "personas/", {"slug": "other"}).status_code == 403
    assert call("PATCH", "personas/coach/", {"name": "x"}).status_code == 403
    assert caller(rival)("GET", "personas/coach/").status_code == 404


def test_a_key_bound_to_a_persona_sees_that_one_only(acme: Team, db: None) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))
    admin("POST", "personas/", {"slug": "coach"})
    admin("POST", "personas/", {"slug": "nurse"})
    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).get(slug="coach")
        assert PersonaRevision.objects.for_tenant(acme.tenant).filter(persona=coach).count() == 1
    bound = caller(acme, speaks=Speaks(coach.pk))

    assert bound("GET", "personas/nurse/").status_code == 404
    assert [row["slug"] for row in bound("GET", "personas/").json()["results"]] == ["coach"]
    kept = bound("POST", "users/alice/memories/", {"value": "Told the coach only"}).json()
    assert kept["persona"] == "coach"
    nurse = bound("POST", "users/alice/memories/", {"value": "x", "persona": "nurse"})
    assert nurse.status_code == 404


# --- A directive rests on live evidence ----------------------------------------------------------------------


def directive_of(team: Team, persona: Persona | None = None) -> str:
    found = find_directive(
        tenant=team.tenant, person_id=team.person.pk, persona_id=persona.pk if persona else None
    )
    return found.value if found else ""


def compose(team: Team) -> None:
    """What waits, the personas' own too."""
    jobs = Job.objects.for_tenant(team.tenant).filter(kind="directive")
    for _ in range(2):
        for job_id in list(jobs.filter(state="queued").values_list("pk", flat=True)):
            jobs.filter(pk=job_id).update(due_at=datetime(2020, 1, 1, tzinfo=UTC))
            claim = claim_job(tenant_id=team.tenant.pk, job_id=job_id)
            assert claim is not None
            compose_directive(claim=claim)


def four_styles(team: Team) -> dict[str, Memory]:
    told = {
        "humor-dry": "Prefers dry wit",
        "terse": "Wants short answers",
        "direct": "Likes direct feedback",
        "metaphors": "Enjoys sailing metaphors",
    }
    made = {key: observe(team, key, value) for key, value in told.items()}
    compose(team)
    return made


def test_a_deleted_style_leaves_the_directive_with_the_next_job(scope: Team) -> None:
    styles = four_styles(scope)
    assert "dry wit" in directive_of(scope)

    delete_memory(tenant=scope.tenant, memory=styles["humor-dry"], actor=AGENT)
    compose(scope)

    assert "dry wit" not in directive_of(scope)
    assert "sailing" in directive_of(scope)


@pytest.mark.parametrize("purge", [False, True])
def test_a_directive_goes_with_the_third_last_style_and_comes_back_with_it(scope: Team, purge: bool) -> None:
    styles = four_styles(scope)

    delete_memory(tenant=scope.tenant, memory=styles["terse"], actor=AGENT)
    delete_memory(tenant=scope.tenant, memory=styles["direct"], actor=AGENT, purge=purge)
    compose(scope)
    gone = directive_of(scope)
    restore_memory(tenant=scope.tenant, memory=styles["terse"], actor=AGENT)
    compose(scope)

    assert gone == ""
    assert "short answers" in directive_of(scope)
    assert "direct feedback" not in directive_of(scope)


def test_a_corrected_style_is_told_as_it_was_corrected(scope: Team) -> None:
    styles = four_styles(scope)

    update_memory(
        tenant=scope.tenant,
        memory=styles["metaphors"],
        changes={"value": "Enjoys cooking metaphors"},
        actor=AGENT,
    )
    compose(scope)

    assert "cooking" in directive_of(scope)
    assert "sailing" not in directive_of(scope)


def test_of_two_that_disagree_the_stronger_speaks_and_of_equal_ones_the_newer(scope: Team) -> None:
    four_styles(scope)
    earlier = datetime.now(UTC) - timedelta(days=2)

    observe(scope, "puns-yes", "Likes silly puns", at=earlier)
    observe(scope, "puns-no", "Doesn't like silly puns")
    compose(scope)
    newer = directive_of(scope)
    observe(scope, "puns-yes", "Likes silly puns", times=2, at=earlier)
    compose(scope)

    assert "doesn't like silly puns" in newer
    assert newer.count("silly puns") == 1
    assert "likes silly puns" in directive_of(scope)
    assert "doesn't" not in directive_of(scope)


def test_a_persona_that_was_told_otherwise_has_a_directive_of_its_own(acme: Team, db: None) -> None:
    admin = caller(acme, scopes=("read", "write", "admin"))
    admin("POST", "personas/", {"slug": "coach"})
    session = admin("POST", "sessions/", {"user": "alice", "key": "c", "persona": "coach"}).json()["id"]
    with tenant_scope(acme.tenant):
        styles = four_styles(acme)
        Memory.unscoped.filter(pk=styles["terse"].pk).update(metadata={"slot": "length"})
        observe(acme, "terse", "Wants short answers")
        compose(acme)
        coach = Persona.objects.for_tenant(acme.tenant).get(slug="coach")
        assert "short answers" in directive_of(acme, coach)

    told = {"messages": [{"role": "user", "content": "From now on give me long, detailed answers."}]}
    admin("POST", f"sessions/{session}/turns/", told)
    at_once = admin("POST", f"sessions/{session}/context/", {"query": ""}).json()["stable"]
    with tenant_scope(acme.tenant):
        compose(acme)
        own, for_all = directive_of(acme, coach), directive_of(acme)

    assert "Response length: detailed" in at_once
    assert "short answers" not in at_once
    assert "short answers" not in own
    assert "dry wit" in own
    assert "short answers" in for_all
    admin("POST", "users/alice/personality/rollback/", {"to": 0, "persona": "coach"})
    with tenant_scope(acme.tenant):
        compose(acme)
        assert directive_of(acme, coach) == for_all


def test_an_observation_that_says_otherwise_takes_the_place_of_the_one_under_its_key(scope: Team) -> None:
    observe(scope, "spelling", "Wants British spelling.")

    observe(scope, "spelling", "Wants American spelling.")

    live = Memory.objects.for_tenant(scope.tenant).filter(namespace="tacit/personality", status="active")
    assert list(live.values_list("value", flat=True)) == ["Wants American spelling."]
