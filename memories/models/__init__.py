"""The tables of this app."""

from memories.models.audit import AuditEntry, AuditGap, AuditSeal
from memories.models.forget_requests import WHAT_CHARS, ForgetRequest
from memories.models.memories import (
    KEY_LIMIT,
    VALUE_LIMIT,
    Entity,
    ExtractionRun,
    Memory,
    MemoryEntity,
    Observation,
    Todo,
    Version,
)
from memories.models.unions import Curation, EntityMerge, Fold, FoldMember, MergeProposal, UnmergedRefs
from memories.models.withheld import Withheld, WithheldLine, says_withheld

__all__ = [
    "KEY_LIMIT",
    "VALUE_LIMIT",
    "WHAT_CHARS",
    "AuditEntry",
    "AuditGap",
    "AuditSeal",
    "Curation",
    "Entity",
    "EntityMerge",
    "ExtractionRun",
    "Fold",
    "FoldMember",
    "ForgetRequest",
    "Memory",
    "MemoryEntity",
    "MergeProposal",
    "Observation",
    "Todo",
    "UnmergedRefs",
    "Version",
    "Withheld",
    "WithheldLine",
    "says_withheld",
]
