"""The demo: a real team on a real store, its worker processes, and how it is shown.

Nothing here pretends: what is shown was read from the store or is a process's own answer.
"""
