"""Does Nebo keep its promises? Each is a row, checked on a running Nebo over HTTP (docs/rows.md).

`row.py` says what a row is, `place.py` which servers are asked, `person.py` talks to one as a person would, and
`browser.py` logs in. `benchmarks/scripted.py` is a chat model that answers by script. The other files hold the rows,
by subject; `__main__.py` runs them.
"""
