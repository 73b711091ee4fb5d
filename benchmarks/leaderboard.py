"""A season's leaderboard from honest and tampered submissions: exactly the tampered ones must be refused.

    python benchmarks/leaderboard.py [docs/site.md]    print the table, or put it into its block of the page

Twenty scripted agents play the practice season 2026-11-short. Ten of their folders are copied, tampered with in ten
different ways by the forger of the tests, who makes every checksum and every derived file fit again, and submitted too.
`ecbench site` then writes the leaderboard twice, with one worker and with two. Exits with 1 unless exactly the tampered
submissions are refused and both sites are equal byte by byte. It takes some minutes of processor time.
"""

import json
import shutil
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from doc_tables import markdown_table, publish

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the forger is that of the tests

from tests.cli.test_garbled import command
from tests.suite.forger import Forger
from tests.suite.forgeries import KINDS

SEASON = "2026-11-short"
HONEST, TAMPERED = 20, 10
AGENTS = '''"""Hagglers that differ by the prices they ask and the goods they carry."""

from ecbench.players.merchants.haggler import Haggler

DAYS = 180

{classes}
'''
AGENT = """
class Agent{number:02d}(Haggler):
    def __init__(self):
        super().__init__(DAYS, price={price}, goods={goods})
"""


def write_agents(place: Path) -> list[str]:
    """The names of the agents in a new file of them."""
    habits = [(1.0 + 0.05 * (number % 5), 1 + number // 5) for number in range(HONEST)]
    classes = [
        AGENT.format(number=number, price=round(price, 2), goods=goods) for number, (price, goods) in enumerate(habits)
    ]
    place.write_text(AGENTS.format(classes="\n".join(classes)))
    return [f"{place}:Agent{number:02d}" for number in range(HONEST)]


def submit(agents: list[str], submissions: Path) -> dict[str, str]:
    """Play the season with every agent, tamper with copies, and return how each of these was changed."""
    folders = []
    for agent in agents:
        folder = submissions / agent.rpartition(":")[2]
        code, _, err = command("suite", "play", SEASON, "--agent", agent, "--out", str(folder), "--jobs", "2", "--quiet")
        assert code == 0, err
        folders.append(folder)
    kinds = Random(SEASON).sample([kind for kind in KINDS if "program" in kind.of and not kind.asks_agents], TAMPERED)
    changed = {}
    for folder, kind in zip(folders, kinds):
        copy = Path(shutil.copytree(folder, submissions / f"tampered-{folder.name}"))
        kind.forge(Forger(copy, Random(f"{SEASON}/{kind.name}")))
        changed[copy.name] = kind.name
    return changed


def written(submissions: Path, site: Path, jobs: int) -> dict[str, bytes]:
    """The pages of a site by their names."""
    code, _, err = command("site", str(submissions), "--out", str(site), "--suite", SEASON, "--jobs", str(jobs))
    assert code == 0, err
    return {str(page.relative_to(site)): page.read_bytes() for page in sorted(site.rglob("*")) if page.is_file()}


def main(pages: list[str]) -> int:
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        submissions = place / "submissions"
        changed = submit(write_agents(place / "agents.py"), submissions)
        first, second = (written(submissions, place / f"site-{jobs}", jobs) for jobs in (1, 2))
    refused = {each["name"]: each["reason"] for each in json.loads(first["results.json"])["refused"]}
    rows = [[how, refused.get(name, "NOT REFUSED")] for name, how in changed.items()]
    right, equal = refused.keys() == changed.keys(), first == second
    summary = (
        f"{HONEST} honest and {TAMPERED} tampered submissions to {SEASON}: {len(refused)} refused, "
        f"{'exactly' if right else 'NOT'} the tampered ones. Two sites of {len(first)} files each, by one worker and by two, "
        f"are {'equal byte by byte' if equal else 'DIFFERENT'}."
    )
    publish("leaderboard", f"{summary}\n\n{markdown_table(['tampered with', 'refused because'], rows)}", pages)
    return 0 if right and equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
