"""Drumline keeps teams of coding agents in step.

Nothing is imported here: every hook and every command pays for this file.
"""
