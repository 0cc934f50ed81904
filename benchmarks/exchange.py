"""An exchange of the embedding model while questions are asked: none may fail, none may be answered worse.

The server starts with a model that knows no meaning, is asked everything, and is started again with the local model,
as docs/search.md says. While the new vectors are made, two clients ask without a pause and a third writes new turns;
so they do after the cutover, and after the exchange is taken back.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean

import psycopg
from tqdm import tqdm

from benchmarks.asking import Asker, Reply
from benchmarks.client import Client
from benchmarks.corpus import make_conversation
from benchmarks.latency import make_person
from benchmarks.newcomer import VECTOR_AFTER_S, Look, Newcomer
from benchmarks.quality import Subject, ingest
from benchmarks.recall import Asked
from benchmarks.server import Server, find_admin_url, manage, running_server, throwaway_folder
from benchmarks.tables import Cell, render_table
from benchmarks.timing import spread_of

OLD = {"NEBO_EMBEDDING_MODEL": "hashing/384"}
NEW = {"NEBO_EMBEDDING_MODEL": "local/all-MiniLM-L6-v2-int8"}
OTHERS = 3  # people beside the one who is asked about
OTHERS_TURNS = 1_000  # of each
CLIENTS = 2
STRETCH_S = 20.0  # of questions before, after the cutover, and after the way back
NOTICED_S = (
    6.0  # every process knows of another model by then (search.embeddings.serving.LOOK_AGAIN_S and a second)
)
LIMIT_S = 420.0  # for the new model's vectors
LOOK_EVERY_S = 0.5
NEWCOMER_EVERY = 20  # looks
DEPTH = 10
HEADERS = ["questions", "asked", "failed", f"recall @{DEPTH}", "as alone", "p50", "p95"]
STATE = """
SELECT (SELECT name FROM search_embeddingmodel WHERE state = 'serving'),
       (SELECT count(*) FROM search_embedding AS made JOIN search_embeddingmodel AS model
        ON model.id = made.model_id WHERE model.state = 'building'),
       (SELECT count(*) FROM search_chunk)
