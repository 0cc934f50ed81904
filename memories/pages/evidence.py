"""What stands behind a memory: the words with the talk around them, the changes, the uses, and what it goes against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from memories.confidence import PROMPT_GATE
from memories.models import AuditEntry, Memory, Observation, Version
from memories.selectors import list_observations
from memories.withholding.withholding import list_messages
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import key_name_of

AROUND = 2  # messages shown before and after the one that is quoted
LOOKED_THROUGH = 3_000  # of a person's last readings, for those that showed a memory
USES = 10  # of those shown
WIDTH, HEIGHT = 240.0, 48.0  # of the curve, in its own units


@dataclass(frozen=True, slots=True)
class Curve:
    """How sure Nebo was, version by version: points of a line, and the height of what a prompt asks for."""

    points: str
    dots: tuple[tuple[float, float], ...]
    gate: float
    first: float
    last: float


def list_evidence(*, tenant: Tenant, memory: Memory, person: UserProfile) -> QuerySet[Observation]:
    """Observations of a memory with message, run, `key_name`, and what was said `around` each; of a memory that is
    everyone's, those that quote nobody else.
    """
    own = Q(message=None) | Q(message__person=person)
    near = list_messages(tenant).filter(
        session_id=OuterRef("message__session_id"),
        seq__gte=OuterRef("message__seq") - AROUND,
        seq__lte=OuterRef("message__seq") + AROUND,
    )
    said = JSONObject(seq="seq", role="role", name="name", content="content")
    rows = list_observations(tenant=tenant, memory=memory).filter(own).select_related("message", "run")
    around = ArraySubquery(near.order_by("seq").values(json=said))
    return rows.annotate(around=around, key_name=key_name_of("actor", tenant=tenant))


def list_uses(*, tenant: Tenant, memory: Memory, person: UserProfile) -> QuerySet[AuditEntry]:
    """The last calls that showed a memory, among the last thousands about the person."""
    entries = AuditEntry.objects.for_tenant(tenant)
    last = entries.filter(person_id=person.pk, detail__has_key="memories").order_by("-at")[:LOOKED_THROUGH]
    rows = entries.filter(pk__in=last.values("pk"), detail__memories__contains=[str(memory.pk)])
    return rows.annotate(key_name=key_name_of("actor", tenant=tenant)).order_by("-at")[:USES]


def lay_out(observations: Iterable[Any]) -> None:
    """Each with what was said around its message; `is_again` where one above it quotes the same words."""
    shown: set[tuple[Any, str]] = set()
    for one in observations:
        words = (one.message_id, one.quote)
        one.is_again = one.message is not None and words in shown
        shown.add(words)
        _lay_out_around(one)


def _lay_out_around(observation: Any) -> None:
    """Split what was said around the quoted message into `before` and `after`."""
    message = observation.message
    around = observation.around if message else []
    observation.before = [one for one in around if one["seq"] < message.seq]
    observation.after = [one for one in around if one["seq"] > message.seq]


def draw_curve(versions: Sequence[Version]) -> Curve | None:
    """The confidence of each version, the oldest first; None where it never moved."""
    shares = [float(one.after.get("confidence", 0.0)) for one in reversed(versions)]
    if len(set(shares)) < 2:
        return None
    step = WIDTH / (len(shares) - 1)
    dots = tuple((round(place * step, 1), _height(share)) for place, share in enumerate(shares))
    points = " ".join(f"{x},{y}" for x, y in dots)
    return Curve(points, (dots[0], dots[-1]), _height(PROMPT_GATE), shares[0], shares[-1])


def _height(share: float) -> float:
    return round(HEIGHT * (1.0 - share), 1)


def find_brought_by(versions: Iterable[Version]) -> Version | None:
    """The change that made the memory."""
    return next((one for one in versions if one.before is None), None)


def find_corrected_by(versions: Iterable[Version]) -> Version | None:
    """The last change of its wording by anybody but Nebo."""
    return next(
        (one for one in versions if one.before and _is_reworded(one) and "job:" not in one.actor), None
    )


def _is_reworded(version: Version) -> bool:
    return bool((version.before or version.after)["value"] != version.after["value"])
