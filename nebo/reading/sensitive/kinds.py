"""The classes of personal matters that call for special care: those of the GDPR (articles 9 and 10), and money."""

from __future__ import annotations

from typing import Literal

SensitiveClass = Literal["health", "religion", "politics", "sexuality", "ethnicity", "finances", "crime"]
CLASSES: tuple[SensitiveClass, ...] = (
    "health", "religion", "politics", "sexuality", "ethnicity", "finances", "crime",
)  # fmt: skip
