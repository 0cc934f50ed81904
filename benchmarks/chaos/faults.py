"""What is done to a running Nebo: kill -9 to its processes, one kind after the other, found in /proc."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nebo import embedded

WEB = "nebo.product.operations.web"
WORKER = "manage.py worker"


@dataclass(frozen=True, slots=True)
class Family:
    """The processes of one Nebo: `root` is `manage.py start`, whose data are in `data_dir`."""

    root: int
    data_dir: Path

    def list_web(self) -> list[int]:
        """The web server's own process and those it forked."""
        return [pid for pid in list_descendants(self.root) if WEB in command_of(pid)]

    def list_worker(self) -> list[int]:
        """The supervisor and everything below it: guard, workers, pusher, monitor."""
        return [pid for pid in list_descendants(self.root) if WORKER in command_of(pid)]

    def list_learning(self) -> list[int]:
        """What does the work of jobs: the worker, and the connections of the database."""
        return [*self.list_worker(), *self.list_backends()]

    def find_postmaster(self) -> int:
        """The database server's process; 0 while it is away."""
        server = embedded.find_running(self.data_dir)
        return server.pid if server else 0

    def list_backends(self) -> list[int]:
        """Those that serve a connection of Nebo."""
        children = list_descendants(self.find_postmaster())
        return [pid for pid in children if " 127.0.0.1(" in command_of(pid)]


def kill_one(pids: list[int], chance: random.Random) -> bool:
    """kill -9 to one of them, by chance; False where there is none at the moment."""
    if not pids:
        return False
    with suppress(ProcessLookupError):
        os.kill(chance.choice(pids), signal.SIGKILL)
        return True
    return False


def kinds_of(family: Family) -> Mapping[str, Callable[[random.Random], bool]]:
    """Each kind of fault by its name; it says whether there was anything to harm."""
    return {
        "worker": lambda chance: kill_one(family.list_worker(), chance),
        "web": lambda chance: kill_one(family.list_web(), chance),
        "backend": lambda chance: kill_one(family.list_backends(), chance),
        "postmaster": lambda chance: kill_one([pid for pid in [family.find_postmaster()] if pid], chance),
    }


def plan_faults(counts: Mapping[str, int], chance: random.Random) -> list[str]:
    """The kinds in an order by chance, each as often as asked."""
    planned = [kind for kind, count in counts.items() for _ in range(count)]
    chance.shuffle(planned)
    return planned


def list_descendants(pid: int) -> list[int]:
    """Everything below a process, as /proc has it."""
    if not pid:
        return []
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent_of(entry)):
            children.setdefault(parent, []).append(int(entry.name))
    return list(_below(pid, children))


class Processor(NamedTuple):
    """Seconds that processes ran, and that they could have run while others did."""

    ran: float
    waited: float

    def since(self, before: Processor) -> Processor:
        """What came on top; nothing where processes with more have ended."""
        return Processor(max(0.0, self.ran - before.ran), max(0.0, self.waited - before.waited))


def processor_of(pids: Iterable[int]) -> Processor:
    """Of all of these together; nothing of one that is gone."""
    times = [_processor_of(pid) for pid in pids]
    return Processor(sum(one.ran for one in times), sum(one.waited for one in times))


def processor_s(*first: int) -> float:
    """Of these processes and all below them, those that have ended left out: threads keep their connections."""
    return processor_of(pid for one in first for pid in (one, *list_descendants(one))).ran


def _processor_of(pid: int) -> Processor:
    ran = waited = 0
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            told = (thread / "schedstat").read_text().split()
            ran, waited = ran + int(told[0]), waited + int(told[1])
    return Processor(ran / 1e9, waited / 1e9)


def command_of(pid: int) -> str:
    """A process's command line; empty for one that is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def _parent_of(entry: Path) -> int:
    with suppress(OSError):
        fields = (entry / "stat").read_text().rpartition(")")[2].split()
        return 0 if fields[0] == "Z" else int(fields[1])
    return 0


def _below(pid: int, children: Mapping[int, list[int]]) -> Iterator[int]:
    for child in children.get(pid, []):
        yield child
        yield from _below(child, children)
