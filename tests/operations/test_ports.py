import os
import socket
from collections.abc import Iterator

import pytest

from nebo.product.operations.bootstrap import advice
from nebo.product.operations.ports import PortOwner, PortTaken, check_port, find_next_port, find_owner


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that this very process listens on; it and the next are none that systems give away by themselves."""
    with socket.create_server(("127.0.0.1", find_next_port("127.0.0.1", 20_000) or 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port_is_named_with_its_process(taken: int) -> None:
    with pytest.raises(PortTaken, match=f"Port {taken} is taken by pid {os.getpid()}: .*python"):
        check_port("127.0.0.1", taken)


def test_a_free_port_is_no_trouble(taken: int) -> None:
    free = find_next_port("127.0.0.1", taken)

    assert free is not None
    assert free > taken
    check_port("127.0.0.1", free)
    assert find_owner(free) is None


def test_an_address_of_another_machine_is_an_error_of_its_own() -> None:
    with pytest.raises(OSError, match="assign requested address"):
        check_port("192.0.2.1", 8000)


def test_the_advice_names_another_port_and_how_to_stop_the_owner(taken: int) -> None:
    text = advice(PortTaken(taken, PortOwner(4242, "python -m http.server")), "127.0.0.1")

    assert f"PORT={find_next_port('127.0.0.1', taken)} make run" in text
    assert "Or stop it:  kill 4242" in text


def test_a_process_that_cannot_be_seen_is_not_named(taken: int) -> None:
    hidden = PortTaken(taken, None)

    assert str(hidden) == f"Port {taken} is taken by a process of another user."
    assert "kill" not in advice(hidden, "127.0.0.1")
