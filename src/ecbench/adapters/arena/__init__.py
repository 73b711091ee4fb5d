"""The seats of an arena that are played from outside: over HTTP and MCP, on one address, with a token each."""
