"""axe-core over every page, light and dark, from a running Nebo with data in it.

    python -m tests.axe http://127.0.0.1:8000 demo@nebo.local PASSWORD axe.min.js

The file is that of the npm package axe-core; nothing is fetched. With an operator's login the admin site is looked at,
too. Ends with 1 where a page breaks a rule.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver

from tests.chromium import chromium, prefer, sign_in
from tests.screenshots import list_pages

RUN = """
axe.run(document).then(found => JSON.stringify({
  passes: found.passes.length,
  violations: found.violations.map(one => [one.id, one.nodes.map(node => node.target.join(' '))]),
}))
"""


def main(address: str, login: str, password: str, file: str) -> int:
    """Look at them all; the number of faults, at most 1."""
    script = Path(file).read_text(encoding="utf-8")
    looked = faults = 0
    with tempfile.TemporaryDirectory() as person, chromium(Path(person)) as driver:
        sign_in(driver, address, login, password)
        pages = [*list_pages(driver, address).values(), *list_admin_pages(driver, address)]
        for page in pages:
            for scheme in ("light", "dark"):
                prefer(driver, scheme)
                driver.get(page)
                looked += 1
                for rule, places in run(driver, script):
                    faults += 1
                    print(page, scheme, rule, *places, file=sys.stderr)
    print(f"{looked} pages looked at, {faults} faults")
    return min(faults, 1)


def run(driver: WebDriver, script: str) -> list[tuple[str, list[str]]]:
    """Rules that the open page breaks, and where. By the browser's own door, which the page's policy doesn't close."""
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
    asked = {"expression": RUN, "awaitPromise": True, "returnByValue": True}
    found: dict[str, Any] = json.loads(driver.execute_cdp_cmd("Runtime.evaluate", asked)["result"]["value"])
    assert found["passes"], "axe has looked at nothing"
    return list(found["violations"])


def list_admin_pages(driver: WebDriver, address: str) -> Iterator[str]:
    """Its index, lists, forms for something new, and of each list the first row; none without an operator's login."""
    driver.get(f"{address}/admin/")
    links = [
        link.get_attribute("href") or ""
        for link in driver.find_elements(By.CSS_SELECTOR, "#content-main a.addlink, #content-main th a")
    ]
    yield from [f"{address}/admin/", *links] if links else []
    for link in links:
        driver.get(link)
        if rows := driver.find_elements(By.CSS_SELECTOR, "#result_list tbody th a"):
            yield rows[0].get_attribute("href") or ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
