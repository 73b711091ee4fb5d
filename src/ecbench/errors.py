"""Errors that a user can act on; each message is one line for a person."""


class BadInput(Exception):
    """A user's input cannot be used. The message is for a person: what is wrong, and what would be right."""


class RunError(BadInput):
    """A run cannot be started, read or continued. Nothing recorded has been lost."""


class NoSuchYear(RunError):
    """A run has no episode, or an episode no seat, of that number."""


class OtherVersion(RunError):
    """A run was recorded by a version that answers differently, so it cannot be replayed."""


class DamagedRecord(RunError):
    """A record is not as it was written; its whole turns can be recovered."""


class Divergence(RunError):
    """A replay differs from the record."""


class PlayerFailure(RunError):
    """A player could not give its next turn; the year stands as it was before that turn."""

    def describe(self) -> str:
        """The failure as the end of a year states it."""
        return str(self)


class MerchantFailure(PlayerFailure):
    """A merchant's own code failed."""
