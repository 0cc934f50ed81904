"""What a sentence is to things to do that are open: done, put off, dropped, or told again.

By meaning and by the todo's own words; nothing here looks anything up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from memories.todos.store import is_same_act
from memories.understanding import Related
from nebo.reading.meaning.kinds import Kind, Relation
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.same_fact import denies
from nebo.reading.requests.acquired import has_come_by, is_needed_no_more
from nebo.reading.requests.acts import (
    is_done_for_me,
    is_others_act,
    is_settled,
    names_act,
    names_matter,
    says_bare_act,
    says_done,
    tells_of_oneself,
    tells_own_act,
)
from nebo.reading.requests.happened import has_happened, may_have_happened
from nebo.reading.requests.pointers import list_results, point_out, what_worked
from nebo.reading.requests.todos import find_led_act
from nebo.reading.requests.wishes import is_negated
from nebo.reading.times.dates import without_times
from nebo.reading.wording.covering import language_of
from nebo.reading.words.naming import named_words, share_named
from nebo.reading.words.pauses import split_at_pauses

ABOUT_TODOS: tuple[Kind, ...] = ("done", "put_off", "dropped")
SETTLING: tuple[Relation, ...] = ("done", "put_off", "dropped")
WORKED = 1.0  # chance that what a part of a sentence names worked out, or isn't needed, whatever the rest of it says
POINTED = 0.9  # chance that somebody means the todo whose verb they say of "it"
ACTED = 0.9  # chance that a todo is done whose verb and object they say in the past
UNHINTED = 0.85  # chance by the pair from which a sentence settles what by itself it hints at nothing of
PLAINLY, NEVER = 0.95, 1.01  # the same, of what is so "at last"; of anything else
_AT_LAST = re.compile(
    r"\b(?:finally|at last|now|endlich|jetzt|schon|ya|por fin|al fin|enfin|maintenant|finalmente|adesso)\b",
    re.IGNORECASE,
)
_TOO = re.compile(r"\b(?:too|as well|auch|también|aussi|anche)\b", re.IGNORECASE)
OVER: tuple[Relation, ...] = ("done", "dropped", "ends")
OTHER = 0.3  # chance by the pair from which a person's own past act is another one
OVER_BY_PAIR = 0.5  # chance of these together from which the todo's own verb in the past says that it is done
TELLING_ELSE = 0.5  # chance of being one of these from which such a sentence isn't read
ELSE: tuple[Kind, ...] = ("relative", "lasting", "quoted", "supposed", "joking")
EVENT_HINT = 0.3  # chance of telling an event from which a sentence is read beside open todos
TODO_HINT = 0.1  # chance of settling something from which a sentence is read beside open todos
SAME_WORDS = 1.0  # chance of the same thing to do, told by the same words
UNCLEAR = 0.15  # chance of the likeliest kind, below which a sentence says nothing clear by itself
RIVAL = 0.15  # chance by the pair from which a todo in another language may be meant
ELSEWHERE = 0.35  # from which it is, where no other may be
TODO_SHORTLIST = 4  # todos that a sentence is read beside; each takes some 7 ms


def relate_todos(sentence: Sentence, todos: Mapping[UUID, str], *, before: str = "") -> Iterable[Related]:
    """What a sentence settles of what is to do, and what it tells again; `before` is the sentence before it."""
    dropped = [key for key, todo in todos.items() if is_needed_no_more(sentence.text, todo)]
    if len(dropped) == 1 and not sentence.meaning.may_be("todo"):
        yield Related(sentence.start, dropped[0], "dropped", WORKED)
        todos = {key: todo for key, todo in todos.items() if key not in dropped}
    surely, rest = _list_worked(sentence, todos, before)
    yield from (Related(sentence.start, one, "done", WORKED) for one in surely)
    if surely:
        sentence = replace(sentence, text=rest)
        todos = {key: todo for key, todo in todos.items() if key not in surely}
    elif worked := _find_worked(sentence, todos, before):
        yield Related(sentence.start, worked, "done", POINTED)
        return
    yield from _read_todos(sentence, todos)
    yield from _list_repeated(sentence, todos)


def list_sharing(text: str, known: Mapping[UUID, str]) -> list[UUID]:
    """Those that name something a text says too, whatever its endings; those that share most first."""
    shares = {key: share_named(named_words(value), text) for key, value in known.items()}
    return sorted((key for key, share in shares.items() if share), key=lambda key: -shares[key])


def _list_near(text: str, todos: Mapping[UUID, str]) -> list[UUID]:
    """Those that a text names something of, then those whose verb it has in its past; the first few."""
    acted = (key for key, todo in todos.items() if names_act(text, todo))
    return list(dict.fromkeys((*list_sharing(text, todos), *acted)))[:TODO_SHORTLIST]


def may_settle(sentence: Sentence) -> bool:
    """Whether it may be about something to do: settle it, or tell it again. So may whatever tells something, which is
    read only beside a todo that it names.
    """
    if _is_hinted(sentence) or _may_tell(sentence) or len(split_at_pauses(sentence.text)) > 0:
        return True
    return may_have_happened(sentence.text)


def _may_tell(sentence: Sentence) -> bool:
    """Whether it may tell, without any hint of that by itself, that something was done: "I got bread on the way"."""
    meaning = sentence.meaning
    asking: tuple[Kind, ...] = ("question", "request", "todo", "wish", "forget")
    return not any(meaning.may_be(kind) for kind in asking) and not any(
        meaning.chances[kind] >= TELLING_ELSE for kind in ELSE
    )


def _is_hinted(sentence: Sentence) -> bool:
    chances = sentence.meaning.chances
    hinted = sentence.meaning.is_sure("todo") or any(chances[kind] >= TODO_HINT for kind in ABOUT_TODOS)
    return hinted or max(chances.values()) < UNCLEAR or _may_bring(sentence)


def _may_bring(sentence: Sentence) -> bool:
    """Whether it tells what happened, which may have settled something without a word of that: "the money came"."""
    meaning = sentence.meaning
    otherwise: tuple[Kind, ...] = ("question", "request", "todo", "put_off")
    asks = any(meaning.may_be(kind) for kind in otherwise)
    return meaning.chances["event"] >= EVENT_HINT and not asks


def _list_worked(sentence: Sentence, todos: Mapping[UUID, str], before: str) -> tuple[list[UUID], str]:
    """What each part of a sentence says worked out or is over by its own words, and the rest of the sentence: "the van
    worked out, and Jule has the key"; "solicitor sorted, cot mattress too".
    """
    parts = split_at_pauses(sentence.text) or [sentence.text]
    goes_on = any(map(list_results, split_at_pauses(before) or [before]))
    found: dict[str, list[UUID]] = {}
    for part in parts:
        too = _TOO.search(part) if found or goes_on else None
        over = list_results(part) or ([part[: too.start()] or part] if too else [])
        worked = [what_worked(part)] if len(parts) > 1 else []
        meant = [
            _find_named(todos, what) or _find_named(todos, part) for what in over or filter(None, worked)
        ]
        if meant and all(meant) and not denies(part):
            found[part] = [one for one in meant if one]
    rest = ", ".join(part for part in parts if part not in found)
    return [one for several in found.values() for one in several], rest if found else sentence.text


def _find_named(todos: Mapping[UUID, str], what: str) -> UUID | None:
    """The one thing to do that is about this, or whose words are all that it names."""
    named = named_words(what)
    meant = [
        key
        for key, todo in todos.items()
        if names_matter(todo, what) or (named and share_named(named, todo) == 1)
    ]
    return meant[0] if len(meant) == 1 else None


def _find_worked(sentence: Sentence, todos: Mapping[UUID, str], before: str) -> UUID | None:
    """The one thing to do that worked out, by what is told beside that or just before: „Jonte kommt in die Waldschule,
    das hat geklappt.“
    """
    parts = split_at_pauses(sentence.text) or [sentence.text]
    worked = [what_worked(part) for part in parts]
    if worked.count(None) == len(parts):
        return None
    beside = [part if what is None else what for part, what in zip(parts, worked, strict=True)]
    told = ", ".join(filter(None, beside)) or before
    if denies(told):
        return None
    named = {key: names_matter(todo, told) for key, todo in todos.items()}
    most = max(named.values(), default=0)
    best = [key for key, count in named.items() if count == most]
    return best[0] if most and len(best) == 1 else None


def _list_settling(sentence: Sentence) -> list[str]:
    """The parts of a sentence that by themselves surely settle something: "it's paid, they gave me a receipt"."""
    return [
        part
        for part in split_at_pauses(sentence.text)
        if any(read_sentence(part).is_sure(kind) for kind in ABOUT_TODOS)
    ]


def _read_todos(sentence: Sentence, todos: Mapping[UUID, str]) -> Iterable[Related]:
    """What shares no word is never taken for what is meant, so it isn't read. To forget what is to do is to drop it."""
    pointed = [
        key
        for key, todo in todos.items()
        if _says_it_is_done(sentence, todo)
        or _says_who_did_it(sentence, todo)
        or _says_one_has_it(sentence, todo)
    ]
    near = _list_near(sentence.text, todos)
    if not near and not pointed and (meant := _find_in_other_language(sentence, todos)):
        yield Related(sentence.start, meant, "done", POINTED)
        return
    parts = _list_settling(sentence) if near or pointed else []
    hinted = bool(parts) or _is_hinted(sentence)
    pointed = pointed or _list_happened(sentence, {key: todos[key] for key in near})
    if len(pointed) == 1:
        yield Related(sentence.start, pointed[0], "done", POINTED)
        return
    if not hinted and not _may_tell(sentence):
        return
    for object_id in near:
        best, chance = _settle_by(todos[object_id], sentence, parts)
        if chance and (hinted or (best == "done" and _is_plain(todos[object_id], sentence, chance))):
            yield Related(sentence.start, object_id, best, chance)


