"""The words people read for the values the database keeps."""

from __future__ import annotations

WORDS = {
    "layer": {"tacit": "Lasting", "daily": "Day to day", "entity": "People & things"},
    "type": {"profile": "Profile", "people": "People", "project": "Project"},
    "status": {
        "active": "Active",
        "archived": "Archived",
        "superseded": "Replaced",
        "quarantined": "In review",
        "deleted": "In the trash",
    },
    "trust": {
        "user": "In their own words",
        "assistant": "Inferred by the agent",
        "tool": "From a tool",
        "web": "From the web",
    },
    "source": {
        "extraction": "Learned from a conversation",
        "seeded_profile": "From the profile",
        "curated_fold": "Folded together from others",
        "agent": "Stored by an agent",
        "user": "Written by hand",
        "import": "Imported",
        "signal": "Said in so many words",
    },
    "extractor": {
        "model": "Read by a model",
        "rules": "Found by rules",
        "signal": "Said in so many words",
        "agent": "Stored by an agent",
        "user": "Written by hand",
        "import": "Imported",
    },
    "fact": {
        "fact": "Fact",
        "preference": "Preference",
        "relationship": "Relationship",
        "friction": "Friction",
        "habit": "Habit",
    },
    "scope": {"session": "This session only", "user": "Everywhere", "global": "Everyone in the team"},
    "importance": {"0": "Low", "1": "Normal", "2": "High", "3": "Highest"},
    "role": {"user": "Person", "assistant": "Assistant", "system": "System", "tool": "Tool"},
    "state": {
        "queued": "Waiting",
        "running": "Running",
        "succeeded": "Done",
        "failed": "Will retry",
        "dead": "Given up",
    },
    "kind": {
        "extract": "Read what was said",
        "flush": "Read all that was said",
        "compact": "Fold into the summary",
        "close": "Close the session",
        "embed": "Make it findable by meaning",
        "directive": "Learn how to talk with them",
        "echo": "Try out the queue",
        "tidy": "Clear away what is out of date",
        "tidy": "Clear away what is out of date",
    },
    "tone": {
        "queued": "",
        "running": "accent",
        "succeeded": "good",
        "failed": "warn",
        "dead": "bad",
    },
    "action": {
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
        "restored": "Restored",
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
