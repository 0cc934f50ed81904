"""The words people read for the values the database keeps."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import TextChoices

from memories.models import Memory, Todo
from nebo.jobs.models import Job
from personality.fields import LABELS
from personality.models import PersonaCandidate
from sessions.models import Message


def words_of(choices: type[TextChoices]) -> dict[str, str]:
    """Values with their labels, as the model has them."""
    return {str(value): str(label) for value, label in choices.choices}


CHANGES: Mapping[str, str] = {
    "created": "Learned",
    "updated": "Changed",
    "reinforced": "Heard again",
    "superseded": "Replaced",
    "quarantined": "Held back for review",
    "confirmed": "Confirmed",
    "pinned": "Pinned",
    "unpinned": "Unpinned",
    "archived": "Archived",
    "deleted": "Moved to the trash",
    "marked_wrong": "Marked wrong",
    "never_mentioned": "Never to be mentioned",
    "restored": "Restored",
    "released": "Found true on a second look",
    "reviewed": "Looked at again",
    "grew": "Became more important",
    "folded": "Folded into another",
    "unfolded": "Taken out of a fold",
    "merged": "Put under another name",
    "split": "Given its own name back",
}

WORDS: Mapping[str, Mapping[str, str]] = {
    "layer": words_of(Memory.Layer),
    "type": words_of(Memory.Type),
    "status": words_of(Memory.Status),
    "trust": words_of(Memory.Trust),
    "source": words_of(Memory.Source),
    "extractor": {
        "model": "Read by a model",
        "rules": "Found by rules",
        "signal": "Said in so many words",
        "agent": "Stored by an agent",
        "user": "Written by hand",
        "import": "Imported",
    },
    "fact": words_of(Memory.FactType),
    "entity": {"person": "Person", "place": "Place", "org": "Organisation", "project": "Project"},
    "entities": {"person": "People", "place": "Places", "org": "Organisations", "project": "Projects"},
    "scope": words_of(Memory.Scope),
    "spine": {
        "PROFILE": "Who they are",
        "PROJECTS": "Projects",
        "PEOPLE": "People",
        "OPEN_LOOPS": "Open",
    },
    "todo": words_of(Todo.Kind),
    "todo_kinds": {
        "commitment": "Promises",
        "habit": "Habits",
        "thread": "To come back to",
        "friction": "Frictions",
    },
    "todo_status": words_of(Todo.Status),
    "importance": {"0": "Low", "1": "Normal", "2": "High", "3": "Highest"},
    "role": words_of(Message.Role),
    "state": words_of(Job.State),
    "kind": {
        "extract": "Read what was said",
        "flush": "Read all that was said",
        "compact": "Fold into the summary",
        "close": "Close the session",
        "roll": "Update the running summary",
        "spine": "Write the long-term summary",
        "verify": "Check what a model proposed",
        "forget-elsewhere": "Forget the same in other words",
        "rewrite": "Rewrite summaries without forgotten words",
        "redact": "Take words out for good",
        "expire-todos": "Let old open loops expire",
        "embed": "Prepare for search by meaning",
        "plan-vectors": "Find what the new search model lacks",
        "build-vectors": "Prepare the new search model",
        "tidy-vectors": "Clear what search no longer needs",
        "index-vectors": "Make a very long history quick to search",
        "directive": "Learn how to talk with them",
        "echo": "Try out the queue",
        "seal-audit": "Seal the log of who did what",
        "retention": "Clear away what is past its time",
        "export-person": "Make a file of a person's data",
        "erase-person": "Delete everything about a person",
        "clean-provisional": "Clear guesses nobody confirmed",
        "curate": "Tidy up what is known",
        "settle-wishes": "Drop wishes that were not repeated",
        "fade-styles": "Let old habits of style fade",
    },
    "decision": words_of(PersonaCandidate.Decision),
    "wish_field": LABELS,
    "wish_reason": {
        "": "Changed",
        "created": "Made",
        "explicit_directive": "Asked for outright",
        "repeated_evidence": "Said often enough",
        "below_threshold": "Said in passing; saying it again would settle it",
        "needs_confirmation": "Not said plainly enough to change who it is",
        "safety_conflict": "Goes against what keeps everyone safe",
        "contradicts_recent": "You decided otherwise lately",
        "duplicate": "Was so already",
        "hypothetical": "Only a what-if",
        "not_addressed_to_agent": "Said to somebody else",
        "superseded_in_turn": "You changed your mind in the same breath",
        "locked_by_team": "Your team keeps this as it is",
        "expired": "Not said again in a month",
        "confirmed_by_person": "You said yes",
        "declined_by_person": "You said no",
        "undone_by_person": "Taken back",
        "file_import": "Read from a file",
    },
    "tone": {
        "queued": "",
        "running": "accent",
        "succeeded": "good",
        "failed": "warn",
        "dead": "bad",
    },
    "action": CHANGES,
    "activity": {
        **{f"memory.{name}": label for name, label in CHANGES.items()},
        "memory.purged": "Removed for good",
        "memory.merged": "Followed a merge of two names",
        "memory.split": "Followed a split of two names",
        "memory.reverted": "Undone",
        "memory.read": "Read one memory",
        "memory.history_read": "Read a memory's history",
        "memory.provenance_read": "Read where a memory is from",
        "memory.searched": "Searched",
        "memory.recalled": "Recalled for a prompt",
        "memory.listed": "Listed",
        "memory.cards_read": "Read entity cards",
        "memory.forget_listed": "Looked up what to forget",
        "memory.forget_proposed": "Asked what to forget",
        "forget.forgotten": "Forgot what was confirmed",
        "forget.kept": "Kept what might have been forgotten",
        "memory.personality_read": "Read how you like to be spoken to",
        "context.read": "Built a prompt",
        "profile.read": "Read your profile",
        "todo.listed": "Listed to-dos",
        "todo.read": "Read a to-do",
        "extraction.read": "Looked at an extraction",
        "extraction.applied": "Read a conversation",
        "extraction.review": "Read a conversation; it waits for review",
        "extraction.approved": "Approved an extraction",
        "extraction.rejected": "Rejected an extraction",
        "extraction.reverted": "Took back an extraction",
        "person.export_requested": "Asked for a file of your data",
        "person.exported": "Made a file of your data",
        "person.export_downloaded": "Downloaded a file of your data",
        "person.erasure_requested": "Asked to delete everything",
    },
    "actor": {
        "key": "an agent",
        "user": "someone on the team",
        "job": "Nebo, after a turn",
        "operator": "an operator",
    },
}

# What to do about a job's error, by a piece of its text in lower case; the first that fits. The phrases are
# those of `nebo.llm.answers` and `nebo.llm.transport`, which never carry a user's text.
ERRORS = (
    (("(401", "not accepted"), "The model provider refused the key. Check the provider's API key."),
    (("(402", "no credit"), "The account at the model provider has no credit left."),
    (("(403", "may not use"), "The model provider does not allow this key to use the model."),
    (("(404", "no such model"), "The model provider does not know this model. Check its name and address."),
    (("(413", "too large"), "The conversation is too long for this model."),
    (("(429", "too many requests"), "The model provider asks to slow down."),
    (("in time", "within", "timeout"), "The model provider did not answer in time."),
    (("connect", "connection"), "The model provider can't be reached. Check its address, and that it runs."),
    (("(5", "server error"), "The model provider had a problem of its own."),
    (("its answer", "unreadable"), "The model's answer made no sense."),
    (("declined",), "The model declined to answer."),
    (("worker", "crash", "killed", "lease"), "The worker stopped in the middle of this."),
)