def _find_in_other_language(sentence: Sentence, todos: Mapping[UUID, str]) -> UUID | None:
    """The one thing to do, told in another language, that a sentence surely says is done: "La tarjeta ya la renové"."""
    if not sentence.meaning.is_sure("done"):
        return None
    language = language_of(sentence.text)
    others = [key for key, todo in todos.items() if language_of(todo) != language][:TODO_SHORTLIST]
    chances = {key: relation(todos[key], sentence.text).get("done", 0.0) for key in others}
    likely = [key for key in others if chances[key] >= RIVAL]
    return likely[0] if len(likely) == 1 and chances[likely[0]] >= ELSEWHERE else None


def _list_happened(sentence: Sentence, todos: Mapping[UUID, str]) -> list[UUID]:
    """Those of which a sentence tells what could only be told once they were done, of the world as it is."""
    meaning = sentence.meaning
    otherwise: tuple[Kind, ...] = ("question", "todo", "put_off", "dropped")
    if any(meaning.may_be(kind) for kind in otherwise) or meaning.chances["supposed"] >= TELLING_ELSE:
        return []
    return [key for key, todo in todos.items() if has_happened(sentence.text, todo)]


def _settle_by(todo: str, sentence: Sentence, parts: Sequence[str]) -> tuple[Relation, float]:
    """What a sentence is to a todo, by its parts and as a whole; nothing where it tells what somebody else did."""
    read = [_relate_todo(todo, text, sentence) for text in (*parts, sentence.text)]
    settling = [one for one in read[:-1] if one[0] in ABOUT_TODOS]
    best, chance = max(settling or read[-1:], key=lambda one: one[1])
    if best == "done" and not parts and is_others_act(sentence.text, todo):
        return "other", 0.0
    says = says_done(sentence.text, todo) or says_bare_act(sentence.text, todo)
    is_reported = best != "put_off" and says and _tells_own_past(todo, sentence)
    return ("done", max(ACTED, chance if best == "done" else 0.0)) if is_reported else (best, chance)


