"""What a prompt should hold about the person, for one question: the `## User Memory` block (seed 003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.models import Memory
from memories.selectors import promptable
from memories.services.access import count_access
from nebo.tenants.models import Tenant, UserProfile
from search.selectors import Hit, SearchQuery, search

RECALL_LIMIT = 5  # memories a turn (seed 003)
MIN_SIMILARITY = 0.35  # cosine; below it a memory is off the topic (seed 003)
HEADING = "## User Memory"


@dataclass(frozen=True, slots=True)
class Recall:
    """The block for the prompt, empty when nothing is near enough, and the memories in it, the nearest first."""

    block: str = ""
    memories: tuple[Memory, ...] = ()


def recall(
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    query: str,
    vector: list[float] | None,
    limit: int = RECALL_LIMIT,
    min_similarity: float = MIN_SIMILARITY,
    persona_id: UUID | None = None,
) -> Recall:
    """Memories about `query`, and count them as used.

    Without a vector, words alone decide. Asks nothing of the index for a person with nothing to recall.
    """
    if not query.strip() or not has_any(tenant=tenant, profile=profile):
        return Recall()
    wanted = SearchQuery(
        text=query,
        profile_id=profile.pk,
        limit=limit * 2,
        sources=("memory",),
        persona_id=persona_id,
    )
    answer = search(tenant=tenant, query=wanted, vector=vector)
    near = [hit for hit in answer.results if _is_near(hit, vector, min_similarity)]
    memories = load_in_order(tenant=tenant, ids=[hit.memory_id for hit in near if hit.memory_id])[:limit]
    count_access(tenant=tenant, memory_ids=[memory.pk for memory in memories])
    return Recall(format_block(memories), tuple(memories))


def has_any(*, tenant: Tenant | UUID, profile: UserProfile) -> bool:
    """Whether a person, or everyone in the tenant, has anything live."""
    rows = Memory.objects.for_tenant(tenant).filter(status=Memory.Status.ACTIVE)
    return rows.filter(profile=profile).exists() or rows.filter(profile__kind="shared").exists()


def load_in_order(*, tenant: Tenant | UUID, ids: Sequence[UUID]) -> list[Memory]:
    """The memories among `ids` that a prompt may hold, in that order."""
    rows = Memory.objects.for_tenant(tenant).filter(promptable())
    found = rows.select_related("profile", "persona").in_bulk(list(ids))
    return [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]


def format_block(memories: Sequence[Memory]) -> str:
    """A heading and a line a memory; line breaks within one go, so that none can pose as another line."""
    if not memories:
        return ""
    return "\n".join([HEADING, *(f"- {' '.join(memory.value.split())}" for memory in memories)])


def _is_near(hit: Hit, vector: list[float] | None, min_similarity: float) -> bool:
    """Without a vector of the question or of the memory, a match by words has to do."""
    if vector is None or hit.vector_score is None:
        return (hit.text_score or 0.0) > 0.0
    return hit.vector_score >= min_similarity
