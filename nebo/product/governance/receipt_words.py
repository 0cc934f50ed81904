"""A receipt of an erasure as people read it: what went, in their words and not in those of tables."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

GROUPS: tuple[
    tuple[str, tuple[str, ...]], ...
] = (  # by how the names of tables begin; the first that fits counts
    (_("Conversations"), ("agent_sessions_session/",)),
    (_("Messages"), ("agent_sessions_message/",)),
    (_("Summaries of conversations"), ("agent_sessions_",)),
    (_("Memories"), ("memories_memory/",)),
    (_("The words that memories rested on"), ("memories_observation/", "memories_extractionrun/")),
    (_("Earlier wordings"), ("memories_version/",)),
    (_("People, places and things"), ("memories_entity/",)),
    (_("Open loops"), ("memories_todo/",)),
    (_("Entries of the log"), ("memories_audit",)),
    (_("Wishes, and what came of them"), ("personality_",)),
    (_("Files of assistants"), ("memory_files_",)),
    (_("Files made or brought along"), ("governance_",)),
    (_("The search index"), ("search_",)),
    (_("Keys"), ("tenants_apikey/",)),
)
REST = _("Links between them, and the rest")


def list_what_went(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """How many rows of what, without what there was none of."""
    sums = dict.fromkeys([label for label, _tables in GROUPS] + [REST], 0)
    for table, count in counts.items():
        sums[_group_of(table)] += count
    return [(gettext(label), count) for label, count in sums.items() if count]


def _group_of(table: str) -> str:
    return next((label for label, names in GROUPS if f"{table}/".startswith(names)), REST)
