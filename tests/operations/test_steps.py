import io

import pytest

from nebo.product.operations.steps import Steps


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_step_is_ticked_with_its_time() -> None:
    shown = io.StringIO()

    with Steps(shown).step("Database") as step:
        step.done = "Database, up to date"

    assert shown.getvalue().startswith("  ✓ Database, up to date  ")
    assert shown.getvalue().endswith("0.0 s\n")


def test_a_step_that_fails_is_crossed_out() -> None:
    shown = io.StringIO()

    with pytest.raises(RuntimeError), Steps(shown).step("Database"):
        raise RuntimeError

    assert shown.getvalue() == "  ✗ Database\n"


def test_a_terminal_shows_what_is_being_done_with_a_bar() -> None:
    shown = Terminal()

    with Steps(shown).step("Learning") as step:
        assert shown.getvalue() == "\r\033[K  · Learning …"
        with step.bar(2, "sessions") as bar:
            bar.update()

    assert "1/2" in shown.getvalue() or "0/2" in shown.getvalue()
    assert "\r\033[K  ✓ Learning" in shown.getvalue()
