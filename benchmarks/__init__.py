"""How good and how fast Nebo is, measured over HTTP as an agent would use it.

python -m benchmarks.locomo FILE    quality of search and context on LoCoMo, against a running server
python -m benchmarks                everything, on a server of its own; writes docs/benchmarks.md
"""
