"""Whether a model can play: its server, its window, its tool calls, its speed, and what to change where it cannot."""
