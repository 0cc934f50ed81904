"""How a memory earns importance by being said and used.

Points are observations after the first, and a fifth of each use: `reinforced_count - 1 + access_count / 5`. Two
points make a trivial memory (0) a standard one (1), four a significant one (2), which puts it on entity cards.
Critical (3) is for who the person is (`tacit/user`) and for relationships, from twelve points on; the rest stays at
2, however often it is used. What was 3 stays 3: importance is only ever raised, and by no more than that.
"""

from __future__ import annotations

TRIVIAL, STANDARD, SIGNIFICANT, CRITICAL = range(4)  # docs/design.md#memory-numbers
USES_A_POINT = 5  # uses by an agent that weigh as much as being said once more
POINTS = {STANDARD: 2, SIGNIFICANT: 4, CRITICAL: 12}  # from how many on a memory is worth that much


def points_of(reinforced_count: int, access_count: int) -> float:
    """What a memory has earned; 0 for one that was said once and never used."""
    return max(reinforced_count - 1, 0) + access_count / USES_A_POINT


def grown_importance(importance: int, *, reinforced_count: int, access_count: int, is_core: bool) -> int:
    """The importance (0..3) that is due; never less than `importance`. `is_core` opens the last step."""
    points = points_of(reinforced_count, access_count)
    limit = CRITICAL if is_core else SIGNIFICANT
    earned = max((level for level, due in POINTS.items() if points >= due), default=TRIVIAL)
    return max(importance, min(earned, limit))
