"""What another thread reads is what this one would have read."""

from __future__ import annotations

import os

from nebo.encoders.threads import begin
from nebo.reading.meaning.reader import read_all

TOLD = ["Ich wohne seit März in Porto.", "", "My sister keeps bees."]


def test_a_text_read_ahead_says_the_same() -> None:
    ahead = begin(read_all, TOLD, limit=6).result()

    assert ahead == read_all(TOLD, limit=6)
    assert [len(one.sentences) for one in ahead] == [1, 0, 1]


def test_a_forked_process_reads_ahead_with_threads_of_its_own() -> None:
    begin(read_all, TOLD, limit=6).result()

    child = os.fork()
    if not child:
        os._exit(0 if len(begin(read_all, TOLD, limit=6).result(timeout=30)) == len(TOLD) else 1)
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
