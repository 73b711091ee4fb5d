"""What the year was worth, for Harbor: `reward` is ln(final assets / stake), the others are for reading."""

import json
import math
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

LEAST = 1.0  # yuan, below which a logarithm tells nothing more


def finished() -> dict[str, Any]:
    """The result of the year; asking ends it, and a year that is over is answered with the same."""
    request = urllib.request.Request(
        os.environ["ECBENCH_URL"] + "/v1/finish",
        data=b"{}",
        headers={"Authorization": f"Bearer {os.environ['ECBENCH_TOKEN']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as answer:
        result: dict[str, Any] = json.load(answer)
    return result


def main(logs: Path) -> None:
    meta = finished()["reward_meta"]
    final, stake = meta["final_assets"], meta["initial_balance"]
    reward = math.log(max(final, LEAST) / stake)
    scores = {"reward": reward, "multiple": final / stake, "final_assets": final, "tool_calls": meta["tool_calls"]}
    (logs / "reward.json").write_text(json.dumps(scores) + "\n", encoding="utf-8")
    (logs / "reward.txt").write_text(f"{reward}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
