"""What a team is: nouns and the rules that hold without I/O.

Nothing here awaits, reads a clock, opens a file or logs. If it needs `now`, it takes `now`.
"""
