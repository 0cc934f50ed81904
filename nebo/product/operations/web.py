"""`python -m nebo.product.operations.web …`: gunicorn, with what follows as its arguments, begun ahead of time.

It loads code and models at once, and serves when a byte comes over its standard input. What depends on files that may
yet be made, as the static ones, comes after that.
"""

from __future__ import annotations

import gc
import sys
from runpy import run_module

from nebo.product.operations.preload import load_code, load_models


def main() -> None:
    """Ends at once when the input is closed without a word: whoever began this is gone."""
    gc.disable()  # until gunicorn_settings has all frozen
    load_code()
    load_models()
    if sys.stdin.buffer.read(1):
        run_module("gunicorn", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
