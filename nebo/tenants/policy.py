"""What a tenant decides for all its people: how it learns, what agents are given, how long things are kept."""

from __future__ import annotations

from nebo.tenants.windows import WINDOWS

LEAST_COMPACTION = 1_000  # tokens; less than a few messages and their summary
MOST_COMPACTION = 1_000_000  # tokens; the widest window a model has
LEARNING = ("auto_extract", "compaction_tokens", "review_share")
GIVING = ("user_memory", "recall", "relevance_floor")
SHARING = ("team_memory",)
LOOKING = ("admins_look",)
SETTINGS = (*LEARNING, *GIVING, *SHARING, *LOOKING, *WINDOWS)
