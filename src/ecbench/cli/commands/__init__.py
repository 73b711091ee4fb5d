"""The commands, one module each: its options, and what it does. What is slow to import is imported where it is used."""
