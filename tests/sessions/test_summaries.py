"""Summaries shrink in whole sentences and keep both ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions.services.compaction import choose_kept
from sessions.summaries import EARLIER_CHARS, compress_summary, cumulate
from sessions.tokens import cut_to_tokens, estimate_tokens


def test_a_short_summary_stays_as_it_is() -> None:
    assert compress_summary("Maya moved to Oslo.") == "Maya moved to Oslo."


def test_a_long_one_keeps_its_beginning_and_its_end() -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(100))

    short = compress_summary(text)

    assert len(short) <= EARLIER_CHARS
    assert short.startswith("Sentence number 0 is here.")
    assert short.endswith("Sentence number 99 is here.")


@given(st.text(max_size=3000))
def test_compression_never_exceeds_its_limit(text: str) -> None:
    assert len(compress_summary(text)) <= EARLIER_CHARS


def test_the_earlier_summary_is_prepended() -> None:
    assert cumulate("Earlier.", "Later.") == "Earlier.\n\nLater."
    assert cumulate("", "Later.") == "Later."


def test_kept_messages_go_from_ten_to_three_to_one() -> None:
    assert choose_kept([10] * 50, limit=100) == 10
    assert choose_kept([30] * 50, limit=100) == 3
    assert choose_kept([90] * 50, limit=100) == 1
    assert choose_kept([900] * 50, limit=100) == 1


@given(st.text(max_size=500), st.integers(min_value=1, max_value=80))
def test_a_cut_text_fits(text: str, tokens: int) -> None:
    assert estimate_tokens(cut_to_tokens(text, tokens).removesuffix("…")) <= tokens
