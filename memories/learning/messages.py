"""What one message of a person says, stored in the turn's own transaction: known before the agent answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from memories.learning.facts import keep_fact, list_named, updates_known
from memories.learning.forget_requests import handle_forget_requests
from memories.learning.global_notes import GlobalNote, find_global_notes
from memories.learning.just_said import with_just_said
from memories.learning.keeping import close_bare
from memories.learning.kept_out import note_refusal
from memories.learning.moves_come_true import end_moves_come_true
from memories.learning.notes import Quote, keep_note, note_of, without_asides
from memories.learning.relation_effects import ReadMessage, apply_relations
from memories.learning.todos import settle_todos, update_todos
from memories.learning.told_ahead import note_told_ahead
from memories.learning.utterance import MessageOutcome, Utterance
from memories.models import Memory
from memories.storing.store import store_memory
from nebo.errors import KeptOut
from nebo.reading.facts.near_names import write_known_names
from nebo.reading.facts.subjects import Named
from nebo.reading.facts.topics import Topical, follow_topics
from nebo.reading.meaning.reader import Sentence
from nebo.reading.requests.todos import is_led, is_reminder

ReadScope = Literal["all", "global_notes", "answers"]  # of a message, what is heard


def learn_from_message(*, turn: Utterance, reads: ReadScope = "all") -> MessageOutcome:
    """Store what one message of a person says outright.

    A request to forget is carried out (into the trash) only when it can mean one memory; else it waits for a
    decision. Tasks become todos of the persona they were told to; what is said to be done closes its own. Of
    `global_notes`, nothing is read but what stands behind “remember globally:”; of `answers`, nothing but what answers
    anew something known, in a message that was heard before.
    """
    notes = find_global_notes(turn.text)
    outcome = MessageOutcome()
    if reads == "answers":
        _keep_answers(turn, notes, outcome)
        return outcome
    for note in notes:
        outcome.memories.extend(_keep_global_note(turn, note))
    if reads == "all":
        _read(turn, notes, outcome)
    outcome.memories = list({memory.pk: memory for memory in outcome.memories}.values())
    return outcome


def _read(turn: Utterance, notes: Sequence[GlobalNote], outcome: MessageOutcome) -> None:
    """What the message was understood to say; what stands in a memo is kept word for word already."""
    turn = with_just_said(turn)
    sentences = [one for one in turn.understood.reading.sentences if not _is_in(one, notes)]
    if not sentences:
        return
    update_todos(turn, sentences)
    kept: dict[int, Memory] = {}
    known = list_named(tenant=turn.tenant, person_id=turn.person.pk)
    for topical in follow_topics(sentences, projects=[name for name in known if known[name] == "project"]):
        topical = _with_names(topical, known)
        sentence = without_asides(turn, topical.sentence)
        topical = replace(topical, sentence=sentence)
        if sentence.meaning.is_sure("forget"):  # names what it is about, and tells nothing
            continue
        found = keep_fact(turn, topical, known=known)
        if not found and sentence.meaning.is_sure("remember") and not is_reminder(sentence):
            found = keep_note(turn, sentence)
        if found:
            kept[sentence.start] = found[0]
            turn = _introduced(turn, found[0])
        outcome.memories.extend(found)
    taken_back = handle_forget_requests(turn, outcome)
    outcome.memories += apply_relations(
        tenant=turn.tenant,
        person=turn.person,
        message=ReadMessage(
            turn.message_id,
            turn.at,
            turn.understood.without(taken_back),
            turn.speaker if turn.shared else "",
        ),
        kept=kept,
        actor=turn.actor,
    )
    told = [one for one in sentences if one.start not in taken_back]
    outcome.memories += note_told_ahead(turn, told, kept)
    outcome.memories += end_moves_come_true(turn, told, kept)


def _introduced(turn: Utterance, memory: Memory) -> Utterance:
    """What else somebody says in the message in which they give their name is told of them by name."""
    if turn.speaker or turn.person.display_name or memory.key != "name":
        return turn
    return replace(turn, speaker=memory.metadata.get("detail", ""))


def _keep_answers(turn: Utterance, notes: Sequence[GlobalNote], outcome: MessageOutcome) -> None:
    """What takes the place of something known, whether or not it is worth keeping by itself; and what says something
    only with the message before it, which its turn doesn't see.
    """
    sentences = [one for one in turn.understood.reading.sentences if not _is_in(one, notes)]
    if not any(one.leans or updates_known(turn, one) for one in sentences):
        return
    leaning = [one for one in sentences if one.leans]
    tasks = [one for one in leaning if one.meaning.is_sure("todo") or is_led(one.text)]
    settle_todos(turn, [one for one in leaning if one not in tasks])
    update_todos(turn, tasks)
    known = list_named(tenant=turn.tenant, person_id=turn.person.pk)
    for topical in follow_topics(sentences, projects=[name for name in known if known[name] == "project"]):
        if topical.sentence.leans or updates_known(turn, topical.sentence):
            kept = keep_fact(turn, _with_names(topical, known), known=known)
            outcome.memories += [*kept, *close_bare(turn, topical.sentence, kept)]


def _with_names(topical: Topical, known: Named) -> Topical:
    """With a capital where the sentence has a person's known name in small letters."""
    people = (name for name, kind in known.items() if kind == "person")
    text = write_known_names(people, topical.sentence.text)
    return replace(topical, sentence=replace(topical.sentence, text=text))


def _is_in(sentence: Sentence, notes: Sequence[GlobalNote]) -> bool:
    return any(note.start < sentence.end and sentence.start < note.end for note in notes)


def _keep_global_note(turn: Utterance, note: GlobalNote) -> list[Memory]:
    """Word for word, for all of the person's sessions."""
    at = turn.text.index(note.what, note.start)
    new = note_of(
        turn,
        Quote(turn.message_id, turn.at, note.what, at),
        value=note.what,
        persona_id=turn.audience(note, others=turn.persona_id),
    )
    try:
        stored = store_memory(tenant=turn.tenant, person=turn.person, new=new, actor=turn.actor)
    except KeptOut as refused:
        note_refusal(tenant=turn.tenant, person=turn.person, new=new, refused=refused, actor=turn.actor)
        return []
    return [] if stored.action == "unchanged" else [stored.memory]
