"""Which memories stand in What You Know: two passes, over-fetched, re-ranked by decay.

docs/context.md#the-stable-prefix
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.decay import decay_score
from memories.models import Memory, says_withheld
from memories.selectors import promptable
from nebo.tenants.models import Tenant
from sessions.context.stable import KnownMemory

MAX_KNOWN = 50  # memories in the prompt; docs/design.md#prompt-numbers
MAX_PERSONALITY = 10  # of them from tacit/personality
MAX_PINNED = 20  # pinned memories that are always there; more of them stand in line by use
OVERFETCH = 3  # times as many rows are read as are taken
MIN_FETCH = 30  # rows
PERSONALITY = "tacit/personality"
DIRECTIVE_KEY = "directive"
SHOWN = ("namespace", "key", "value", "entity_label", "entity_type")
USE = ("access_count", "accessed_at", "last_reinforced")
HEARD = ("last_reinforced", "created_at")
OWN, COMMON = "own", "common"  # the person's memories, and everyone's


def list_promptable(
    *, tenant: Tenant | UUID, whose: Q, persona_id: UUID | None, session_id: UUID | None
) -> QuerySet[Memory]:
    """Live memories this persona and session may see and that are sure enough for a prompt (§14)."""
    seen_by = visibility_rules(persona_id=persona_id, session_id=session_id)
    return Memory.objects.for_tenant(tenant).filter(
        promptable(), whose, seen_by["persona"], seen_by["session"]
    )


def visibility_rules(*, persona_id: UUID | None, session_id: UUID | None) -> dict[str, Q]:
    """Whether a persona, and a session, may see a memory, each by itself."""
    return {
        "persona": Q(persona_id=None) | Q(persona_id=persona_id),
        "session": Q(session_id=session_id) | ~Q(scope=Memory.Scope.SESSION),
    }


def list_knowable(own: QuerySet[Memory], common: QuerySet[Memory]) -> dict[str, QuerySet[Memory]]:
    """What `choose_known` chooses from, of the person and of everyone's profile, each the first few by an index of its
    own, so that it takes the same however much is known: the directive, read for itself so that observations of style
    never crowd it out, the pinned ones of any layer, and the most used, of style and others.
    """
    return {
        f"{whose}_{kind}": part
        for whose, rows in ((OWN, own), (COMMON, common))
        for kind, part in _list_parts(rows).items()
    }


def _list_parts(rows: QuerySet[Memory]) -> dict[str, QuerySet[Memory]]:
    """Conditions as the indexes of `Memory` have them."""
    pinned = rows.filter(pinned=True).exclude(namespace=PERSONALITY, key=DIRECTIVE_KEY)
    directives = rows.filter(~says_withheld("value"), namespace=PERSONALITY, key=DIRECTIVE_KEY)
    styles = rows.filter(namespace=PERSONALITY).exclude(key=DIRECTIVE_KEY)
    others = rows.filter(Q(layer=Memory.Layer.TACIT) | Q(pinned=True)).exclude(namespace=PERSONALITY)
    return {
        # Nulls last: a persona's own comes first.
        "directive": directives.order_by("persona_id")[:1].only(*SHOWN, "persona_id", "metadata"),
        "pinned": pinned.order_by("-last_reinforced", "-created_at")[:MAX_PINNED].only(*SHOWN, *HEARD),
        "styles": _most_used(styles, MAX_PERSONALITY, "metadata"),
        "others": _most_used(others, MAX_KNOWN),
    }


def choose_known(
    found: Mapping[str, Sequence[Memory]], decided: Collection[str] = ()
) -> tuple[str, list[KnownMemory]]:
    """The learned directive, and up to fifty memories: twenty pinned ones whatever their use, the last pinned or heard
    first, then by decayed use. Neither a style nor a directive speaks about what was `decided` of the
    persona; a job writes the persona a directive without it.
    """
    directive = sorted(_of_both(found, "directive"), key=lambda memory: memory.persona_id is None)
    pinned = sorted(_of_both(found, "pinned"), key=_heard, reverse=True)[:MAX_PINNED]
    kept = {memory.pk for memory in pinned}
    styles = [style for style in _by_use(found, "styles") if style.metadata.get("slot") not in decided]
    chosen = _rank(_over_fetched(styles, kept, MAX_PERSONALITY))
    chosen = chosen[: MAX_PERSONALITY - sum(m.namespace == PERSONALITY for m in pinned)]
    ranked = _rank(_over_fetched(_by_use(found, "others"), kept, MAX_KNOWN))
    known = [*pinned, *ranked[: MAX_KNOWN - len(pinned) - len(chosen)], *chosen]
    shown = [KnownMemory(str(m.pk), m.namespace, m.key, m.value, _subject(m), _said_on(m)) for m in known]
    return next((one.value for one in directive[:1] if not speaks_of(one, decided)), ""), shown


def _of_both(found: Mapping[str, Sequence[Memory]], kind: str) -> list[Memory]:
    return [*found[f"{OWN}_{kind}"], *found[f"{COMMON}_{kind}"]]


def _by_use(found: Mapping[str, Sequence[Memory]], kind: str) -> list[Memory]:
    return sorted(_of_both(found, kind), key=lambda m: (m.access_count, m.last_reinforced), reverse=True)


def _heard(memory: Memory) -> tuple[datetime, datetime]:
    return memory.last_reinforced, memory.created_at


def _subject(memory: Memory) -> str:
    return memory.entity_label if memory.entity_type == "person" else ""


def _said_on(memory: Memory) -> date | None:
    """The day that tells how new it is; a style is of no day."""
    return None if memory.namespace == PERSONALITY else memory.last_reinforced.date()


def speaks_of(directive: Memory, decided: Collection[str]) -> bool:
    """Whether a directive says something about a matter that somebody has decided."""
    return any(matter in decided for matter in directive.metadata.get("answered_questions", ()))


def _most_used(rows: QuerySet[Memory], wanted: int, *columns: str) -> QuerySet[Memory]:
    """So many that as many are left as are looked at, once the pinned ones among them are taken out."""
    used = rows.order_by("-access_count", "-last_reinforced")
    return used[: _looked_at(wanted) + MAX_PINNED].only(*SHOWN, *USE, *columns)


def _over_fetched(memories: Iterable[Memory], kept: Collection[UUID], wanted: int) -> Iterable[Memory]:
    """The most used without those that stand there already; which of them are taken is decided by decay."""
    return islice((memory for memory in memories if memory.pk not in kept), _looked_at(wanted))


def _looked_at(wanted: int) -> int:
    return max(wanted * OVERFETCH, MIN_FETCH)


def _rank(memories: Iterable[Memory], now: datetime | None = None) -> list[Memory]:
    """By decay score, then the most recently confirmed by the conversation."""
    now = now or timezone.now()
    return sorted(
        memories,
        key=lambda m: (decay_score(m.access_count, m.accessed_at, now=now), m.last_reinforced),
        reverse=True,
    )
