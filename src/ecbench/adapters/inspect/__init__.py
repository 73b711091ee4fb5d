"""The benchmark inside Inspect AI: a task, an agent that plays by the paper's loop, and tools for any other solver."""
