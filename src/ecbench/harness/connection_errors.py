"""Why a server could not be reached or did not finish its answer, and what to change."""

import re
import socket
from collections.abc import Iterator
from ssl import SSLCertVerificationError, SSLError

_CLOSED = re.compile(r"peer closed|disconnected|incomplete|connection reset|broken pipe", re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_CHECK = "check the network and the base URL"


def connection_problem(error: BaseException, where: str, message: str) -> str:
    """One line about a failed connection to `where`; `message` is the client's own, which often says little."""
    chain = list(error_chain(error))
    if any(isinstance(each, socket.gaierror) for each in chain):
        return f"no connection to {where} (no such host); {_CHECK}"
    if any(isinstance(each, ConnectionRefusedError) for each in chain):
        return f"no connection to {where} (refused: no server listens there); start the server, {_CHECK}"
    if any(isinstance(each, SSLCertVerificationError) for each in chain):
        return f"no connection to {where} (its TLS certificate is not trusted); trust it in SSL_CERT_FILE, {_CHECK}"
    if any(isinstance(each, SSLError) for each in chain):
        return f"no connection to {where} (it does not speak TLS); write the base URL with http://, {_CHECK}"
    if any(_CLOSED.search(str(each)) for each in chain):
        return f"{where} closed the connection before its answer was complete; see the server's log, {_CHECK}"
    return f"no connection to {where} ({message}); {_CHECK}"


def is_page(text: str) -> bool:
    """Whether a text is a web page, which some servers and proxies send in place of JSON."""
    return _PAGE.search(text) is not None


def error_chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those that it was raised from, the members of groups included."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        waiting += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