"""

Found = Sequence[tuple[str, ...]]  # by question


@dataclass(frozen=True, slots=True)
class Stretch:
    """Answers of one stretch of time, beside what the models that may give them find when they are asked alone."""

    name: str
    replies: Sequence[Reply]
    expected: Sequence[Found]

    @property
    def answered(self) -> list[Reply]:
        return [reply for reply in self.replies if not reply.failure]

    @property
    def as_expected(self) -> float:
        """The fraction of answers that name the same messages in the same order as one of those models."""
        return fmean(any(r.found == found[r.number] for found in self.expected) for r in self.answered)


@dataclass(frozen=True, slots=True)
class Exchange:
    """`built_s` from the first sight of the restarted server to the cutover; turns written before it by the model
    that was to find them."""

    subject: Subject
    chunks: int
    stretches: Sequence[Stretch]
    built_s: float
    written: int
    found_at_once: int
    found_by_old: Look
    found_by_new: Look


class Watch:
    """Which model serves, as the database says; moments by time.monotonic()."""

    def __init__(self, database: psycopg.Connection) -> None:
        self._database = database
        self._first, self._built, self.chunks = self._read()
        self.last_old = self.first_new = time.monotonic()

    def wait_for_cutover(self, look: Callable[[], Look]) -> Look:
        """Until another model serves; the last that `look` saw before. Raises TimeoutError."""
        deadline, seen, looks = self.last_old + LIMIT_S, Look(), 0
        with tqdm(total=self.chunks, desc="new vectors", unit="chunk") as bar:
            while not self._has_changed():
                if time.monotonic() > deadline:
                    raise TimeoutError(f"{self._built} of {self.chunks} vectors after {LIMIT_S:.0f} s.")
                bar.total = self.chunks
                bar.update(self._built - bar.n)
                looks += 1
                if looks % NEWCOMER_EVERY == 0:
                    seen = self._look_before(look, seen)
                time.sleep(LOOK_EVERY_S)
        return seen

    def _look_before(self, look: Callable[[], Look], seen: Look) -> Look:
        """A look that the cutover came into says nothing of the old model."""
        new = look()
        return seen if self._has_changed() else new

    def _has_changed(self) -> bool:
        asked_at = time.monotonic()
        serving, self._built, self.chunks = self._read()
        if serving == self._first:
            self.last_old = asked_at
            return False
        self.first_new = time.monotonic()
        return True

    def _read(self) -> tuple[str, int, int]:
        row = self._database.execute(STATE).fetchone()
        assert row  # three numbers, whatever there is
        return row[0], row[1], row[2]


@dataclass(frozen=True, slots=True)
class Before:
    """What the old model found, alone."""

    subject: Subject
    found: Found
    replies: Sequence[Reply]


def measure_exchange() -> Exchange:
    """On a server of its own. Raises ServerFailed and CallFailed; TimeoutError when there is no cutover."""
    with throwaway_folder() as folder:
        with running_server(folder, OLD) as server, closing(Client(server.url, server.key)) as client:
            before = _ask_before(client)
        with (
            running_server(folder, NEW) as server,
            closing(Client(server.url, server.key)) as client,
            closing(psycopg.connect(find_admin_url(server), autocommit=True)) as database,
        ):
            return _ask_on(client, server, Watch(database), before)


def _ask_before(client: Client) -> Before:
    subject = ingest(client, make_conversation(), f"nora-{uuid.uuid4().hex[:6]}")
    for _ in range(OTHERS):
        make_person(client, OTHERS_TURNS)
    client.wait_for_vectors(limit_s=LIMIT_S)
    asker = Asker(subject)
    asker.ask_all(client)  # connections are made, statements prepared
    found = asker.ask_all(client)
    with asker.asking(client, CLIENTS):
        time.sleep(STRETCH_S)
    return Before(subject, found, asker.replies)


def _ask_on(client: Client, server: Server, watch: Watch, before: Before) -> Exchange:
    """Until the new model serves, for a while after it, and for a while after the way back."""
    asker, newcomer = Asker(before.subject), Newcomer()
    began = time.monotonic()
    with asker.asking(client, CLIENTS), newcomer.talking(client):
        by_old = watch.wait_for_cutover(lambda: newcomer.look(client))
        cut_over = watch.last_old, watch.first_new + NOTICED_S
        written, found_at_once = len(newcomer.written), newcomer.found_at_once
        time.sleep(max(cut_over[1] - time.monotonic(), 0))
        new = asker.ask_all(client)
        by_new = newcomer.look(client)
        time.sleep(STRETCH_S)
        back = time.monotonic()
        manage(server.environment, "embeddings", "rollback")
        noticed = time.monotonic() + NOTICED_S
        time.sleep(NOTICED_S + STRETCH_S)
    old, end = before.found, time.monotonic()
    stretches = [
        Stretch("of the old model alone", before.replies, [old]),
        Stretch("while the new one is built", asker.list_within(began, cut_over[0]), [old]),
        Stretch("in the seconds of the cutover", asker.list_around(*cut_over), [old, new]),
        Stretch("of the new model", asker.list_within(cut_over[1], back), [new]),
        Stretch("in the seconds of the way back", asker.list_around(back, noticed), [old, new]),
        Stretch("of the old model again", asker.list_within(noticed, end), [old]),
    ]
    return Exchange(
        before.subject, watch.chunks, stretches, cut_over[0] - began, written, found_at_once, by_old, by_new
    )


# --- What is said about it -------------------------------------------------------------------------------


def render_exchange(told: Exchange) -> str:
    """A row a stretch of time, in milliseconds; then how long it took, and the turns written meanwhile."""
    rows = [[stretch.name, *_cells(told.subject, stretch)] for stretch in told.stretches if stretch.replies]
    return (
        f"{render_table(HEADERS, rows)}\n\n"
        f"The new model served {told.built_s:.0f} s after the new start, with {told.chunks:,} chunks. "
        f"Of {told.written} turns written meanwhile the next search found {told.found_at_once}; by vectors alone "
        f"the old model found {_share(told.found_by_old)} that were {VECTOR_AFTER_S:.0f} s old, after the cutover "
        f"the new one {_share(told.found_by_new)}.{_tell_failures(told)}"
    )


def _tell_failures(told: Exchange) -> str:
    failures = {reply.failure for stretch in told.stretches for reply in stretch.replies if reply.failure}
    return f" Failures: {'; '.join(sorted(failures))}." if failures else ""


def _share(look: Look) -> str:
    return f"{look.found} of {look.wanted}"


def _cells(subject: Subject, stretch: Stretch) -> list[Cell]:
    count, failed = len(stretch.replies), len(stretch.replies) - len(stretch.answered)
    if not stretch.answered:
        return [count, failed, None, None, None, None]
    spread = spread_of(reply.ms for reply in stretch.answered)
    same = f"{stretch.as_expected:.1%}"
    return [count, failed, fmean(_shares(subject, stretch)), same, spread.p50, spread.p95]


def _shares(subject: Subject, stretch: Stretch) -> list[float]:
    """The part of each question's evidence among the first ten messages, the mean of its answers; so that a question
    asked once more than the others does not count for more."""
    by_question: dict[int, list[float]] = {}
    for reply in stretch.answered:
        question = subject.conversation.questions[reply.number]
        share = Asked(subject.conversation.id, question, reply.found).share(DEPTH)
        by_question.setdefault(reply.number, []).append(share)
    return [fmean(shares) for shares in by_question.values()]
