"""An app that comes with a later version: a table of tenants that a distributed database doesn't know yet."""
