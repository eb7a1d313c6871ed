"""The dashboard: server-rendered pages, live by server-sent events."""
