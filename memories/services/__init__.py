"""Every way to change what is remembered; all of it ends at `door`."""

from memories.new_memory import NewMemory, NewObservation, address_key, embedding_text
from memories.services.access import count_access
from memories.services.audit import record_audit, record_read
from memories.services.curation import curate_person, enqueue_curation
from memories.services.door import lock_person
from memories.services.edit import (
    archive_memory,
    confirm_memory,
    delete_memory,
    pin_memory,
    restore_memory,
    unpin_memory,
    update_memory,
)
from memories.services.marking import mark_wrong, never_mention
from memories.services.merging import merge_entities, split_entity
from memories.services.profiles import update_profile
from memories.services.proposals import dismiss_proposal
from memories.services.sighting import reinforce_memory, store_style
from memories.services.signals import apply_signals
from memories.services.store import Stored, store_memory
from memories.services.todos import NewTodo, store_todo, update_todo
from memories.services.unfolding import undo_fold
from memories.services.upkeep import clean_provisional, purge_trash
from memories.services.vectors import embed_pair, embed_pairs

__all__ = [
    "NewMemory",
    "NewObservation",
    "NewTodo",
    "Stored",
    "address_key",
    "apply_signals",
    "archive_memory",
    "clean_provisional",
    "confirm_memory",
    "count_access",
    "curate_person",
    "delete_memory",
    "dismiss_proposal",
    "embed_pair",
    "embed_pairs",
    "embedding_text",
    "enqueue_curation",
    "lock_person",
    "mark_wrong",
    "merge_entities",
    "never_mention",
    "pin_memory",
    "purge_trash",
    "record_audit",
    "record_read",
    "reinforce_memory",
    "restore_memory",
    "split_entity",
    "store_memory",
    "store_style",
    "store_todo",
    "undo_fold",
    "unpin_memory",
    "update_memory",
    "update_profile",
    "update_todo",
]
