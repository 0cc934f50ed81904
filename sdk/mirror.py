"""Make the synchronous modules from the asynchronous ones: the same code without `await`.

python sdk/mirror.py          # write them
python sdk/mirror.py --check  # exit with 1 if one isn't up to date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "nebo_client"
MADE = {
    "asynchronous.py": "synchronous.py",
    "pausing_async.py": "pausing.py",
    "remembering_async.py": "remembering.py",
}
WORDS = (
    (
        r"for programs with an event loop\.\n\n.*?\n\"\"\"",
        r'for ordinary programs; made by `python sdk/mirror.py`."""',
    ),
    (r"\bimport asyncio\n", "import time\n"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAbstractAsyncContextManager\b", "AbstractContextManager"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit|iter)__\b", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\bAsync(Iterator|Nebo|User|Session|Client|BaseTransport|Memory|Recorded|Pausable)\b(?! with)", r"\1"),
    (r"\bnebo_client\.asynchronous\b", "nebo_client.synchronous"),
    (r"\bnebo_client\.pausing_async\b", "nebo_client.pausing"),
    (r"\bnebo_client\.remembering_async\b", "nebo_client.remembering"),
    (r"\bASYNCHRONOUS = True\b", "ASYNCHRONOUS = False"),
)


def mirror(source: str) -> str:
    """The synchronous module's text."""
    for pattern, put in WORDS:
        source = re.sub(pattern, put, source, flags=re.DOTALL)
    return source


def main() -> int:
    """Write or check."""
    for source, target in MADE.items():
        made = mirror((PACKAGE / source).read_text(encoding="utf-8"))
        if "--check" in sys.argv and (PACKAGE / target).read_text(encoding="utf-8") != made:
            return 1
        if "--check" not in sys.argv:
            (PACKAGE / target).write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
