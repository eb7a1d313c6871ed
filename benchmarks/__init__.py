"""Ratios measured side by side in one run: `python -m benchmarks [--quick] [--only NAME]`.

A module is either a contestant (what is measured), a subject (what is asked of it) or a tool of the
trade. Nothing here talks beyond unix sockets, and nothing outside a temporary folder is written.
"""