def _is_plain(todo: str, sentence: Sentence, chance: float) -> bool:
    """Whether what hints at nothing settled by itself says so beside this todo: by its verb, or of one's own doing."""
    told = says_done(sentence.text, todo) or tells_of_oneself(sentence.text)
    return chance >= (UNHINTED if told else PLAINLY if _AT_LAST.search(sentence.text) else NEVER)


def _tells_own_past(todo: str, sentence: Sentence) -> bool:
    """Whether the todo's own verb and object in the past say that it is done: by the sentence or by the pair, which
    takes the end of a thing for a fact's („GEZ hab ich gekündigt“).
    """
    text, meaning = sentence.text, sentence.meaning
    if (
        denies(text)
        or is_negated(text)
        or meaning.may_be("put_off")
        or meaning.may_be("todo")
        or is_others_act(text, todo)
    ):
        return False
    if is_settled(text, todo):
        return True
    chances = relation(todo, text)
    if tells_own_act(text, todo) and chances.get("other", 0.0) < OTHER:
        return True
    return meaning.is_sure("done") or sum(chances.get(kind, 0.0) for kind in OVER) >= OVER_BY_PAIR


def _list_repeated(sentence: Sentence, todos: Mapping[UUID, str]) -> Iterable[Related]:
    """What is open already of what words lead up to: "I have to service the outboard on 30 April"."""
    act = find_led_act(sentence)
    same = [object_id for object_id, text in todos.items() if act and is_same_act(act, text)]
    yield from (Related(sentence.start, object_id, "same", SAME_WORDS) for object_id in same[:1])


