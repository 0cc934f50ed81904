"""What changed between two wordings, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "gone", "new"]
MOST = 400  # words of a wording that are compared; longer ones are shown one after the other
_WORD = re.compile(r"[^\W_]")
# A word, a character of a script that parts no words, a mark, or space.
_TOKENS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:['’-][^\W_]+)*|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch that stayed, went, or came."""

    kind: Kind
    text: str


def compare_words(before: str, after: str) -> list[Part]:
    """The newer wording with what it lost in its place; nothing of either is left out."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    if max(len(old), len(new)) > MOST:
        return _parts(before, after)
    parts: list[Part] = []
    for how, i, j, k, m in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if how == "equal":
            parts.append(Part("same", "".join(new[k:m])))
        else:
            parts += _parts("".join(old[i:j]), "".join(new[k:m]))
    if not any(part.kind == "same" and _WORD.search(part.text) for part in parts):
        return _parts(before, after)  # spaces alone stayed: nobody could read the two woven together
    return parts


def _parts(gone: str, new: str) -> list[Part]:
    found = (Part("gone", gone), Part("new", new))
    return [part for part in found if part.text]
