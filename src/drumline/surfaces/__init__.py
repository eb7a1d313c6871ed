"""How people and agents reach us: parse, call one verb, render.

An `if` about tasks or mail in a surface belongs in `team`.
"""
