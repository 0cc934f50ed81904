"""What Python runs first in each process that a test starts: `tests/settings.py` puts this folder on its path.

Such a process takes two seconds until it has imported the product. A third of that is compiling a thousand regular
expressions, which are kept here from run to run, under the pattern, its flags and Python's version. Packages that only
developers have, and that others import where they find them, are hidden from the product: as where it is installed.
"""

import atexit
import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from re import _compiler, _parser  # type: ignore[attr-defined]

FILE = Path(__file__).parents[2] / ".pytest_cache" / f"patterns-{sys.hexversion:x}.marshal"
WORTH_WRITING = 100  # new ones
OF_DEVELOPERS = ("trio", "rich")  # what httpcore and structlog import

kept, new = {}, {}
plainly = _compiler.compile


def compile(pattern, flags=0):
    """As `re` does it, but for what is kept."""
    if not isinstance(pattern, (str, bytes)):
        return plainly(pattern, flags)
    key = (pattern, int(flags))
    parts = kept.get(key) or new.get(key)
    if parts is None:
        parts = new[key] = compute(pattern, int(flags))
    return _compiler._sre.compile(pattern, *parts)


def compute(pattern, flags):
    """What CPython's own compiler makes of it: flags, code, and the groups by name and number."""
    parsed = _parser.parse(pattern, flags)
    by_name = dict(parsed.state.groupdict)
    by_number = [None] * parsed.state.groups
    for name, number in by_name.items():
        by_number[number] = name
    code = [int(one) for one in _compiler._code(parsed, flags)]
    return int(flags | parsed.state.flags), code, parsed.state.groups - 1, by_name, tuple(by_number)


def write(process):
    """All at once, in place of what was there; not by a fork of the process."""
    if os.getpid() == process and len(new) >= WORTH_WRITING:
        scratch = FILE.with_name(f"{FILE.name}.{process}")
        with suppress(OSError):
            FILE.parent.mkdir(exist_ok=True)
            scratch.write_bytes(marshal.dumps({**kept, **new}))
            scratch.replace(FILE)


def runs_product():
    started = " ".join(sys.orig_argv[1:3])
    return "manage.py" in started or started.startswith("-m nebo.")


with suppress(OSError, EOFError, ValueError, TypeError):
    kept = marshal.loads(FILE.read_bytes())
_compiler.compile = compile
atexit.register(write, os.getpid())
if runs_product():
    sys.modules.update(dict.fromkeys(OF_DEVELOPERS))
