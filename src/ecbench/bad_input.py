"""The error that a user's input causes, whatever layer finds it."""


class BadInput(Exception):
    """The input cannot be used. The message is for a person: what is wrong, and what would be right."""
