"""Issue a season: `python -m ecbench.suite 2027-02 2027-02-01` adds it to those that come with the package."""

import json
import sys
from datetime import date

from ecbench.errors import RunError
from ecbench.suite.seasons import ISSUED, new_season


def main(arguments: list[str]) -> int:
    try:
        name, issued = arguments
        record = new_season(name, date.fromisoformat(issued))
    except (ValueError, RunError) as problem:
        print(f"usage: python -m ecbench.suite NAME YYYY-MM-DD ({problem})", file=sys.stderr)
        return 2
    records = [*json.loads(ISSUED.read_text(encoding="utf-8")), record]
    ISSUED.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    print(f"issued season {name}: {', '.join(record['worlds'])}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
