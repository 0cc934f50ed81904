"""The person's profile as text."""

from __future__ import annotations

from memories.api.people import PersonDetailView
from nebo.api.agent import Agent
from nebo.product.mcp.protocol import Json

LABELS = {
    "display_name": "Name", "location": "Lives in", "timezone": "Timezone", "occupation": "Occupation",
    "interests": "Interests", "goals": "Goals", "context": "Context", "communication_style": "Wants to be spoken to",
}  # fmt: skip


def profile_text(agent: Agent) -> str:
    """A line for each thing that is known; raises Refused for somebody else, or nobody."""
    person = agent.ask(PersonDetailView, "GET", user=agent.user)
    lines = [f"- {label}: {_as_line(person, name)}" for name, label in LABELS.items() if person[name]]
    return "\n".join(["## Profile", *lines]) if lines else ""


def _as_line(person: Json, name: str) -> str:
    value = person[name]
    return " ".join((", ".join(value) if isinstance(value, list) else str(value)).split())
