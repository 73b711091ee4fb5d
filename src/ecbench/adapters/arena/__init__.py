"""The seats of an arena that external agents play: over HTTP and MCP, on one address, with a token each."""
