"""The verbs as MCP tools, for every agent runtime."""
