"""How long a process takes to its first year, step by step, as multiples of a plain start of the interpreter.

    python benchmarks/cold_start.py [NAME or FOLDER]

Every step is the least of several new processes, in processor time, so that the ratios hold from one machine to the
next; milliseconds are given for information. The year is a recording of `tests/recordings`, played by
a process that has not played before, and once more.
"""

import json
import subprocess
import sys
from pathlib import Path

ROUNDS = 7
RECORDING = Path(__file__).parents[1] / "tests" / "recordings" / "pet-year.json.gz"
PROCESS = """
from time import process_time
marks = [process_time()]
import ecbench
load, marks = ecbench.load_world, [*marks, process_time()]
world, marks = load({world!r}), [*marks, process_time()]
opened, marks = ecbench.Episode(world), [*marks, process_time()]
import gzip, json
year = json.loads(gzip.decompress(open({recording!r}, "rb").read()))
def replay():
    episode = ecbench.Episode(world, days=year["days"], stake=year["stake"])
    begun = process_time()
    for turn in year["turns"]:
        episode.act(turn["calls"])
    return process_time() - begun
steps = [marks[0], *[after - before for before, after in zip(marks, marks[1:])], replay(), min(replay(), replay())]
print(json.dumps(steps))
"""
STEPS = ("interpreter", "import of load_world", "world", "import and first Episode", "first replay", "later replay")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "default"
    program = PROCESS.format(world=name, recording=str(RECORDING))
    rounds = [
        json.loads(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    least = [min(step) for step in zip(*rounds, strict=True)]
    for step, seconds in zip(STEPS, least, strict=True):
        print(f"{step}: {seconds / least[0]:.1f} ({seconds * 1e3:.1f} ms)")
    print(f"to the first Episode: {sum(least[:4]) / least[0]:.1f} ({sum(least[:4]) * 1e3:.1f} ms)")


if __name__ == "__main__":
    main()
