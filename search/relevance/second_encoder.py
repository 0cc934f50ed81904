"""A second encoder's word on whether a text is about a question: the multilingual one of this process.

It helps where the serving model can't tell: all-MiniLM-L6-v2 knows English only, and the cosines of some models are
unmeasured. It takes some 5 ms for a text it hasn't read yet, as many at a time as there are threads; read ones stay.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from nebo.encoders import threads
from nebo.encoders.files import E5_NAME, has_e5
from nebo.encoders.weights import Array
from search.embeddings.local import LocalEmbedder

READ_CHARS = 400  # of a text; what it is about stands early
KEPT = 4_000  # vectors, 1.5 kB each

_encoder = LocalEmbedder(E5_NAME, threads=1)


@dataclass(slots=True)
class _Readings:
    """What was read or is being read, the last asked for at the end."""

    kept: OrderedDict[str, Future[Array]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)


_readings = _Readings()


def renew_readings() -> None:
    """Begin anew: what the parent's threads were reading, a forked child would wait for in vain."""
    _readings.lock = Lock()
    _readings.kept.clear()


os.register_at_fork(after_in_child=renew_readings)


def can_read() -> bool:
    """Whether the encoder is installed."""
    return has_e5()


def load() -> None:
    """Read something, so that the encoder is there; in this thread, since others would not survive a fork."""
    _encoder.embed(["ready"])


def begin(question: str) -> None:
    """Have a question read by the time that `list_cosines` is asked about it."""
    _read(question[:READ_CHARS])


def list_cosines(question: str, texts: Sequence[str]) -> list[float]:
    """How near each text is to the question; two that have nothing in common have 0.77 or so."""
    asked, *read = [_read(text[:READ_CHARS]) for text in (question, *texts)]
    return [float(asked.result() @ one.result()) for one in read]


def _read(text: str) -> Future[Array]:
    """Its vector, soon; what several want at once is read once."""
    with _readings.lock:
        known = _readings.kept.get(text)
        if known is not None and not (known.done() and known.exception()):
            _readings.kept.move_to_end(text)
            return known
        read = _readings.kept[text] = threads.begin(_vector, text)
        while len(_readings.kept) > KEPT:
            _readings.kept.popitem(last=False)
        return read


def _vector(text: str) -> Array:
    return np.asarray(_encoder.embed([text])[0], np.float32)
