"""A Chromium without a window, as the browser tests and the screenshots drive it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

PROGRAMS = ("chromium", "chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
PHONE, DESK = 390, 1280  # pixels wide
HEIGHTS = {PHONE: 844, DESK: 800}  # pixels
WAIT_S = 15
# What Chromium answers, beside a stale element, when the page is exchanged while it looks something up.
EXCHANGED = (
    "Node with given id does not belong to the document",
    "No node with given id found",
    "Cannot find context with specified id",
    "aborted by navigation",
)
T = TypeVar("T")


def is_here() -> bool:
    """Whether there is a browser to drive on this machine."""
    return all(shutil.which(program) for program in PROGRAMS)


@contextmanager
def chromium(person: Path) -> Iterator[WebDriver]:
    """A browser with an empty profile of its own, at desk size; ended with everything it started."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS, f"--user-data-dir={person}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        resize(driver, DESK)
        yield driver
    finally:
        driver.quit()


def resize(driver: WebDriver, width: int, height: int = 0) -> None:
    """The size of the page itself, which a window can't be made as narrow as."""
    metrics = {
        "width": width,
        "height": height or HEIGHTS[width],
        "deviceScaleFactor": 1,
        "mobile": width == PHONE,
    }
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width == PHONE})


def prefer(driver: WebDriver, scheme: str) -> None:
    """As if the system were set to `light` or `dark`, and to no movement."""
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def speak(driver: WebDriver, language: str) -> None:
    """As if the browser were set to that language."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})


def sign_in(driver: WebDriver, address: str, login: str, password: str) -> None:
    """Through the form, as a person does."""
    driver.get(f"{address}/accounts/login/")
    driver.find_element(By.NAME, "login").send_keys(login)
    driver.find_element(By.NAME, "password").send_keys(password)
    driver.find_element(By.CSS_SELECTOR, "main button[type=submit]").click()
    wait_for(lambda: "/accounts/login/" not in driver.current_url)


def wait_for(condition: Callable[[], T]) -> T:
    """The first true answer; what was exchanged meanwhile is asked for again."""
    policy = WebDriverWait(None, WAIT_S, poll_frequency=0.05)  # type: ignore[type-var]
    return policy.until(lambda _: _unless_exchanged(condition))


def settled(ask: Callable[[], T]) -> T:
    """The first answer, true or not, that no exchange of the page has cut off."""
    return wait_for(lambda: (ask(),))[0]


def _unless_exchanged(condition: Callable[[], T]) -> T | None:
    try:
        return condition()
    except StaleElementReferenceException:
        return None
    except WebDriverException as error:
        if any(words in (error.msg or "") for words in EXCHANGED):
            return None
        raise


def complaints(driver: WebDriver) -> list[str]:
    """What stands in the console since it was asked last: broken policy, missing files, errors of scripts."""
    return [
        entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")
    ]


def sideways(driver: WebDriver) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(driver.execute_script("return document.documentElement.scrollWidth - innerWidth"))
