"""Nebo behind the interfaces of other frameworks. Each module needs its framework, and is imported only by you."""
