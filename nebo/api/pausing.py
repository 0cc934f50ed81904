"""What an answer says of collection that is off."""

from __future__ import annotations

from typing import Annotated, TypedDict

from nebo.api.shapes import Moment, one_of
from nebo.api.times import as_utc
from nebo.tenants.models import Pause


class PausedFields(TypedDict):
    """Why nothing is collected, and until when; null until somebody resumes."""

    scope: Annotated[str, one_of(Pause.Scope)]
    until: Moment | None


def paused_json(pause: Pause | None) -> PausedFields | None:
    """As whoever brings words sees it, without the reason, which is for people."""
    return {"scope": pause.scope, "until": as_utc(pause.until)} if pause else None
