"""The one way into and out of what is remembered: every change of a memory ends at `audited_writes`."""
