"""Builds the wheel, installs it into an environment of its own, and starts it in an empty folder (make test-wheel).

    python -m tests.wheel [--wheel FILE] [--keep FOLDER]

Ends with 1 where the server doesn't start, learn, find, show its pages or stop, or writes outside its folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from nebo import embedded
from nebo.embedded.postmaster import find_free_port

ROOT = Path(__file__).resolve().parent.parent
READY_S, FOUND_S, STOP_S = 180.0, 60.0, 60.0
NEEDED = (  # of each kind of file that isn't code, one
    "nebo/web/templates/base.html", "nebo/web/static/nebo/icons.svg", "nebo/encoders/data/minilm_vocab.txt",
    "memories/sql/", "nebo/reading/heads/", "sessions/prompts/summarize.txt",
    "nebo/product/operations/demo_conversation.json",
)  # fmt: skip
WORDS = "I keep four bees in the garden of the observatory."
Step = tuple[str, bool]


def main(arguments: list[str] | None = None) -> int:
    """Every step in order; the number of faults, at most 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.wheel", description=__doc__)
    parser.add_argument("--wheel", type=Path, help="one that was built before")
    parser.add_argument("--keep", type=Path, help="build into this folder, and leave the wheel there")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="nebo-wheel-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # root hands PostgreSQL to another account, which must get in
        wheel = chosen.wheel or build(chosen.keep or folder / "dist")
        program = install(wheel, folder / "venv")
        faults = [f"not in the wheel: {one}" for one in list_missing(wheel)]
        faults += [what for what, holds in try_out(program, folder / "empty") if not holds]
    print(*faults, sep="\n", file=sys.stderr)
    print(f"{wheel.name}: {'holds' if not faults else f'{len(faults)} faults'}")
    return min(len(faults), 1)


def build(folder: Path) -> Path:
    """The wheel of this checkout."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    return next(folder.glob("nebo_memory-*.whl"))


def list_missing(wheel: Path) -> list[str]:
    """What of the files that must be in it isn't."""
    names = zipfile.ZipFile(wheel).namelist()
    return [one for one in NEEDED if not any(name.startswith(one) for name in names)]


def install(wheel: Path, place: Path) -> Path:
    """Its command, in an environment that has the packages of the lock file and nothing else."""
    venv.create(place, with_pip=True)
    pip = (str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input")
    run(*pip, "--require-hashes", "-r", str(ROOT / "requirements.txt"))
    run(*pip, "--no-index", str(wheel))  # whatever it needs is there, or this fails
    return place / "bin" / "nebo-server"


def run(*command: str, cwd: Path | None = None) -> str:
    """What a command prints; raises CalledProcessError after telling what it said."""
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout[-2_000:], done.stderr[-2_000:], sep="\n", file=sys.stderr)
    done.check_returncode()
    return done.stdout


def environment(**more: str) -> dict[str, str]:
    """Ours, without what would lead to another database, folder or checkout."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DATABASE_", "NEBO_", "DJANGO_", "PYTHON", "SECRET_KEY"))
    }
    return {**kept, **more}


@contextmanager
def started(program: Path, folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`nebo-server start` in a folder; what it says goes into a file beside it."""
    with (folder.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(program), "start", "--no-demo"],
            cwd=folder,
            env=environment(PORT=str(port)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            embedded.stop(folder / ".nebo")


def try_out(program: Path, folder: Path) -> Iterator[Step]:
    """What must hold, one after the other."""
    folder.mkdir(mode=0o755)
    packages = program.parent.parent / "lib"
    before = list_files(packages)
    port = find_free_port()
    with started(program, folder, port) as process:
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
        ready = await_ready(client, process)
        yield "it doesn't start:\n" + (folder.parent / "log").read_text()[-3_000:], ready
        if not ready:
            return
        yield from look_at_pages(client)
        told = json.loads(
            run(str(program), "issue_key", "--tenant", "acme", "--create", "--json", cwd=folder)
        )
        yield "what was said isn't found", find_words(client, told["key"])
        doctor = subprocess.run(
            [str(program), "doctor"],
            cwd=folder,
            env=environment(PORT=str(port)),
            capture_output=True,
            check=False,
        )
        yield f"doctor finds something broken:\n{doctor.stdout.decode()}", doctor.returncode == 0
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_S)
    yield f"it ended with {process.returncode}", process.returncode == 0
    yield "its database runs on", not embedded.is_running(folder / ".nebo")
    yield (
        f"it wrote beside its data: {list_files(folder)}",
        [one.name for one in folder.iterdir()] == [".nebo"],
    )
    made = list_files(packages) - before
    yield f"it wrote into its code: {sorted(made)[:5]}", not made


def list_files(folder: Path) -> set[str]:
    """All files, but for what Python compiles."""
    return {
        str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file() and one.suffix != ".pyc"
    }


def await_ready(client: httpx.Client, process: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        try:
            if client.get("/readyz").is_success:
                return True
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    return False


def look_at_pages(client: httpx.Client) -> Iterator[Step]:
    """The login, and the files that it names."""
    page = client.get("/accounts/login/")
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    yield f"the login answers {page.status_code}", page.status_code == 200
    yield "the login names no style and no script", len(files) > 1
    for file in files:
        yield f"{file} isn't there", client.get(file.partition("#")[0]).status_code == 200


def find_words(client: httpx.Client, key: str) -> bool:
    """Whether a turn is kept, learned from, and found."""
    api = {"Authorization": f"Bearer {key}"}
    session = client.post("/api/v1/sessions/", json={"user": "maya", "key": "chat"}, headers=api).json()["id"]
    turn = {"messages": [{"role": "user", "content": WORDS}]}
    client.post(f"/api/v1/sessions/{session}/turns/", json=turn, headers=api).raise_for_status()
    until = time.monotonic() + FOUND_S
    while time.monotonic() < until:
        asked = {"query": "Where are the bees?"}
        found = client.post("/api/v1/users/maya/search/", json=asked, headers=api).raise_for_status().json()
        if "observatory" in json.dumps(found["results"]):
            return True
        time.sleep(0.5)
    return False


if __name__ == "__main__":
    sys.exit(main())
