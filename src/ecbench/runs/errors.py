"""What can be wrong with a run, told in one message for a person."""

from ecbench.bad_input import BadInput


class RunError(BadInput):
    """A run cannot be started, read or continued. Nothing recorded has been lost."""


class NoSuchYear(RunError):
    """A run has no episode of that number."""


class DamagedRecord(RunError):
    """A record is not as it was written; what is whole of it can be salvaged."""


class Divergence(RunError):
    """What happens now differs from what was recorded."""


class MerchantFailure(RunError):
    """A merchant's own code failed; the year stands as it was before that turn."""
