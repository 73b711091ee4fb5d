"""The benchmark inside Inspect AI: a task, an agent and the tools."""
