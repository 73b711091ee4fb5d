"""How a request is refused."""


class RequestRefused(Exception):
    """A request that cannot be met, with the reason in one line."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
