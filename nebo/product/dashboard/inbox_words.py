"""The words people read for what waits in the inbox, and for what was decided."""

from __future__ import annotations

from collections.abc import Mapping

INBOX_WORDS: Mapping[str, Mapping[str, str]] = {
    "inbox_sort": {
        "unsupported": "Not borne out",
        "conflicting": "Contradicts",
        "sensitive": "Secret",
        "order": "Reads like an order",
        "wrong": "Marked wrong before",
        "pair": "The same one?",
        "forget": "To be forgotten",
        "wish": "Wish",
        "run": "Much at once",
    },
    "inbox_sorts": {
        "unsupported": "Not borne out",
        "conflicting": "Contradictions",
        "sensitive": "Secrets",
        "order": "Orders",
        "wrong": "Marked wrong before",
        "pair": "Names",
        "forget": "To be forgotten",
        "wish": "Wishes",
        "run": "Much at once",
    },
    "inbox_why": {
        "unsupported": "What was said doesn’t plainly say so.",
        "conflicting": "Approve it only if it holds now.",
        "sensitive": "Approve it only if what is left may be kept.",
        "order": "If agents should only know it, approve it; if it wants something of them, reject it.",
        "wrong": "Approve it only if it is right after all.",
    },
    "inbox_kind": {
        "memory": "a memory",
        "pair": "two names",
        "forget": "what was to be forgotten",
        "wish": "a wish",
        "run": "what was read",
    },
    "run_count": {
        "created": "learned",
        "updated": "changed",
        "reinforced": "heard again",
        "superseded": "replaced",
        "quarantined": "held back",
        "todos": "open loops",
        "styles": "styles",
        "review": "in review",
    },
}
INBOX_ACTIVITY: Mapping[str, str] = {
    "inbox.approved": "Approved",
    "inbox.rejected": "Rejected",
    "inbox.reverted": "Reverted",
    "inbox.undone": "Undid a decision",
    "forget.reopened": "Undid a decision about what to forget",
    "extraction.reopened": "Undid a decision about an extraction",
}
