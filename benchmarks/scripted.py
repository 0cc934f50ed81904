"""A chat model on loopback that answers by script, over the API that OpenAI's has.

A careful one says only what stands in front of it: of the facts that it was told to know, those whose quote it is
shown. A lying one is the same with facts that their quotes don't say, and says so again when it is asked. `fails_at`
makes it answer 500 wherever it reads some words, `answers_at` whatever else.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from benchmarks.truth.words import read_words

JSON = dict[str, Any]
ARRAYS = ("preferences", "entities", "decisions", "styles", "artifacts", "todos")
CATEGORIES = dict(zip(ARRAYS, ("preference", "entity", "decision", "style", "artifact", "todo"), strict=True))
NUMBERED = re.compile(r"^\[(\d+)\] .*$", re.MULTILINE)
# What each prompt says and no other does.
TASKS: Mapping[str, str] = {
    '"preferences"': "extract",
    '"one_liner"': "session_summary",
    "OPEN_LOOPS": "spine",
    "running summary": "rolling",
    "folded into a summary": "summarize",
    "the one task": "active_task",
    "<observations>": "directive",
    "kept apart": "fold",
    "bear the statement out": "verify",
}
SHOWN = re.compile(r"^(?P<id>[mtw]\d+): (?P<text>.*)$", re.MULTILINE)  # something known, with its id
ITEM = re.compile(r"^\[(?P<number>\d+)\]\n(?P<text>.*?)(?=\n\n\[|\Z)", re.MULTILINE | re.DOTALL)
SPINE_SECTIONS = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")


@dataclass
class Script:
    """What the model knows. `learned` are entries of an extraction, each told where its quote stands in a message."""

    learned: list[JSON] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)  # (words, section of a spine)
    tasks: list[tuple[str, str]] = field(default_factory=list)  # (words, the task they are about)
    paragraphs: list[tuple[str, str]] = field(default_factory=list)  # (words of an observation, a paragraph)
    invented: list[tuple[str, str]] = field(default_factory=list)  # (words, a line that nothing supports)
    failing: list[str] = field(default_factory=list)
    raw: list[tuple[str, str]] = field(
        default_factory=list
    )  # (words, an answer to an extraction, given once)
    prompts: list[tuple[str, str]] = field(default_factory=list)  # (task, prompt) as they came

    def learns(
        self,
        quote: str,
        value: str,
        *,
        array: str = "preferences",
        changes: str = "",
        relation: str = "changes",
        at: str = "",
        lie: bool | Literal["sworn"] = False,
        **entry: Any,
    ) -> None:
        """An entry that is proposed once its quote is read, or other words (`at`); as what `relation` says to something
        known that has the words `changes`, if it is shown that. Asked again, it swears to a `sworn` lie.
        """
        known = {"old": changes, "old_relation": relation, "at": at or quote, "lie": lie}
        self.learned.append({"quote": quote, "value": value, "array": array, **known, **entry})

    def closes(self, quote: str, todo: str, **entry: Any) -> None:
        """A todo that is said to be settled; by its id where the prompt shows one beside its text."""
        self.learns(quote, todo, array="todos", changes=todo, text=todo, done=True, **entry)

    def keeps(self, *words: str, section: str = "PROFILE") -> None:
        """Words that every summary holds which is made of them."""
        self.kept += [(each, section) for each in words]

    def fails_at(self, words: str) -> None:
        """Answer 500 wherever these words are read."""
        self.failing.append(words)

    def answers_at(self, words: str, answer: str) -> None:
        """Answer so, once, where an extraction shows these words; several are given in their order."""
        self.raw.append((words, answer))

    def read(self, task: str, words: str) -> list[str]:
        """The prompts for a task in which these words stood."""
        return [prompt for one, prompt in list(self.prompts) if one == task and words in prompt]

    def answer(self, system: str, prompt: str) -> str | None:
        """What it says to a prompt; None where it fails."""
        task = next((task for words, task in TASKS.items() if words in prompt), "")
        self.prompts.append((task, f"{system}\n{prompt}"))
        if any(words in prompt for words in self.failing):
            return None
        if task == "extract" and (raw := next((one for one in self.raw if one[0] in prompt), None)):
            self.raw.remove(raw)
            return raw[1]
        return str(getattr(self, f"_{task}")(prompt)) if task else "no"

    def _extract(self, prompt: str) -> str:
        """The entries whose words stand in a numbered message, each in its array."""
        lines = {int(line[1]): line[0] for line in NUMBERED.finditer(prompt)}
        answer: dict[str, list[JSON]] = {name: [] for name in ARRAYS}
        for entry in list(self.learned):
            read = [
                n for words in (entry["quote"], entry["at"]) for n, line in lines.items() if words in line
            ]
            if read and any(entry["at"] in line for line in lines.values()):
                answer[entry["array"]].append(_entry(entry, read[0], prompt))
        return json.dumps(answer)

    def _summarize(self, prompt: str) -> str:
        lines = [words for words, _ in self.kept if words in prompt]
        lines += [line for words, line in self.invented if words in prompt]
        return "\n".join(f"{line.rstrip('.')}." for line in lines) or "Small talk."

    _rolling = _summarize

    def _session_summary(self, prompt: str) -> str:
        told = self._summarize(prompt)
        empty: JSON = {"open_loops": [], "commitments": [], "people": [], "tone": "calm"}
        return json.dumps({"one_liner": told, "what_mattered": [told], **empty})

    def _spine(self, prompt: str) -> str:
        sections = {
            name: [words for words, section in self.kept if section == name and words in prompt]
            for name in SPINE_SECTIONS
        }
        sections["PROFILE"] += [line for words, line in self.invented if words in prompt]
        return "\n".join(
            "\n".join([name, *(f"- {line}" for line in lines or ["nothing yet"])])
            for name, lines in sections.items()
        )

    def _active_task(self, prompt: str) -> str:
        """That of the words which stand last."""
        found = [(prompt.rfind(words), task) for words, task in self.tasks if words in prompt]
        return max(found)[1] if found else "none"

    def _directive(self, prompt: str) -> str:
        told = dict.fromkeys(paragraph for words, paragraph in self.paragraphs if words in prompt)
        return " ".join(told) or "You are friendly."

    def _fold(self, prompt: str) -> str:
        facts = prompt.rpartition("The facts:")[2]
        return "; ".join(line.strip(" -") for line in facts.splitlines() if line.strip())

    def _verify(self, prompt: str) -> str:
        """Whether words bear a statement out, for each numbered item: where it is one of its own, and no lie."""
        items = {item["number"]: item["text"] for item in ITEM.finditer(prompt)}
        borne = {n: self._swears(text) for n, text in items.items()}
        return json.dumps({n: "yes" if held else "no" for n, held in borne.items()})

    def _swears(self, text: str) -> bool:
        said = [entry for entry in self.learned if entry["value"] in text]
        return any(entry["lie"] == "sworn" or (entry["quote"] in text and not entry["lie"]) for entry in said)


OURS = ("array", "old", "old_relation", "at", "lie")


def _entry(entry: JSON, number: int, prompt: str) -> JSON:
    """As the prompt asks for it, with the id of what it changes or settles where the prompt shows one."""
    rest = {name: value for name, value in entry.items() if name not in OURS}
    found = {
        "key": "", "category": CATEGORIES[entry["array"]], "tags": [], "explicit": True, "type": "profile",
        "entity": None, "fact_type": "fact", "importance": 1, "message": number, **rest,
    }  # fmt: skip
    known = _find_known(entry["old"], prompt)
    named = {"known": known} if known else {}
    if entry["array"] != "todos":
        return {**found, **named, **({"relation": entry["old_relation"]} if known else {})}
    return {"kind": "commitment", "text": entry["value"], "due": None, "done": False, **found, **named}


def _find_known(words: str, prompt: str) -> str:
    """The id of the known thing that has these words; empty where none does."""
    wanted = read_words(words.rstrip(".")) if words else None
    shown = [line["id"] for line in SHOWN.finditer(prompt) if wanted and wanted.are_in(line["text"])]
    return shown[0] if shown else ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))))
        said = {message["role"]: str(message["content"]) for message in body["messages"]}
        answer = self.script.answer(said.get("system", ""), said["user"])
        told = {"error": {"message": "by script"}} if answer is None else _completion(answer)
        raw = json.dumps(told).encode()
        self.send_response(500 if answer is None else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def _completion(text: str) -> JSON:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}


@contextmanager
def scripted_model() -> Iterator[tuple[Script, str]]:
    """A script and the address that answers by it."""
    script = Script()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"script": script}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield script, f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
