"""What goes into a context within its budget: the prefix, earlier conversations, cards and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memories.person_columns import find_column
from memories.team.recalling import TeamMemory, format_team
from nebo.api.times import as_utc
from nebo.reading.relations.coverage import Coverage
from nebo.reading.wording.past_questions import asks_of_the_past
from nebo.reading.words.content_words import content_words
from nebo.tenants.models import UserProfile
from sessions.context.answer import ContextMessageFields, TokensFields
from sessions.context.budget import (
    BEFORE_SHARE,
    CARD_SHARE,
    FILES_SHARE,
    PREFIX_SHARE,
    STABLE_SHARE,
    TEAM_SHARE,
    fit,
    share,
)
from sessions.context.cards import Card
from sessions.context.chosen_cards import ShownAbove, list_apart, list_spare
from sessions.context.dynamic import (
    NOTHING_FOUND,
    NOTHING_MORE,
    DynamicParts,
    join_sections,
    render_dynamic,
    render_fixed,
)
from sessions.context.inputs import ContextInputs
from sessions.context.left_out import LeftOut, Rule
from sessions.context.settled_plans import SettledPlans
from sessions.context.stable import KnownMemory, person_lines, render_sections, render_stable
from sessions.context.steering import SteeringMessage
from sessions.models import Message
from sessions.tokens import MESSAGE_OVERHEAD, cut_to_tokens, estimate_tokens, message_tokens

EXTRA_WORDS = 1  # words that a memory may hold beside its column's and still say no more than that
ALSO_TOKENS = 24  # tokens of the heading and fence of what is known besides
TEAM_FRAME = 20  # tokens of the heading and fence of what others shared
LEAST_PART = 100  # tokens of a message that is shown in part
LEFT_FOR_WORDS = 48  # tokens that the newest message may count on


@dataclass(frozen=True, slots=True)
class Layout:
    """A context within its budget. `known` are ids of the memories of What You Know.

    The blocks' `sections` by name make up `stable` and `dynamic`, which may be cut at their end; `lines` are the
    memories whose lines stand in them, and `more` those of them that the prefix had no room for.
    """

    stable: str
    dynamic: str
    messages: list[ContextMessageFields]
    cards: Sequence[Card]
    known: frozenset[str]
    tokens: TokensFields
    stable_sections: Mapping[str, str]
    dynamic_sections: Mapping[str, str]
    lines: Sequence[KnownMemory]
    more: Sequence[KnownMemory] = ()
    team: Sequence[TeamMemory] = ()


@dataclass(frozen=True, slots=True)
class Prefix:
    """The stable block, the memories it shows, and those it had no room for."""

    text: str
    sections: Mapping[str, str]
    known: Sequence[KnownMemory]
    cut: Sequence[KnownMemory]
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class LayoutRequest:
    """What is to be laid out: `cards` are of everything that was recalled, wherever it stands already, `spare` what
    comes next, for room that nothing else takes; `nothing` says that what was asked for is not known. `own_prompt`: the
    agent has one, and wants none of Nebo's. `left_out` is told what stands nowhere, and why. `team` is what others
    shared that is about the question.
    """

    inputs: ContextInputs
    question: str
    budget: int
    cards: Sequence[Card] = ()
    people: Sequence[tuple[str, Sequence[str]]] = ()
    nothing: bool = False
    hints: Sequence[SteeringMessage] = ()
    own_prompt: bool = False
    spare: Sequence[Card] = ()
    left_out: LeftOut = field(default_factory=LeftOut)
    team: Sequence[TeamMemory] = ()


def lay_out(wanted: LayoutRequest) -> Layout:
    """Prefix first, then earlier conversations, then cards and messages share the rest. What is left over goes to
    further known memories.
    """
    inputs, hints = wanted.inputs, sum(message_tokens(hint.content) for hint in wanted.hints)
    prefix = fit_prefix(
        inputs, min(int(wanted.budget * PREFIX_SHARE), wanted.budget - hints - LEFT_FOR_WORDS), wanted
    )
    room = max(wanted.budget - estimate_tokens(prefix.text) - hints, 0)
    over = Coverage(inputs.background.over, own=inputs.person.display_name)
    fixed = render_fixed(
        DynamicParts(
            inputs.session,
            inputs.background,
            inputs.snapshot,
            inputs.todos,
            wanted.people,
            budget=wanted.budget,
            room=int(room * BEFORE_SHARE),
            coverage=prefix.coverage,
            spoken=_spoken(inputs, int(room * BEFORE_SHARE * (1 - CARD_SHARE))),
            recalled=frozenset(id for card in wanted.cards for id in card.message_ids),
            nothing=_say_nothing(inputs, prefix, wanted.team) if wanted.nothing else "",
            over=over,
            words=[message.words for message in inputs.messages if message.role == "user"],
        )
    )
    above = ShownAbove(
        {memory.id for memory in prefix.known},
        prefix.coverage,
        over,
        inputs.background.over,
        of_past=asks_of_the_past(wanted.question),
    )
    team = _fit_team(wanted.team, int(room * TEAM_SHARE))
    room -= fixed.tokens + estimate_tokens(format_team(team))
    cards, messages, left = _share_out(wanted, above, max(room, 0))
    more = _more_known(prefix, cards, left)
    left -= estimate_tokens("\n".join(memory.line for memory in more)) + ALSO_TOKENS if more else 0
    spare = _spare_cards(wanted, above, cards, messages, left)
    cards, left = [*cards, *spare], left - sum(card.tokens for card in spare)
    messages = [*_older_in_part(inputs, len(messages), left), *messages]
    sections = render_dynamic(fixed, cards, [memory.line for memory in more], team)
    dynamic = join_sections(sections)
    return Layout(
        stable=prefix.text,
        dynamic=dynamic,
        messages=messages,
        cards=cards,
        known=frozenset(memory.id for memory in prefix.known),
        tokens=_count_tokens(prefix.text, dynamic, messages, hints),
        stable_sections=prefix.sections,
        dynamic_sections=sections,
        lines=[*prefix.known, *more],
        more=more,
        team=team,
    )


def _fit_team(memories: Sequence[TeamMemory], room: int) -> Sequence[TeamMemory]:
    """The most relevant that fit, with their heading and fence."""
    return memories[: fit([estimate_tokens(memory.line) + 1 for memory in memories], room - TEAM_FRAME)]


def _say_nothing(inputs: ContextInputs, prefix: Prefix, team: Sequence[TeamMemory]) -> str:
    """That nothing is known of what was asked; what is known besides stands above, and may be about it after all."""
    above = prefix.known or person_lines(inputs.person) or inputs.background.any or inputs.todos or team
    return NOTHING_MORE if above else NOTHING_FOUND


def _count_tokens(
    stable: str, dynamic: str, messages: Sequence[ContextMessageFields], hints: int
) -> TokensFields:
    first, then = estimate_tokens(stable), estimate_tokens(dynamic)
    spent = sum(message_tokens(message["content"]) for message in messages)
    return {"stable": first, "dynamic": then, "messages": spent, "total": first + then + spent + hints}


# --- The prefix ------------------------------------------------------------------------------------------


def fit_prefix(inputs: ContextInputs, room: int, wanted: LayoutRequest) -> Prefix:
    """What You Know shrinks from its end until the prefix keeps to its share; then the prefix itself is cut."""
    coverage = Coverage(person_lines(inputs.person), own=inputs.person.display_name)
    known = _choose(inputs, coverage, wanted.left_out)
    bare = render_stable(_sections(wanted, (), ()))
    space = int(wanted.budget * STABLE_SHARE) - estimate_tokens(bare)
    count = fit([estimate_tokens(memory.line) + 1 for memory in known], space)
    files = _fit_files(inputs.files, int(wanted.budget * FILES_SHARE))
    sections = _sections(wanted, known[:count], files)
    text = render_stable(sections)
    for memory in known[:count]:
        coverage.add(memory.value)
    for memory in known[count:]:
        wanted.left_out.known[memory.id] = Rule.NO_ROOM
    for rule in inputs.own_rules:
        coverage.add(rule)
    return Prefix(cut_to_tokens(text, max(room, 0)), sections, known[:count], known[count:], coverage)


def _sections(wanted: LayoutRequest, known: Sequence[KnownMemory], files: Sequence[str]) -> dict[str, str]:
    inputs = wanted.inputs
    return render_sections(
        persona=inputs.persona,
        person=inputs.person,
        directive=inputs.directive,
        known=known,
        files=files,
        own_rules=inputs.own_rules,
        own_prompt=wanted.own_prompt,
    )


def _choose(inputs: ContextInputs, coverage: Coverage, left_out: LeftOut) -> list[KnownMemory]:
    """What is known, each thing once, without what User Information says and what was planned and is settled since."""
    settled, told, kept = SettledPlans(inputs.background.over), Coverage(), []
    for memory in inputs.known:
        if _is_in_profile(memory, inputs.person):
            left_out.known[memory.id] = Rule.IN_PROFILE
        elif settled.has(memory):
            left_out.known[memory.id] = Rule.SETTLED
        elif coverage.has(memory.value):
            left_out.known[memory.id] = Rule.SAID_IN_PROFILE
        elif not told.take(memory.value):
            left_out.known[memory.id] = Rule.REPEATS
        else:
            kept.append(memory)
    return kept


def _is_in_profile(memory: KnownMemory, person: UserProfile) -> bool:
    """Whether a memory is a column's, and says no more than that."""
    column = find_column(memory.namespace, memory.key)
    if column is None:
        return False
    held = getattr(person, column)
    shown = content_words(held if isinstance(held, str) else " ".join(held))
    words = content_words(memory.value) - content_words(
        person.display_name if column != "display_name" else ""
    )
    return bool(shown) and shown <= words and len(words - shown) <= EXTRA_WORDS


