"""The plane on loopback: its views as JSON, the event log as a stream, and figures for a monitor.

Nothing here changes the team, and nothing is answered to whoever comes from another host or site.
"""
