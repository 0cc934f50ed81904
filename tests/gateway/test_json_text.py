"""Something is put into a JSON text, and the rest stays as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nebo.product.gateway.asked import Known
from nebo.product.gateway.dialects.anthropic_messages import AnthropicMessages
from nebo.product.gateway.dialects.dialect import Dialect
from nebo.product.gateway.dialects.openai_chat import OpenAIChat
from nebo.product.gateway.dialects.openai_responses import OpenAIResponses
from nebo.product.gateway.events import EventReader
from nebo.product.gateway.json_text import Edit, edited, list_items, list_members

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
DIALECTS = (OpenAIChat(), OpenAIResponses(), AnthropicMessages())


@given(st.dictionaries(st.text(), values), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_each_member_is_found_where_it_stands(
    value: dict[str, object], indent: int | str | None, ascii: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)

    members = list_members(f" {text}\n")

    assert {name: part.value for name, part in members.items()} == value
    assert {name: json.loads(f" {text}"[part.start : part.end]) for name, part in members.items()} == value


@given(st.lists(values), st.sampled_from([None, 2]))
def test_each_item_is_found_where_it_stands(value: list[object], indent: int | None) -> None:
    text = json.dumps(value, indent=indent)

    assert [json.loads(text[part.start : part.end]) for part in list_items(text, 0)] == value


def test_edits_are_made_from_the_front_to_the_back() -> None:
    assert edited("abcd", [Edit(3, 4, "D"), Edit(0, 0, ">"), Edit(0, 0, ">")]) == ">>abcD"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"a" 1}', '{"a": 1,}', '{"a": 1} {}', "{1: 2}", '{"a": }', "nothing"]
)
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        list_members(text)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.path)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "role": st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
                "content": st.text()
                | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": st.text()})),
            }
        ),
        max_size=5,
    ),
    st.dictionaries(st.sampled_from(["system", "instructions", "x", "cache_control"]), st.none() | st.text()),
    st.sampled_from([Known("stable"), Known("", "dynamic"), Known("stable", "dynamic")]),
)
def test_a_body_with_what_is_known_has_all_that_it_had(
    dialect: Dialect, items: list[dict[str, object]], others: dict[str, object], known: Known
) -> None:
    name = "input" if isinstance(dialect, OpenAIResponses) else "messages"
    body = {**others, name: items}
    asked = dialect.read(json.dumps(body))
    assert asked is not None

    made = json.loads(dialect.with_known(asked, known))

    assert known.stable in json.dumps(made)
    assert known.dynamic in json.dumps(made)
    ours = [one for one in made[name] if one not in items]
    if not isinstance(dialect, AnthropicMessages):
        assert [one for one in made[name] if one not in ours] == items
    assert {key: made[key] for key in others if key not in ("system", "instructions")} == {
        key: value for key, value in others.items() if key not in ("system", "instructions")
    }


@given(st.lists(st.text(alphabet="ab c:é"), max_size=6), st.integers(1, 7), st.sampled_from(["\n", "\r\n"]))
def test_events_are_read_however_they_are_cut(texts: list[str], size: int, end: str) -> None:
    stream = "".join(f"event: x{end}data: {text}{end}: note{end}{end}" for text in texts).encode()
    reader = EventReader()

    found = [
        data for place in range(0, len(stream), size) for data in reader.feed(stream[place : place + size])
    ]

    assert found == texts
