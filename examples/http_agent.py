"""An agent over HTTP, without any package. Start `ecbench http`, put its token into ECBENCH_TOKEN, then

    python examples/http_agent.py http://127.0.0.1:8765

`decide` is the agent: ask a model there. This one looks at its balance once a day and sleeps.
"""

import json
import os
import sys
import urllib.request
import uuid
from typing import Any

Json = dict[str, Any]


def decide(messages: list[Json], tools: list[Json]) -> list[Json]:  # noqa: ARG001 - a model would read both
    """The next calls, from the conversation so far and the tools that there are."""
    return [{"name": "check_balance", "arguments": {}}, {"name": "wait_for_next_day", "arguments": {}}]


def play(base_url: str, token: str) -> Json:
    def ask(path: str, body: Json | None = None) -> Json:
        # A turn that is retried under its key, after a lost answer, runs once.
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid.uuid4().hex}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base_url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            result: Json = json.load(answer)
        return result

    session = ask("/v1/session")
    messages, done = session["messages"], False
    while not done:
        calls = decide(messages, session["tools"])
        result = ask("/v1/actions", {"tool_calls": calls})
        messages += [{"role": "assistant", "tool_calls": calls}]
        messages += [{"role": "tool", **response} for response in result["tool_responses"]]
        done = result["done"]
    return ask("/v1/result")


if __name__ == "__main__":
    if len(sys.argv) != 2 or "ECBENCH_TOKEN" not in os.environ:
        sys.exit("usage: ECBENCH_TOKEN=TOKEN python http_agent.py BASE_URL, both as `ecbench http` prints them")
    print(json.dumps(play(sys.argv[1], os.environ["ECBENCH_TOKEN"]), indent=2, ensure_ascii=False))