def _says_it_is_done(sentence: Sentence, todo: str) -> bool:
    """Whether somebody says that they did "it", by the todo's own verb: "I rang them, that's sorted"."""
    act = point_out(sentence.text, todo)
    if not act or denies(sentence.text):
        return False
    parts = [read_sentence(part) for part in split_at_pauses(sentence.text)]
    return any(one.is_sure("done") for one in (sentence.meaning, read_sentence(act), *parts))


def _says_who_did_it(sentence: Sentence, todo: str) -> bool:
    """Whether somebody else did it for the speaker: „Nachthemden hat mir Werner gekauft“."""
    is_open = sentence.meaning.may_be("todo") or sentence.meaning.may_be("put_off")
    return is_done_for_me(sentence.text, todo) and not is_open and not denies(sentence.text)


def _says_one_has_it(sentence: Sentence, todo: str) -> bool:
    """Whether the speaker has what was to be bought or found: „das Schloss hab ich längst“."""
    is_open = sentence.meaning.may_be("todo") or sentence.meaning.may_be("put_off")
    return not is_open and not denies(sentence.text) and has_come_by(sentence.text, todo)


def _relate_todo(todo: str, text: str, sentence: Sentence) -> tuple[Relation, float]:
    """What a text is to a todo, most likely.

    What by itself surely says one thing of what is to do says just that of it. The day on which something came is no
    day to which it is put off: "the money came through in August".
    """
    chances = dict(relation(todo, text))
    if not chances:
        return "other", 0.0
    chances["dropped"] += chances.pop("forget")
    best, chance = max(chances.items(), key=lambda one: one[1])
    sure = [kind for kind in ABOUT_TODOS if sentence.meaning.is_sure(kind)]
    if best in ABOUT_TODOS and len(sure) == 1:
        return _named_by(sure[0]), sum(chances[kind] for kind in SETTLING)
    if best == "ends" and share_named(named_words(todo), text) == 1:  # "sell the car": "I sold the car to Ed"
        return ("dropped" if denies(text) else "done"), chance
    timeless = without_times(text)
    if best == "put_off" and _may_bring(sentence) and timeless != text:
        return _relate_todo(todo, timeless, sentence)
    return best, chance


def _named_by(kind: Kind) -> Relation:
    return next(relation for relation in SETTLING if relation == kind)
