"""What the encoders compute is what these tests are about: here nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kept_vectors import computing


@pytest.fixture(autouse=True, scope="package")
def _nothing_is_kept() -> Iterator[None]:
    with computing():
        yield
