#!/usr/bin/env python3
"""Gives an MCP client the market over standard input and output: posts each line to its address and prints the reply.

Agents configure a server without HTTP headers in more cases than one with them. Some start it without their variables,
hence the defaults; docker-compose.yaml has the same.
"""

import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ.get("ECBENCH_URL", "http://market:8766/mcp")
TOKEN = os.environ.get("ECBENCH_TOKEN", "a-token-for-one-container-network")
HEADERS = {
    "Authorization": f"Bearer {TOKEN}",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
TIMEOUT_SECONDS = 600


def reply_to(line: str) -> str:
    """The market's reply to one message, empty for a notification; an error of JSON-RPC where it cannot be reached."""
    try:
        request = urllib.request.Request(URL, data=line.encode(), headers=HEADERS)
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
            return str(answer.read().decode()).strip()
    except (urllib.error.URLError, TimeoutError) as error:
        asked = json.loads(line).get("id")
        failure = {"jsonrpc": "2.0", "id": asked, "error": {"code": -32000, "message": f"the market: {error}"}}
        return "" if asked is None else json.dumps(failure)


if __name__ == "__main__":
    for line in sys.stdin:
        reply = reply_to(line) if line.strip() else ""
        if reply:
            print(reply, flush=True)
