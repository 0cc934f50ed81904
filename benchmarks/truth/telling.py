"""One case, told to a running Nebo as an agent would: known, earlier, said; then looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import quote

from benchmarks.client import JSON, CallFailed, Client
from benchmarks.truth.cases import Case, Line, Todo
from benchmarks.truth.checks import Finding, Verdict, judge, missed, verdict_of
from benchmarks.truth.stories import Story
from benchmarks.truth.view import View

HOUR = time(10, 0, tzinfo=UTC)  # of what is said on a day that a case names
LINE_GAP = timedelta(minutes=1)
ENDED = {"succeeded", "dead"}
EXTRACTIONS_WAITED = 4  # times 30 s


@dataclass(frozen=True, slots=True)
class Outcome:
    """What didn't hold, and what was seen."""

    case: Case
    findings: Sequence[Finding]
    seen: Mapping[str, Sequence[str]]

    @property
    def verdict(self) -> Verdict:
        """Right where everything holds."""
        return verdict_of(self.findings)


class Teller:
    """Tells cases over one connection; `strangers` have the lines of each persona's prompt for nobody known."""

    def __init__(self, client: Client, run: str, strangers: Mapping[str, frozenset[str]]) -> None:
        self._client, self._run, self._strangers = client, run, strangers

    def tell(self, case: Case) -> Outcome:
        """A person of its own, so that cases don't know of each other."""
        user = f"{case.family}-{case.number}-{self._run}"
        view = self._look(case, user)
        try:
            return self._tell(case, user)
        except (CallFailed, TimeoutError) as failed:
            return Outcome(case, [missed(f"the server refused: {failed}")], view.seen())

    def tell_story(self, story: Story) -> list[Outcome]:
        """All its talks, one after the other, then every check."""
        user = f"{story.name}-{self._run}"
        for number, talk in enumerate(story.talks):
            self._talk(user, f"talk-{number}", "", talk.lines, talk.on)
        return [self._judge(check, user) for check in story.checks]

    def _tell(self, case: Case, user: str) -> Outcome:
        self._write_down(case, user)
        if case.earlier:
            self._talk(user, "earlier", case.persona, case.earlier, case.earlier_on or case.on)
        view = self._look(case, user)
        unready = [missed(f"before it was said: {finding.told}") for finding in judge(view, case.before)]
        if unready:
            return Outcome(case, unready, view.seen(closer=True))
        if case.said:
            self._talk(user, "now", case.persona, case.said, case.on)
        return self._judge(case, user)

    def _judge(self, case: Case, user: str) -> Outcome:
        view = self._look(case, user)
        findings = judge(view, case.expect)
        seen = view.seen(closer=bool(findings))
        if case.elsewhere:
            persona = case.elsewhere.persona
            other = self._look(case, user, persona)
            findings += [
                Finding(finding.verdict, f"{persona}: {finding.told}")
                for finding in judge(other, case.elsewhere.expect)
            ]
            seen |= {f"{persona}: {name}": told for name, told in other.seen().items()}
        return Outcome(case, findings, seen)

    def _look(self, case: Case, user: str, persona: str | None = None) -> View:
        slug = case.persona if persona is None else persona
        return View(self._client, user, slug, case.ask, self._strangers[slug])

    def _write_down(self, case: Case, user: str) -> None:
        """Memories and todos that somebody wrote through the API."""
        person = f"users/{quote(user, safe='')}"
        for value in case.known:
            self._client.call("POST", f"{person}/memories/", {"value": value})
        for todo in case.todos:
            self._client.call("POST", f"{person}/todos/", _todo_body(todo))

    def _talk(self, user: str, key: str, persona: str, lines: Sequence[Line], day: date | None) -> None:
        """A session, a turn a line; returns when all of it was read."""
        body: JSON = {"user": user, "key": f"{user}-{key}", "auto_extract": True}
        if persona:
            body["persona"] = persona
        session = self._client.call("POST", "sessions/", body).body["id"]
        for number, line in enumerate(lines):
            self._client.post_turn(session, [_message(line, day, number)])
        self._wait_until_read(session)

    def _wait_until_read(self, session: str) -> None:
        for _ in range(EXTRACTIONS_WAITED):
            job = self._client.call("POST", f"sessions/{session}/extract/?wait=30").body["job"]
            if job["state"] in ENDED:
                return
        raise TimeoutError(f"The extraction is still {job['state']}: does the worker run?")


def _todo_body(todo: Todo) -> JSON:
    due = {"due_at": datetime.combine(todo.due, HOUR).isoformat()} if todo.due else {}
    return {"text": todo.text, **due}


def _message(line: Line, day: date | None, number: int) -> JSON:
    body: JSON = {"role": line.role, "content": line.content}
    if day:
        body["created_at"] = (datetime.combine(day, HOUR) + number * LINE_GAP).isoformat()
    return body
