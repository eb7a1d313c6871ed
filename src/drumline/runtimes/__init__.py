"""Where agents live: the CLIs we can start, stop and speak to.

Nothing here decides what an agent should do.
"""
