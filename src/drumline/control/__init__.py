"""What we do to a team: one verb per function, one subject per module, on ports.

A verb takes a transaction and does all of its work in it or none. Nothing here names a database,
a CLI or a file format.
"""
