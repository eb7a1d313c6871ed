"""What runs inside an agent's own process tree.

Standard library and `team` only: every tool call of every agent pays for what is imported here.
"""
