"""One database over several servers, by tenant: what `manage.py distribute` does, with the extension Citus."""
