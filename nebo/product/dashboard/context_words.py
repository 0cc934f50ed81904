"""The words people read for the parts of a context, for what leaves a memory out of it, and for what makes a score."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

CONTEXT_WORDS: Mapping[str, Mapping[str, str]] = {
    "context_block": {
        "stable": _("Changes rarely"),
        "dynamic": _("For this moment"),
        "messages": _("The conversation"),
        "hints": _("Hints for this turn"),
    },
    "context_section": {
        "personality": _("Who the agent is"),
        "character": _("Character"),
        "directive": _("How it has learned to talk"),
        "style": _("Communication style"),
        "person": _("User information"),
        "rules": _("The team’s rules"),
        "own_rules": _("What this person asked of it"),
        "tool_notes": _("Notes on tools"),
        "known": _("What it knows"),
        "tool_guide": _("How to use its memory"),
        "spine": _("Long-term summary"),
        "summary": _("What was folded away"),
        "snapshot": _("What stood when it was folded"),
        "rolling": _("So far"),
        "last_session": _("The last conversation"),
        "active_task": _("Active task"),
        "open_loops": _("Open loops"),
        "also": _("Also known"),
        "team": _("Decided in the team"),
        "recalled": _("Recalled for this question"),
        "user": _("User"),
        "assistant": _("Assistant"),
        "tool": _("Tool"),
        "system": _("System"),
        "memoryNudge": _("A reminder to use its memory"),
        "collectionPaused": _("That nothing is kept just now"),
        "compactionRecovery": _("What was folded away just now"),
    },
    "context_place": {
        "anywhere": _("In any prompt"),
        "known": _("In “What it knows”"),
        "recalled": _("Recalled for this question"),
    },
    "left_out": {
        "memory_off": _("The team has switched memory of people off for its agents."),
        "is_quarantined": _("It waits for review. Agents see it once somebody approves it."),
        "is_deleted": _("It is in the trash: it and the words it rests on are withheld from every agent."),
        "is_wrong": _("It is marked wrong."),
        "is_unmentioned": _("It is never to be mentioned: its words are withheld from every agent."),
        "is_archived": _("It is archived: kept for the record, out of prompts and search."),
        "is_superseded": _("Something newer took its place; it isn’t valid now."),
        "not_unexpired": _("Its time has run out; it isn’t valid now."),
        "not_persona": _("It was told to another persona alone."),
        "not_session": _("It belongs to another conversation alone."),
        "not_sure": _(
            "Nebo isn’t sure enough of it. Prompts take what is 65\u202f% sure, pinned or confirmed; a search "
            "still finds it."
        ),
        "in_profile": _("User information says it already, as a part of the profile."),
        "said_in_profile": _("User information says it already, in other words."),
        "settled": _("It was planned, and is settled since."),
        "repeats": _("Another memory there says the same."),
        "no_room": _("It didn’t fit: the budget was spent on what comes before it."),
        "not_lasting": _("Only what lasts stands there, and what is pinned."),
        "used_less": _("Others are used more, and there is a limit to how many stand there."),
        "styles_full": _(
            "Only a few lines of style stand there, the most heard ones, and none about what the person "
            "decided otherwise."
        ),
        "said_above": _("It is said further up already."),
        "said_in_messages": _("The messages that are shown say it already."),
        "no_question": _("Nothing was asked, so nothing was recalled."),
        "recall_off": _("Recall is switched off here."),
        "far": _("It isn’t enough about the question: it is below the floor of relevance."),
        "all_far": _(
            "Nothing that was found is enough about the question: even the best is below the floor of "
            "relevance."
        ),
        "no_match": _(
            "It shares no word with the question, and their meanings weren’t compared: that takes an embedding "
            "model, and a few seconds after it was learned."
        ),
        "ranked_low": _("Too many others are nearer to the question."),
    },
    "feature": {
        "lexical": _("words in common"),
        "vector": _("meaning"),
        "opening": _("how it begins"),
        "coverage": _("how much of the question it holds"),
        "named": _("names in the question"),
        "substance": _("that it says something"),
        "statement": _("that it tells rather than asks"),
        "time": _("a word for a time"),
        "sought": _("a number or a name, as asked for"),
        "date": _("the day asked for"),
        "intent": _("the kind asked for"),
        "importance": "importance",
        "recency": _("how new it is"),
        "neighbour": _("its surroundings"),
        "answer": _("the question right before it"),
        "reply": _("the message it replies to"),
        "session": _("its conversation"),
        "follows": _("it replies to the best result"),
        "repetition": _("repeats a better result"),
    },
    "found_in": {"memory": _("Memory"), "session": _("Conversation")},
}
