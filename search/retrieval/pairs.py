"""Which of a person's memories are near each other: what curation looks at before it folds any."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from nebo.postgres.prepared import fetch_rows, number_parameters
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.embeddings.serving import get_serving_model

# Every pair within a group once. No query set: it multiplies vectors by vectors. A memory may have two chunks.
PAIRS = number_parameters("""
WITH vectors AS MATERIALIZED (
    SELECT w.memory_id, w.place, e.vector
    FROM unnest(%(memories)s::uuid[], %(places)s::int[]) AS w(memory_id, place)
    CROSS JOIN LATERAL (
        SELECT id FROM search_chunk
        WHERE tenant_id = %(tenant_id)s AND memory_id = w.memory_id OFFSET 0) c
    CROSS JOIN LATERAL (
        SELECT vector FROM search_embedding
        WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s AND model_id = %(model_id)s
          AND chunk_id = c.id OFFSET 0) e
)
SELECT a.memory_id, b.memory_id, max(-(a.vector <#> b.vector)) AS similarity
FROM vectors a JOIN vectors b ON b.place = a.place AND b.memory_id > a.memory_id
GROUP BY a.memory_id, b.memory_id HAVING max(-(a.vector <#> b.vector)) >= %(least)s
""")


def list_near_pairs(
    *, tenant: Tenant | UUID, person_id: UUID, groups: Mapping[UUID, int], least: float
) -> dict[frozenset[UUID], float]:
    """Cosines (`least`..1) of memories of the same group, by pair; without those that have no vector yet.

    `groups` names the group of each memory. One statement, quadratic in the size of a group.
    """
    if not groups:
        return {}
    parameters = {
        "tenant_id": tenant_id_of(tenant),
        "person_id": person_id,
        "model_id": get_serving_model().id,
        "memories": list(groups),
        "places": list(groups.values()),
        "least": least,
    }
    return {frozenset((one, other)): near for one, other, near in fetch_rows(PAIRS, parameters)}
