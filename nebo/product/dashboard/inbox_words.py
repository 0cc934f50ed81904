"""The words people read for what waits in the inbox, and for what was decided."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

INBOX_WORDS: Mapping[str, Mapping[str, str]] = {
    "inbox_sort": {
        "unsupported": _("Not borne out"),
        "conflicting": _("Contradicts"),
        "sensitive": _("Secret"),
        "matter": _("Sensitive"),
        "order": _("Reads like an order"),
        "wrong": _("Marked wrong before"),
        "pair": _("The same one?"),
        "forget": _("To be forgotten"),
        "wish": _("Wish"),
        "run": _("Much at once"),
    },
    "inbox_sorts": {
        "unsupported": _("Not borne out"),
        "conflicting": _("Contradictions"),
        "sensitive": _("Secrets"),
        "matter": _("Sensitive matters"),
        "order": _("Orders"),
        "wrong": _("Marked wrong before"),
        "pair": _("Names"),
        "forget": _("To be forgotten"),
        "wish": _("Wishes"),
        "run": _("Much at once"),
    },
    "inbox_why": {
        "unsupported": _("What was said doesn’t plainly say so."),
        "conflicting": _("Approve it only if it holds now."),
        "sensitive": _("Approve it only if what is left may be kept."),
        "matter": _("Approve it if agents may know it."),
        "order": _("If agents should only know it, approve it; if it wants something of them, reject it."),
        "wrong": _("Approve it only if it is right after all."),
    },
    "inbox_kind": {
        "memory": _("a memory"),
        "pair": _("two names"),
        "forget": _("what was to be forgotten"),
        "wish": _("a wish"),
        "run": _("what was read"),
    },
    "run_count": {
        "created": _("learned"),
        "updated": _("changed"),
        "reinforced": _("heard again"),
        "superseded": _("replaced"),
        "quarantined": _("held back"),
        "kept_out": _("left out"),
        "todos": _("open loops"),
        "styles": _("styles"),
        "review": _("in review"),
    },
}
INBOX_ACTIVITY: Mapping[str, str] = {
    "inbox.approved": _("Approved"),
    "inbox.rejected": _("Rejected"),
    "inbox.reverted": _("Reverted"),
    "inbox.undone": _("Undid a decision"),
    "forget.reopened": _("Undid a decision about what to forget"),
    "extraction.reopened": _("Undid a decision about an extraction"),
}
