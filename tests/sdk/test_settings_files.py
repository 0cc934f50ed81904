"""What other programs' settings look like with Nebo's entry and without it again: all else stands as it did."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nebo_client.agents import Entry
from nebo_client.json_text import parse, rewrite
from nebo_client.settings_files import UnreadableSettings, put_in, take_out

OURS = {"url": "https://nebo.example/mcp"}
IN_JSON = [Entry(Path("mcp.json"), ("mcpServers", "nebo"), OURS)]
IN_TOML = [Entry(Path("config.toml"), ("mcp_servers", "nebo"), OURS)]
OWN_HOOK = '{"hooks": [{"type": "command", "command": "make format"}]}'
OUR_HOOK = {"hooks": [{"type": "command", "command": "/bin/nebo hook", "timeout": 10}]}
HOOKS = [Entry(Path("settings.json"), ("hooks", "Stop"), OUR_HOOK, in_list=True)]

JSON = {
    "comments, and a comma at the end": (
        '// mine\n{\n  /* all */\n  "mcpServers": {\n    "other": {"command": "x"}, // not to be lost\n  },\n}\n',
        '// mine\n{\n  /* all */\n  "mcpServers": {\n    "other": {"command": "x"}, // not to be lost\n'
        '    "nebo": {\n      "url": "https://nebo.example/mcp"\n    },\n  },\n}\n',
    ),
    "a comment behind the last": (
        '{\n\t"mcpServers": {\n\t\t"other": {"url": "http://x//y"} // mine\n\t}\n}',
        '{\n\t"mcpServers": {\n\t\t"other": {"url": "http://x//y"}, // mine\n'
        '\t\t"nebo": {\n\t\t\t"url": "https://nebo.example/mcp"\n\t\t}\n\t}\n}',
    ),
    "Windows": (
        '\ufeff{\r\n    "mcpServers": {\r\n        "other": {"args": ["a", "b"]}\r\n    }\r\n}\r\n',
        '\ufeff{\r\n    "mcpServers": {\r\n        "other": {"args": ["a", "b"]},\r\n        "nebo": {\r\n'
        '            "url": "https://nebo.example/mcp"\r\n        }\r\n    }\r\n}\r\n',
    ),
    "one line": (
        '{"n":1.0e5,"u":"\\u00e9","mcpServers":{"other":{}}}',
        '{"n":1.0e5,"u":"\\u00e9","mcpServers":{"other":{}, "nebo": {"url": "https://nebo.example/mcp"}}}',
    ),
}
TOML = {
    "comments": '# mine\nmodel = "o9" # the best\n\n[mcp_servers.other]\nargs = [\n  "a",\n]\n# and that is all\n',
    "Windows": 'model = "o9"\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
    "dotted names": 'mcp_servers.other.command = "x"\nmodel = "o9"\n',
}


@pytest.mark.parametrize("name", JSON)
def test_an_entry_in_json_changes_no_other_letter(name: str) -> None:
    before, expected = JSON[name]

    after = put_in(before, IN_JSON)

    assert after == expected
    assert put_in(after, IN_JSON) == after
    assert take_out(after, IN_JSON) == before


@pytest.mark.parametrize("name", TOML)
def test_an_entry_in_toml_changes_no_other_letter(name: str) -> None:
    before = TOML[name]

    after = put_in(before, IN_TOML)

    assert after.startswith(before.rstrip())
    assert tomllib.loads(after)["mcp_servers"].pop("nebo") == OURS
    assert put_in(after, IN_TOML) == after
    assert take_out(after, IN_TOML) == before


def test_comments_behind_an_entry_in_toml_are_of_what_follows() -> None:
    before = (
        '[mcp_servers.nebo]\nurl = "old"\n\n[mcp_servers.nebo.env]\nA = "b"\n# my profile\n[profile]\nx = 1\n'
    )

    assert take_out(before, IN_TOML) == "# my profile\n[profile]\nx = 1\n"


@pytest.mark.parametrize(
    "text",
    ['mcp_servers = { other = { command = "x" } }\n', '[ mcp_servers . nebo ]\nurl = "x"\n', "model = \n"],
)
def test_toml_that_cannot_be_changed_safely_is_left_to_the_person(text: str) -> None:
    with pytest.raises(UnreadableSettings, match="by hand"):
        put_in(text, IN_TOML)


@pytest.mark.parametrize(
    "text", ["{", '{"mcpServers": {} "x": 1}', '{"a": 1, "a": 2}', "{} {}", "[1]", "null"]
)
def test_broken_json_is_left_to_the_person(text: str) -> None:
    with pytest.raises(UnreadableSettings):
        put_in(text, IN_JSON)


def test_a_hook_stands_behind_those_there_were_and_an_older_one_goes() -> None:
    older = OWN_HOOK.replace("make format", "/opt/nebo hook")
    before = f'{{\n  "hooks": {{\n    "Stop": [\n      {older},\n      {OWN_HOOK} // mine\n    ]\n  }}\n}}\n'

    after = put_in(before, HOOKS)

    assert parse(after)["hooks"]["Stop"] == [parse(OWN_HOOK), OUR_HOOK]
    assert f"      {OWN_HOOK}, // mine\n" in after
    assert take_out(after, HOOKS) == before.replace(f"      {older},\n", "")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab/*\n\"'{}", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)
texts = st.sampled_from(["", "// one\n", "/* two */", " ", "\n", "\r\n\t"])


@given(old=values, new=values, indent=st.sampled_from([None, 1, 4, "\t"]), before=texts, after=texts)
def test_whatever_stood_there_the_new_value_does(
    old: object, new: object, indent: int | str | None, before: str, after: str
) -> None:
    text = before + json.dumps(old, indent=indent) + "\n" + after

    assert parse(rewrite(text, new)) == new
    assert rewrite(text, old) == text
