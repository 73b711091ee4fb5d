"""The account of what an episode lost, by day, cause and subject. Every other list of losses is a view of it."""
