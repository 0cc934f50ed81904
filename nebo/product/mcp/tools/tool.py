"""What a tool is: its words, what it takes and gives, whom it is open to, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nebo.api.agent import Agent
from nebo.api.serializers import StrictSerializer
from nebo.product.mcp.api.json_schema import schema_given, schema_taken
from nebo.product.mcp.protocol import Json


@dataclass(frozen=True, slots=True)
class Done:
    """What a call came to: for the model to read, and the same as data."""

    text: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """`takes` checks the arguments, `gives` is the type of the data, `scope` what a key must have."""

    name: str
    title: str
    description: str
    takes: type[StrictSerializer]
    gives: Any
    scope: str
    act: Callable[[Agent, Json], Done]
    destroys: bool = False
    repeats: bool = False  # called twice with the same, it does no more than once

    def as_json(self) -> Json:
        """As `tools/list` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_taken(self.takes),
            "outputSchema": schema_given(self.gives),
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.scope == "read",
                "destructiveHint": self.destroys,
                "idempotentHint": self.scope == "read" or self.repeats,
                "openWorldHint": False,
            },
        }

    def call(self, agent: Agent, arguments: Json) -> Done:
        """Check the arguments, then act on them as they were sent. Raises Refused.

        A null is left out: many a model sends one for what it doesn't want to say.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        checked = agent.check(self.takes, given)
        defaults = {name: value for name, value in checked.items() if name not in given}
        return self.act(agent, {**defaults, **given})


def one_line(text: str, limit: int = 300) -> str:
    """Without line breaks, so that it can't pose as another line; shortened."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rstrip()}…"
