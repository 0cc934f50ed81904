#!/usr/bin/env python
"""Nebo's command line."""

from nebo.__main__ import main

if __name__ == "__main__":
    main()
