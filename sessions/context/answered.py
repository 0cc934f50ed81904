"""Where nothing was recalled: whether anything was asked, and whether what a context shows in any case answers it."""

from __future__ import annotations

from nebo.reading.meaning.reader import read_text
from nebo.reading.meaning.small_talk import is_small_talk
from search.questions.intent import find_intents
from search.relevance.named_matter import asks_what_is_to_do, is_of_matter, list_matters
from sessions.context.inputs import ContextInputs
from sessions.context.retelling import ASKING

REMARK_CHARS = 200  # of what somebody says in between; more than that tells or asks something
COLUMNS = {"location": "home", "occupation": "work", "timezone": "timezone", "display_name": "name"}


def asks_nothing(words: str) -> bool:
    """Whether somebody only thanks, takes leave or remarks something: "Thanks, that helps!"."""
    return not words.rstrip().endswith(ASKING) and is_small_talk(read_text(words[:REMARK_CHARS]))


def is_answered_above(inputs: ContextInputs, question: str) -> bool:
    """Whether User Information or What You Know has something of a matter that it names, or Open Loops are what it
    asks for. Asked only where the search found nothing.
    """
    if inputs.todos and ("task" in find_intents(question) or asks_what_is_to_do(question)):
        return True
    matters = list_matters(question)
    columns = {matter for column, matter in COLUMNS.items() if getattr(inputs.person, column)}
    known = (memory for memory in inputs.known if not memory.subject)
    return bool(matters & columns) or any(is_of_matter(one.key, one.value, matters) for one in known)
