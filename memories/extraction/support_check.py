"""The gate for what a model proposes: nothing is learned that the words it cites don't say.

Code decides, whoever proposes (`nebo.reading.support`). What fails waits in review with its reason. Sentences are read
here, some milliseconds each, so it stands outside of every transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.extraction.evidence import ASSISTANT, Evidence
from memories.extraction.known import NOT_KNOWN, Known
from memories.extraction.parsing import ExtractedFact, ExtractedTodo
from memories.person_columns import USER_PREFIX, person_value
from nebo.llm.types import ChatMessage
from nebo.reading.meaning.reader import read_text, relation
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.own_words import in_own_words, starts_with_verb
from nebo.reading.relations.said_parts import judge_said
from nebo.reading.relations.same_fact import may_be_same
from nebo.reading.support.claims import (
    ABOUT,
    NEARLY,
    likeness,
    weigh_claim,
    weigh_figures,
    weigh_names,
    weigh_share,
)
from nebo.reading.support.quoted import CLAUSE, QuoteInContext
from nebo.reading.support.tasks import weigh_settled, weigh_task
from nebo.reading.support.verdicts import SUPPORTED, Support, doubt, refuse
from nebo.reading.support.wishes import weigh_style
from nebo.reading.wording.adding import adds_one_more
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.polarity import is_denied
from nebo.reading.wording.vocabulary import TIED

MADE_OF = 0.5  # share of an artifact's words that stand in the message where it was made
UNQUOTED = refuse("No message says it in the words quoted.")
ASSISTANTS = refuse("Only the assistant said so.")
UNDECIDED = doubt("Code alone can't tell whether the words quoted decide it.")
OF_THE_PERSON = ("preference", "style")  # kinds of facts for which nobody but the person can speak
# A bare value under such a key says more than its words.
_SENTENCES = {
    "name": "Is called {}",
    "display-name": "Is called {}",
    "location": "Lives in {}",
    "occupation": "Works as {}",
    "timezone": "Is in the timezone {}",
}
SURELY = (
    0.7  # chance that a clause beside the quote changes or ends what is known, where the quote doesn't tell
)
_BARE_WORDS = 5  # of a value that is no sentence


@dataclass(frozen=True, slots=True)
class SupportCheck:
    """What was read, the names of the person whose conversation it is, and what is known near it."""

    material: Sequence[ChatMessage]
    before: Sequence[ChatMessage] = ()
    names: tuple[str, ...] = ()
    known: Known = NOT_KNOWN

    def weigh_fact(self, fact: ExtractedFact, evidence: Evidence) -> Support:
        """Whether a fact may be learned."""
        if not evidence.is_verified:
            return UNQUOTED
        source = self.source(evidence)
        if fact.category == "artifact":
            return _weigh_artifact(fact, source)
        if evidence.trust == ASSISTANT and fact.category in OF_THE_PERSON:
            return ASSISTANTS
        if fact.category == "style":
            return weigh_style(fact.value, source)
        found = weigh_claim(_claim_of(fact), source, about=fact.entity_label)
        if fact.category == "decision" and found.holds and weigh_share(fact.value, source) < NEARLY:
            return UNDECIDED
        return found

    def is_about(self, old: str, fact: ExtractedFact, evidence: Evidence) -> bool:
        """Whether what a model says a fact is to something known (the same, a change, its end) can be so."""
        source = self.source(evidence)
        if fact.relation != "same" and _is_over_by_rules(old, source.sentences):
            return True
        quote = f"{source.question} {source.quote}".strip()
        if adds_one_more(source.quote):
            return False
        clauses = [one for one in CLAUSE.split(source.sentences) if one.strip()]
        over = max(_chance_of_end(old, text) for text in (quote, source.sentences, *clauses))
        if likeness(old, quote) < ABOUT and (fact.relation == "same" or over < SURELY):
            return False
        if fact.relation == "same":
            return may_be_same(old, fact.value)
        return fact.relation == "changes" or over >= ABOUT or is_denied(source.quote) != is_denied(old)

    def weigh_todo(self, todo: ExtractedTodo, evidence: Evidence) -> Support:
        """Whether something is to be done, or is done."""
        if not evidence.is_verified:
            return UNQUOTED
        source = self.source(evidence)
        return weigh_settled(todo.text, source) if todo.done else weigh_task(todo.text, source, todo.kind)

    def source(self, evidence: Evidence) -> QuoteInContext:
        """The evidence with what stands around it."""
        message = evidence.message
        assert message is not None
        assert evidence.start is not None
        own = tuple(filter(None, (message.name,))) or self.names
        return QuoteInContext(
            quote=evidence.quote,
            message=message.content,
            start=evidence.start,
            before=self._text_before(message),
            on=message.created_at.date() if message.created_at else None,
            own_names=own if message.role != ASSISTANT else (*self.names, *own),
        )

    def _text_before(self, message: ChatMessage) -> str:
        """What was said just before a message, by whoever else speaks."""
        source = [*self.before, *self.material]
        place = next((n for n, other in enumerate(source) if other is message), 0)
        return source[place - 1].content if place else ""


def _is_over_by_rules(old: str, text: str) -> bool:
    """Whether code alone would close what is known by what was said."""
    versions = {old, in_own_words(old, "")}
    said = [judge_said(one, sentence) for sentence in read_text(text).sentences for one in versions]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in said)


def _chance_of_end(old: str, text: str) -> float:
    """The chance that a text changes or ends what is known; 0 where no head can tell."""
    chances = relation(old, text)
    return chances["changes"] + chances["ends"] if chances else 0.0


def _weigh_artifact(fact: ExtractedFact, source: QuoteInContext) -> Support:
    """What was made here stands in the message where it was made, in its own words."""
    whole = QuoteInContext(source.message, source.message, 0, source.before, source.on, source.own_names)
    if fault := weigh_names(fact.value, whole) or weigh_figures(fact.value, whole):
        return fault
    if weigh_share(fact.value, whole) >= MADE_OF:
        return SUPPORTED
    return doubt("Code alone can't tell whether the message has it.")


def _claim_of(fact: ExtractedFact) -> str:
    """What a fact says, as a sentence: its key says what a bare value is."""
    name = fact.key.removeprefix(USER_PREFIX) if fact.key.startswith(USER_PREFIX) else ""
    bare = fact.value.strip(" .")
    is_bare = (
        len(bare.split()) <= _BARE_WORDS
        and person_value(fact.key, fact.value) == bare
        and not _is_told(bare, name)
    )
    return _SENTENCES[name].format(bare) if name in _SENTENCES and is_bare else fact.value


def _is_told(bare: str, name: str) -> bool:
    """Whether a value is what somebody does. “James” and “Leeds” end like verbs, and are none by themselves."""
    if name != "occupation" and " " not in bare:
        return False
    return starts_with_verb(bare) or not TIED["work"].isdisjoint(list_words(bare.split()[0]))