def _fit_files(files: Sequence[str], room: int) -> list[str]:
    """A persona's files within their share; the one that goes over is cut, those behind it are left out."""
    kept = []
    for text in files:
        if room <= 0:
            break
        kept.append(cut_to_tokens(text, room))
        room -= estimate_tokens(text)
    return kept


def _spoken(inputs: ContextInputs, room: int) -> Coverage:
    """What the messages say that are shown in any case. Only a running summary could repeat them."""
    if not inputs.background.rolling:
        return Coverage()
    newest = inputs.messages[::-1]
    shown = fit([message_tokens(message.words) for message in newest], room)
    return Coverage(message.words for message in newest[:shown])


# --- Cards and messages ----------------------------------------------------------------------------------


def _share_out(
    wanted: LayoutRequest, above: ShownAbove, room: int
) -> tuple[list[Card], list[ContextMessageFields], int]:
    """The cards and messages that fit, oldest message first, and the tokens left."""
    newest = wanted.inputs.messages[::-1]
    sizes = [message_tokens(message.words) for message in newest]
    if sizes:
        sizes[0] = min(sizes[0], room - int(room * CARD_SHARE))
    cards = list_apart(
        wanted.cards,
        above,
        question=wanted.question,
        room=int(room * CARD_SHARE),
        left_out=wanted.left_out,
    )
    covered = _covered(cards, newest[: fit(sizes, room)])
    shares = share(
        room=room,
        cards=[card.tokens for card in cards],
        newest_first=sizes,
        covered=covered,
    )
    for place in set(range(len(cards))) - set(shares.cards):
        said = 0 < covered[place] <= shares.messages
        wanted.left_out.note_card(cards[place].memory_id, Rule.SAID_IN_MESSAGES if said else Rule.NO_ROOM)
    shown = [message_json(message) for message in newest[: shares.messages][::-1]]
    left = shares.left
    if shown:
        space = sizes[0] + max(left, 0)
        shown[-1] = _cut_message(shown[-1], space)
        left -= max(message_tokens(shown[-1]["content"]) - sizes[0], 0)
    return [cards[place] for place in shares.cards], shown, left


