"""Pictures of every page, on a phone and a desk, light and dark, from a running Nebo with data in it.

    python -m tests.screenshots http://127.0.0.1:8000 demo@nebo.local PASSWORD OUTDIR [LANGUAGE]

Ends with 1 if a page is wider than the screen or the console says anything.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver

from tests.chromium import (
    DESK,
    HEIGHTS,
    PHONE,
    chromium,
    complaints,
    prefer,
    resize,
    sideways,
    sign_in,
    speak,
    wait_for,
)

TALLEST = 4_000  # pixels of a page that are shown
LINKS = {  # pages by the link that leads there: where it stands, and which one
    "memory": ("memories/", "a.memory-value"),
    "memory-edit": ("memories/", "a[href$='/edit/']"),
    "memory-quarantined": ("memories/?status=quarantined", "a.memory-value"),
    "memory-deleted": ("memories/?status=deleted", "a.memory-value"),
    "entity": ("people/", "a.entity-row"),
    "todo-edit": ("todos/", "a[href$='/edit/']"),
    "file": ("files/", "li a.row-link"),
    "session": ("sessions/", "a.session-row"),
    "job": ("jobs/", "a.job-name"),
    "job-dead": ("jobs/?state=dead", "a.job-name"),
}
LEADS_TO = """
return [...document.querySelectorAll('a[href]')]
    .filter(one => one.origin === location.origin && !one.matches('[download], [href*="logout"], [href*="/exports/"]'))
    .map(one => one.href)
"""
Shot = Callable[[str, str], None]


def main(address: str, login: str, password: str, folder: str, language: str = "en") -> int:
    """Take them all; the number of faults, at most 1."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as person, chromium(Path(person)) as driver:

        def shoot(name: str, page: str) -> None:
            faults.extend(take(driver, page, out, name))

        speak(driver, language)
        shoot("login", f"{address}/accounts/login/")
        sign_in(driver, address, login, password)
        for name, page in list_pages(driver, address).items():
            shoot(name, page)
    print(*faults, sep="\n", file=sys.stderr)
    return min(len(faults), 1)


def list_pages(driver: WebDriver, address: str) -> dict[str, str]:
    """Names and addresses; of rows the first, where there is one."""
    driver.get(f"{address}/")
    home = driver.current_url
    if "/t/" not in home:  # a login without a team
        return {"home": home}
    pages = {
        "home": home,
        "api": f"{address}/docs/api/",
        "api-memories": f"{address}/docs/api/memories/",
        "memories": f"{home}memories/",
        "memories-search": f"{home}memories/?q=what+do+they+like",
        "memories-none": f"{home}memories/?q=zzzz",
        "memories-review": f"{home}memories/?status=quarantined",
        "memories-add": f"{home}memories/add/",
        "memories-forget": f"{home}memories/forget/",
        "memories-team": f"{home}memories/team/",
        "timeline": f"{home}memories/timeline/",
        "timeline-day": f"{home}memories/timeline/?on={date.today().isoformat()}",
        "trash": f"{home}memories/trash/",
        "trash-empty": f"{home}memories/trash/empty/",
        "inbox": f"{home}inbox/",
        "people": f"{home}people/",
        "todos": f"{home}todos/",
        "todos-add": f"{home}todos/add/",
        "todos-all": f"{home}todos/?status=all",
        "sessions": f"{home}sessions/",
        "long-term": f"{home}sessions/long-term/",
        "context": f"{home}context/?q=what+do+they+like&find=tea",
        "context-search": f"{home}context/search/?q=what+do+they+like",
        "personality": f"{home}personality/",
        "manner": f"{home}personality/manner/",
        "personas": f"{home}personality/personas/",
        "persona": f"{home}personality/personas/default/",
        "persona-file": f"{home}personality/personas/default/files/SOUL/",
        "settings": f"{home}settings/",
        "members": f"{home}members/",
        "keys": f"{home}keys/",
        "webhooks": f"{home}webhooks/",
        "providers": f"{home}providers/",
        "usage": f"{home}usage/",
        "audit": f"{home}audit/",
        "everyone": f"{home}everyone/",
        "connect": f"{home}connect/",
        "data": f"{home}data/",
        "pauses": f"{home}data/pauses/",
        "pause": f"{home}data/pauses/everything/",
        "activity": f"{home}data/activity/",
        "import": f"{home}data/import/",
        "erase": f"{home}data/erase/",
        "files": f"{home}files/",
        "jobs": f"{home}jobs/",
        "missing": f"{address}/t/nowhere/",
        "password": f"{address}/accounts/password/change/",
        "two-factor": f"{address}/accounts/2fa/",
        "language": f"{address}/accounts/language/",
    }
    for name, (page, selector) in LINKS.items():
        driver.get(f"{home}{page}")
        if found := driver.find_elements(By.CSS_SELECTOR, selector):
            pages[name] = found[0].get_attribute("href") or ""
    return pages | list_linked(driver, home, pages)


def list_linked(driver: WebDriver, home: str, known: Mapping[str, str]) -> dict[str, str]:
    """Pages of other kinds that these lead to, and those in turn; one of each kind."""
    found: dict[str, str] = {}
    seen = {kind_of(page, home) for page in known.values()}
    waiting = list(known.values())
    while waiting:
        driver.get(waiting.pop())
        for link in driver.execute_script(LEADS_TO):
            kind = kind_of(link, home)
            if kind not in seen and (link.startswith(home) or "/accounts/" in link):
                seen.add(kind)
                found[re.sub(r"\W+", "-", kind.replace("*", "one")).strip("-")] = link
                waiting.append(link)
    return found


def kind_of(page: str, home: str) -> str:
    """An address without what only says which one is meant."""
    path = page.split("?")[0].split("#")[0].removeprefix(home)
    path = urlsplit(path).path.strip("/")
    return re.sub(r"(?<=/)[0-9a-f-]{36}(?=/)|(?<=personas/)[^/]+|(?<=files/)[A-Z]+(?=/)", "*", f"/{path}/")


def take(driver: WebDriver, page: str, out: Path, name: str) -> list[str]:
    """Four pictures of one page; what is wrong with it."""
    faults = []
    complaints(driver)
    for scheme in ("light", "dark"):
        prefer(driver, scheme)
        for width in (PHONE, DESK):
            resize(driver, width)
            driver.get(page)
            wait_for(lambda: driver.execute_script("return document.readyState") == "complete")
            if (too_wide := sideways(driver)) > 0:
                faults.append(f"{name} {width}: {too_wide} px too wide")
            height = int(driver.execute_script("return document.documentElement.scrollHeight"))
            resize(driver, width, min(max(height, HEIGHTS[width]), TALLEST))
            driver.save_screenshot(str(out / f"{name}-{width}-{scheme}.png"))
            faults += [
                f"{name} {width}: {line}" for line in complaints(driver) if not _is_expected(name, line)
            ]
    resize(driver, DESK)
    return faults


def _is_expected(name: str, line: str) -> bool:
    return name == "missing" and "404" in line


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:6]))
