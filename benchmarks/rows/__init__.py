"""Does each row of the specification hold? Asked of a running Nebo over HTTP, a line a row (docs/rows.md).

`row.py` is what a row is; `place.py` the servers they are asked of, `person.py` somebody who talks to one, `model.py` a
chat model that answers by script, `browser.py` a login. The other files hold the rows, by subject; `__main__.py` runs
them.
"""
