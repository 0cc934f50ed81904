"""Quality of search and context: conversations go in over HTTP, every question is asked, evidence counted."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tqdm import tqdm

from benchmarks.client import CallFailed, Client
from benchmarks.conversations import Conversation, Question
from benchmarks.recall import (
    DEPTHS,
    Asked,
    agent_hit_rate,
    group,
    list_cited_messages,
    list_named_messages,
    mean_agent_share,
    mean_reciprocal_rank,
    mean_shares,
)
from benchmarks.tables import Cell, render_table

LIMIT = 50  # results a search is asked for
BUDGETS = (1_000, 2_000, 4_000)  # tokens of a context
VECTORS_LIMIT_S = 900  # for all conversations together
HEADLINE_DEPTH = 10


@dataclass(slots=True)
class Quality:
    """Every question by ranking and by context budget; milliseconds by ranking, as told and as timed."""

    searched: dict[str, list[Asked]] = field(default_factory=dict)
    recalled: dict[int, list[Asked]] = field(default_factory=dict)
    took_ms: dict[str, list[float]] = field(default_factory=dict)
    wall_ms: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """A person who had a conversation, and the session in which the questions about it are asked."""

    conversation: Conversation
    user: str
    session: str
    external_ids: dict[str, str]


def measure_quality(
    client: Client, conversations: Sequence[Conversation], rankings: Sequence[str]
) -> Quality:
    """Ingest under fresh names, wait for the vectors, ask everything. Raises CallFailed and TimeoutError."""
    run = uuid.uuid4().hex[:6]
    subjects = [ingest(client, c, f"{c.id}-{run}") for c in tqdm(conversations, "ingest", unit="talk")]
    client.wait_for_vectors(limit_s=VECTORS_LIMIT_S)
    quality = Quality()
    for ranking in rankings:
        for subject, question in _each(subjects, ranking):
            _search(client, quality, ranking, subject, question)
    for budget in BUDGETS:
        for subject, question in _each(subjects, f"context {budget}"):
            found = _recall(client, subject, question, budget)
            quality.recalled.setdefault(budget, []).append(Asked(subject.conversation.id, question, found))
    return quality


def _each(subjects: Sequence[Subject], label: str) -> Iterator[tuple[Subject, Question]]:
    pairs = [(subject, question) for subject in subjects for question in subject.conversation.questions]
    yield from tqdm(pairs, label, unit="question")


def ingest(client: Client, conversation: Conversation, user: str) -> Subject:
    """A session for each of the conversation's; then an empty one, where nothing but recall can answer."""
    external_ids = {}
    for number, turns in enumerate(conversation.sessions, 1):
        session = client.open_session(user, f"{user}-{number}")
        for stored in client.add_turns(session, [turn.as_message() for turn in turns]):
            external_ids[stored["id"]] = stored["external_id"]
    return Subject(conversation, user, client.open_session(user, f"{user}-questions"), external_ids)


def _search(client: Client, quality: Quality, ranking: str, subject: Subject, question: Question) -> None:
    options: dict[str, Any] = {"limit": LIMIT, "sources": ["session"]}
    if ranking != "default":
        options["ranking"] = ranking
    answer = client.search(subject.user, question.text, **options)
    found = list_named_messages(answer.body["results"])
    conversation = subject.conversation
    asked = Asked(conversation.id, question, found, conversation.said_by_agent(question))
    quality.searched.setdefault(ranking, []).append(asked)
    quality.took_ms.setdefault(ranking, []).append(answer.body["took_ms"])
    quality.wall_ms.setdefault(ranking, []).append(answer.ms)


def _recall(client: Client, subject: Subject, question: Question, budget: int) -> tuple[str, ...]:
    """What a context cites; nothing where it refuses for want of anything to go on from."""
    try:
        answer = client.context(subject.session, question.text, budget)
    except CallFailed as refused:
        if refused.status == 409:
            return ()
        raise
    return list_cited_messages(answer.body, subject.external_ids)


# --- What is said about it -------------------------------------------------------------------------------


def render_quality(quality: Quality) -> str:
    """Two tables: the rankings side by side, and the first of them by category and conversation."""
    return f"{_render_rankings(quality)}\n\n{_render_groups(quality)}"


def _render_rankings(quality: Quality) -> str:
    categories = list(group(next(iter(quality.searched.values())), _category))
    rows: list[list[Cell]] = []
    for ranking, asked in quality.searched.items():
        said = mean_agent_share(asked, HEADLINE_DEPTH)
        hit = agent_hit_rate(asked, HEADLINE_DEPTH)
        shares: list[Cell] = [*mean_shares(asked).values(), mean_reciprocal_rank(asked), said, hit]
        in_category = group(asked, _category)
        shares += [mean_shares(in_category[name])[HEADLINE_DEPTH] for name in categories]
        rows.append([ranking, *shares, median(quality.took_ms[ranking]), median(quality.wall_ms[ranking])])
    names = [f"{name} @{HEADLINE_DEPTH}" for name in categories]
    return render_table(
        [
            "ranking",
            *(f"@{depth}" for depth in DEPTHS),
            "MRR",
            f"agent-said @{HEADLINE_DEPTH}",
            f"any of it @{HEADLINE_DEPTH}",
            *names,
            "took ms",
            "wall ms",
        ],
        rows,
    )


def _render_groups(quality: Quality) -> str:
    asked = next(iter(quality.searched.values()))
    rows: list[list[Cell]] = []
    for choose in (_all, _category, _conversation):
        contexts = [group(recalled, choose) for recalled in quality.recalled.values()]
        for name, members in group(asked, choose).items():
            shares = mean_shares(members).values()
            cited = (mean_shares(context[name], [None])[None] for context in contexts)
            rows.append([name, len(members), *shares, *cited])
    budgets = [f"context {budget // 1000}k" for budget in quality.recalled]
    return render_table(["", "questions", *(f"@{depth}" for depth in DEPTHS), *budgets], rows)


def _all(one: Asked) -> str:
    return "all"


def _category(one: Asked) -> str:
    return one.question.category


def _conversation(one: Asked) -> str:
    return one.conversation


def as_json(quality: Quality) -> dict[str, Any]:
    """Means by ranking and budget, and for every question where its evidence stands."""
    contexts = {budget: mean_shares(asked, [None])[None] for budget, asked in quality.recalled.items()}
    return {
        "rankings": {ranking: _ranking_json(quality, ranking) for ranking in quality.searched},
        "context": contexts,
        "questions": {
            ranking: [_asked_json(one) for one in asked] for ranking, asked in quality.searched.items()
        },
    }


def _ranking_json(quality: Quality, ranking: str) -> dict[str, Any]:
    asked = quality.searched[ranking]
    return {
        "overall": mean_shares(asked),
        "mrr": mean_reciprocal_rank(asked),
        "agent_said": mean_agent_share(asked, HEADLINE_DEPTH),
        "agent_hit": agent_hit_rate(asked, HEADLINE_DEPTH),
        "categories": _means(group(asked, _category)),
        "conversations": _means(group(asked, _conversation)),
        "took_ms": median(quality.took_ms[ranking]),
        "wall_ms": median(quality.wall_ms[ranking]),
    }


def _means(groups: dict[str, list[Asked]]) -> dict[str, Any]:
    return {name: {"questions": len(asked), **mean_shares(asked)} for name, asked in groups.items()}


def _asked_json(one: Asked) -> dict[str, Any]:
    return {
        "conversation": one.conversation,
        "category": one.question.category,
        "question": one.question.text,
        "ranks": one.ranks(),
    }
