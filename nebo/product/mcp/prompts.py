"""What a person may pick in a client: requests that make good use of the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from nebo.product.mcp.protocol import INVALID_PARAMS, Json, RpcError, needed_text


@dataclass(frozen=True, slots=True)
class Argument:
    """What a prompt asks for; `default` stands for one that isn't given, and without it it must be."""

    name: str
    description: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A message that the person would otherwise write."""

    name: str
    title: str
    description: str
    text: str
    arguments: tuple[Argument, ...] = ()

    def as_json(self) -> Json:
        """As `prompts/list` shows it."""
        arguments = [
            {"name": one.name, "description": one.description, "required": not one.default}
            for one in self.arguments
        ]
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": arguments,
        }

    def fill(self, given: Mapping[str, object]) -> str:
        """The message; raises RpcError for an argument that is missing or no text."""
        return Template(self.text).substitute({one.name: _value(one, given) for one in self.arguments})


def _value(argument: Argument, given: Mapping[str, object]) -> str:
    value = given.get(argument.name) or argument.default
    if not value or not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"params.arguments.{argument.name} must be a text.")
    return value


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "what_do_you_know",
            "What do you know about me?",
            "Lists what is remembered, and where it comes from.",
            "What do you remember about $topic? Use search_memories and list_memories, and read with fetch where each "
            "thing comes from. List it by subject, with dates. Say plainly where nothing is known; guess nothing.",
            (Argument("topic", "What about; everything where left out.", "me"),),
        ),
        Prompt(
            "remember_this",
            "Remember this conversation",
            "Keeps what will matter later.",
            "Go through our conversation so far. Keep with add_memory each lasting fact, preference, decision and plan "
            "of mine, one at a time, in a sentence that is understood without this conversation. Leave out secrets, "
            "passing moods and what you said yourself. Then list what you kept.",
        ),
        Prompt(
            "correct_a_memory",
            "Correct a memory",
            "Finds the memory that is wrong, and changes it.",
            "Something you remember is wrong: $what\nFind it with search_memories. If several memories could be meant, "
            "ask me which. Then call update_memory, or forget_memory where nothing of it is true.",
            (Argument("what", "What is wrong, and how it really is."),),
        ),
    )
}


def list_prompts() -> list[Json]:
    """All of them."""
    return [prompt.as_json() for prompt in PROMPTS.values()]


def get_prompt(params: Json) -> Json:
    """The result of `prompts/get`; raises RpcError."""
    name, given = needed_text(params, "name"), params.get("arguments") or {}
    if name not in PROMPTS or not isinstance(given, dict):
        raise RpcError(INVALID_PARAMS, f"Unknown prompt: {name[:80]}. There are {', '.join(PROMPTS)}.")
    prompt = PROMPTS[name]
    content = {"type": "text", "text": prompt.fill(given)}
    return {"description": prompt.description, "messages": [{"role": "user", "content": content}]}
