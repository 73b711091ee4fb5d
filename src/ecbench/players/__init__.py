"""Players: everything that can hold a seat at a table."""
