"""A model on loopback that plays a scenario to the real agent CLIs, without key, tokens or network.

Nothing here judges what an agent does; it answers as the scenario says and notes what came back.
"""
