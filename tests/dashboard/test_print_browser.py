"""A page on paper: what is known, dark on light, without what only a screen can do."""

from __future__ import annotations

import pytest

from tests.chromium import wait_for
from tests.conftest import Team
from tests.dashboard.conftest import KNOWN, Browser

pytestmark = pytest.mark.browser
LIGHTNESS = """
const canvas = document.createElement("canvas").getContext("2d");
canvas.fillStyle = getComputedStyle(document.querySelector(arguments[0])).color;
canvas.fillRect(0, 0, 1, 1);
return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
"""


def test_the_memories_are_printed_in_ink_alone(browser: Browser, known: Team) -> None:
    browser.driver.execute_script("document.documentElement.dataset.theme = 'dark'")
    wait_for(lambda: browser.driver.execute_script(LIGHTNESS, "h1") > 128)

    browser.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print"},
    )

    try:
        printed = browser.text("main")
        assert all(value in printed for value in KNOWN)
        for selector in ("nav[aria-label=Main]", ".shell-who", "main button", "main .icon-button", ".toasts"):
            assert not any(browser.texts(selector)), selector
        wait_for(lambda: browser.driver.execute_script(LIGHTNESS, "h1") < 128)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
