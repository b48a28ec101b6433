"""The faces of a running server: HTTP and MCP. One service answers both; nothing here is imported by other verbs."""
