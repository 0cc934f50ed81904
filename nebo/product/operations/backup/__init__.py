"""A backup is one file: a dump of the database, what it must hold, and the secret key.

`archive` is the file, `dumping` makes one while Nebo runs, `restoring` brings one back into an empty database, and
`verifying` compares what came back with what was dumped.
"""
