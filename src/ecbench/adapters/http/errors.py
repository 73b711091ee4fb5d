"""Why a request is refused; the year has not changed then."""


class RequestRefusal(Exception):
    """Becomes the answer: its status, and `{"error": message}`."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def malformed(message: str) -> RequestRefusal:
    return RequestRefusal(400, message)
