"""The parts of Nebo run one by one, as containers and systemd run them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml
from django.core.management import get_commands

from tests.operations.test_start import Place, place  # noqa: F401  a fixture
from tests.operations.waiting import wait_until

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def run(place: Place, command: str) -> subprocess.Popen[bytes]:  # noqa: F811
    settings = {
        "PORT": str(place.port),
        "NEBO_DATA_DIR": str(place.folder / "data"),
        "DATABASE_URL": place.database_url,
        "NEBO_EMBEDDING_MODEL": "hashing/384",
        "NEBO_WORKER_PROCESSES": "1",
    }
    with (place.folder / f"{command}.log").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), command],
            env={**os.environ, **settings},
            stdout=output,
            stderr=output,
        )


def is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz").is_success
    except httpx.HTTPError:
        return False


@pytest.mark.worker
@pytest.mark.timeout(240)
def test_prepare_then_web_and_worker_make_a_whole_nebo(place: Place) -> None:  # noqa: F811
    address = f"http://127.0.0.1:{place.port}"

    assert run(place, "prepare").wait(120) == 0, (place.folder / "prepare.log").read_text()
    processes = [run(place, "web"), run(place, "worker")]
    try:
        wait_until(lambda: is_ready(address), seconds=90)
        login = httpx.get(f"{address}/accounts/login/")
        figures = httpx.get(f"{address}/metrics").text
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        codes = [process.wait(30) for process in processes]

    assert login.status_code == 200
    assert 'nebo_request_seconds_count{method="GET",route="accounts/login/",status="200"} 1.0' in figures
    assert codes == [0, 0]


def test_whatever_is_deployed_calls_commands_that_exist() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]
    called = {one["command"][0] for one in services.values() if "command" in one}
    for unit in DEPLOY.glob("*.service"):
        called |= set(re.findall(r"manage\.py (\S+)", unit.read_text()))
    called |= set(re.findall(r'^CMD \["(\w+)"', (DEPLOY / "Dockerfile").read_text(), re.MULTILINE))

    assert called == {"prepare", "web", "worker", "start"}
    assert called <= set(get_commands())