def _spare_cards(
    wanted: LayoutRequest,
    above: ShownAbove,
    cards: Sequence[Card],
    messages: Sequence[ContextMessageFields],
    room: int,
) -> list[Card]:
    """In what is left where all messages are shown; otherwise an older message takes it."""
    if len(messages) < len(wanted.inputs.messages):
        return []
    return list_spare(
        wanted.spare, above, shown=cards, messages=messages, room=room, left_out=wanted.left_out
    )


def _covered(cards: Sequence[Card], newest: Sequence[Message]) -> list[int]:
    """Of each card, how many of the newest messages it takes to show what it says; 0 for never."""
    places = {str(message.pk): number for number, message in enumerate(newest, 1)}
    coverage = (
        [Coverage([message.words]) for message in newest] if any(card.memory_id for card in cards) else []
    )
    return [_shown_by(card, places, coverage) for card in cards]


def _shown_by(card: Card, places: dict[str, int], coverage: Sequence[Coverage]) -> int:
    if card.message_ids:
        numbers = [places.get(id, 0) for id in card.message_ids]
        return max(numbers) if all(numbers) else 0
    return next((number for number, shown in enumerate(coverage, 1) if shown.has(card.bare)), 0)


def _older_in_part(inputs: ContextInputs, shown: int, room: int) -> list[ContextMessageFields]:
    """The newest message that isn't shown, cut to the room that is left, where that is worth it."""
    older = inputs.messages[: len(inputs.messages) - shown]
    if not older or room < LEAST_PART:
        return []
    return [_cut_message(message_json(older[-1]), room)]


def _cut_message(message: ContextMessageFields, room: int) -> ContextMessageFields:
    """A message that is longer than the room it has, by its beginning and its end."""
    content = message["content"]
    if message_tokens(content) <= room:
        return message
    space = max(room - MESSAGE_OVERHEAD - 1, 0)
    head = cut_to_tokens(content, space * 2 // 3)
    tail = _end_of(content, space - estimate_tokens(head) - 1)
    return {**message, "content": f"{head}{tail}"}


def _end_of(text: str, room: int) -> str:
    tail = cut_to_tokens(text[::-1], max(room, 0)).removesuffix("…")[::-1]
    return f" {tail}" if tail else ""


def message_json(message: Message) -> ContextMessageFields:
    """A message as a context lists it."""
    return {
        "id": str(message.pk),
        "role": message.role,
        "name": message.name,
        "content": message.words,
        "created_at": as_utc(message.created_at),
    }


def _more_known(prefix: Prefix, cards: Sequence[Card], left: int) -> list[KnownMemory]:
    """Those of What You Know that the prefix had no room for, in what nothing else takes."""
    if not prefix.cut:
        return []
    shown = {card.memory_id for card in cards}
    for card in cards:
        prefix.coverage.add(card.bare)
    new = [memory for memory in prefix.cut if memory.id not in shown and prefix.coverage.take(memory.value)]
    space = left - ALSO_TOKENS
    return new[: fit([estimate_tokens(memory.line) + 1 for memory in new], space)] if space > 0 else []
