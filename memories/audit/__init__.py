"""The audit log: written with each change, sealed in a hash chain, checked by a command."""
