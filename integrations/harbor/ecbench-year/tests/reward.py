"""What the year was worth, for Harbor: `reward` is ln(final assets / stake), the others are for reading."""

import json
import math
import sys
from pathlib import Path

LEAST = 1.0  # yuan, below which a logarithm tells nothing more


def main(result: Path, logs: Path) -> None:
    meta = json.loads(result.read_text(encoding="utf-8"))["reward_meta"]
    final, stake = meta["final_assets"], meta["initial_balance"]
    reward = math.log(max(final, LEAST) / stake)
    scores = {"reward": reward, "multiple": final / stake, "final_assets": final, "tool_calls": meta["tool_calls"]}
    (logs / "reward.json").write_text(json.dumps(scores) + "\n", encoding="utf-8")
    (logs / "reward.txt").write_text(f"{reward}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
