"""Does Nebo hear people right? Labelled cases, told over HTTP as an agent would tell them (docs/truth.md).

`cases/*.toml` say what is told and what must hold afterwards, a file a family; `cases.py` reads them, `words.py` the
words by which they compare, `telling.py` tells one to a running Nebo, `view.py` looks at what came of it, `checks.py`
judges that, `report.py` prints it.
"""
