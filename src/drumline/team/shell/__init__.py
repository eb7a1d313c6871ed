"""What a shell command does, told from its words alone.

`syntax` is the shape of a command, `plain` and the grammar behind a port make it, `walk` follows it,
and one module per family of programs says what such a program does. Nothing here runs or opens
anything, and nothing imports `typing` or `dataclasses`: a hook pays for them on every tool call.
"""
