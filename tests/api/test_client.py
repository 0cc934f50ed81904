"""A client generated from the OpenAPI document compiles, and its modules can be imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documented import document

IMPORT_ALL = """
import importlib, pkgutil, client
for module in pkgutil.walk_packages(client.__path__, "client."):
    importlib.import_module(module.name)
from client.api.memories import get_users_memories
from client.models import Memory, MemoryPage
print(len(list(pkgutil.walk_packages(client.__path__, "client."))))
"""
CONFIG = """
post_hooks: []
content_type_overrides: {application/zip: application/octet-stream}
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_generated_client_compiles(tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(document()))
    (tmp_path / "config.yml").write_text(CONFIG)
    generate = ["-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none"]

    made = subprocess.run(
        [sys.executable, *generate, "--output-path", "client", "--config", "config.yml", "--fail-on-warning"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    used = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL], cwd=tmp_path, capture_output=True, text=True
    )

    assert made.returncode == 0, made.stdout + made.stderr
    assert used.returncode == 0, used.stderr
    assert int(used.stdout) > len(document()["paths"])
