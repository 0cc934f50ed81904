"""Prompts are text files with `$names`; what they produce is stored with the template's hash."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from nebo.llm.errors import PromptError

PromptFile = str | Path


@cache
def read_prompt(prompt: PromptFile) -> str:
    """The template's text; `prompt` is a path, or `package:file` as in `memories:prompts/extract.txt`."""
    return _located(prompt).read_text(encoding="utf-8")


def render_prompt(prompt: PromptFile, /, **values: object) -> str:
    """The template with each `$name` replaced (`$$` is a dollar sign); values are never expanded themselves.

    Raises PromptError for a name without a value, a value without a name, and a stray `$`.
    """
    template = Template(read_prompt(prompt))
    if not template.is_valid():
        raise PromptError(f"{prompt} has a “$” that begins no name; write “$$”.")
    wanted = set(template.get_identifiers())
    for problem, names in (("needs", wanted - values.keys()), ("has no place for", values.keys() - wanted)):
        if names:
            raise PromptError(f"{prompt} {problem} ${', $'.join(sorted(names))}.")
    return template.substitute(values)


def prompt_hash(text: str) -> str:
    """16 hex digits that name this wording of a template."""
    return sha256(text.encode()).hexdigest()[:16]


def _located(prompt: PromptFile) -> Path | Traversable:
    if not isinstance(prompt, str):
        return prompt
    package, colon, name = prompt.partition(":")
    return files(package).joinpath(name) if colon else Path(prompt)
