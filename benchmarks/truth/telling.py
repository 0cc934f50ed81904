"""One case, told to a running Nebo as an agent would: known, earlier, said; then looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from time import monotonic, sleep
from urllib.parse import quote

from benchmarks.client import JSON, CallFailed, Client
from benchmarks.scripted import Script
from benchmarks.truth.cases import Case, Line, Todo
from benchmarks.truth.checks import Finding, Verdict, judge, missed, verdict_of
from benchmarks.truth.proposing import teach
from benchmarks.truth.stories import Story
from benchmarks.truth.view import View

HOUR = time(10, 0, tzinfo=UTC)  # of what is said on a day that a case names
LINE_GAP = timedelta(minutes=1)
ENDED = {"succeeded", "dead"}
JOBS_WAITED = 4  # times 30 s
FOLLOWING = ("verify", "roll", "spine", "directive")  # kinds of jobs that what was read brings about
WAITING = ("queued", "running")
FOLLOWED_S, POLL_S = 40.0, 0.5
RETRIES = 3  # of an extraction that failed


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
    """Tells cases over one connection; `strangers` have the lines of each persona's prompt for nobody known, `script`
    is that of the server's chat model.
    """

    def __init__(
        self,
        client: Client,
        run: str,
        strangers: Mapping[str, frozenset[str]],
        script: Script | None = None,
    ) -> None:
        self._client, self._run, self._strangers, self._script = client, run, strangers, script
        self._sessions: list[str] = []

    def tell(self, case: Case) -> Outcome:
        """A person of its own, so that cases don't know of each other."""
        user = f"{case.family}-{case.number}-{self._run}"
        self._sessions = []
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
        if self._script is not None:
            teach(self._script, case.earlier_model)
            teach(self._script, case.model)
        if case.earlier:
            self._talk(user, "earlier", case.persona, case.earlier, case.earlier_on or case.on)
        view = self._look(case, user)
        unready = [missed(f"before it was said: {finding.told}") for finding in judge(view, case.before)]
        if unready:
            return Outcome(case, unready, view.seen(closer=True))
        if case.said:
            self._talk(user, "now", case.persona, case.said, case.on)
            for job in case.then:
                self._wait_for(job)
            self._wait_for_the_rest()
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
        return View(self._client, user, slug, case.ask, self._strangers[slug], self._sessions)

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
        self._sessions.append(session)
        self._wait_for("extract")

    def _wait_for(self, kind: str) -> None:
        """The job of the session that is told, once it ended; one that failed is told to try again."""
        session = self._sessions[-1]
        for _ in range(JOBS_WAITED + RETRIES):
            job = self._client.call("POST", f"sessions/{session}/{kind}/?wait=30").body["job"]
            if job["state"] in ENDED:
                return
            if job["state"] == "failed":
                self._client.call("POST", f"jobs/{job['id']}/retry/")
        raise TimeoutError(f"The job {kind} is still {job['state']}: does the worker run?")

    def _wait_for_the_rest(self) -> None:
        """What was read may have brought about a second question, or a summary; where nothing answers by a script,
        nobody looks at those."""
        if self._script is None:
            return
        told, deadline = datetime.now(UTC).isoformat(), monotonic() + FOLLOWED_S
        while monotonic() < deadline and any(job["created_at"] <= told for job in self._list_waiting()):
            sleep(POLL_S)

    def _list_waiting(self) -> list[JSON]:
        jobs = [
            job
            for state in WAITING
            for job in self._client.call("GET", f"jobs/?state={state}&limit=100").body["results"]
        ]
        return [job for job in jobs if job["kind"] in FOLLOWING]


def _todo_body(todo: Todo) -> JSON:
    due = {"due_at": datetime.combine(todo.due, HOUR).isoformat()} if todo.due else {}
    return {"text": todo.text, **due}


def _message(line: Line, day: date | None, number: int) -> JSON:
    body: JSON = {"role": line.role, "content": line.content}
    if day:
        body["created_at"] = (datetime.combine(day, HOUR) + number * LINE_GAP).isoformat()
    return body
