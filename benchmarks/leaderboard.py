"""A season's leaderboard from honest and tampered submissions: exactly the tampered ones must be refused.

    python benchmarks/leaderboard.py [docs/site.md]    print the table, or put it into its block of the page

Twenty variants of `examples/my_merchant.py` play the little season of the tests, eight small worlds of nine days.
Ten of their folders are copied, tampered with in ten different ways by the forger of the tests, who makes every
checksum and every derived file fit again, and submitted too. The site is then written twice, by one worker and by two.
Exits with 1 unless exactly the tampered submissions are refused and both sites are equal byte by byte.
"""

import shutil
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from doc_tables import markdown_table, publish

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the season and the forger are those of the tests

from tests.site.seasons import little_season, play
from tests.suite.forger import Forger
from tests.suite.forgeries import KINDS

from ecbench.site.build import build_site
from ecbench.suite.seasons import Season

HONEST, TAMPERED = 20, 10
AGENT = """

class Agent{number:02d}:
    def play(self, schemas):
        trade = MyMerchant().play(schemas)
        calls = next(trade)
        while True:
            for each in calls:
                if each["name"] == "open_store":
                    each["arguments"]["store_name"] = "Shop {number}"
            calls = trade.send((yield calls))
"""


def write_agents(place: Path) -> list[str]:
    """The names of the agents in a new file: the example's merchant, with another store name for each."""
    example = (ROOT / "examples" / "my_merchant.py").read_text(encoding="utf-8")
    place.write_text(example + "".join(AGENT.format(number=number) for number in range(HONEST)), encoding="utf-8")
    return [f"{place}:Agent{number:02d}" for number in range(HONEST)]


def submit(season: Season, agents: list[str], submissions: Path) -> dict[str, str]:
    """Play the season with every agent, tamper with copies, and return how each of these was changed."""
    submissions.mkdir()
    folders = [play(season, agent, submissions / agent.rpartition(":")[2]).folder for agent in agents]
    possible = [kind for kind in KINDS if "program" in kind.of and not kind.asks_agents]
    changed = {}
    for folder, kind in zip(folders, Random(season.name).sample(possible, TAMPERED)):
        # Apart from the submissions: a forger of links leaves what they lead to beside the folder.
        copy = Path(shutil.copytree(folder, submissions.parent / kind.name / f"tampered-{folder.name}"))
        kind.forge(Forger(copy, Random(f"{season.name}/{kind.name}")))
        shutil.copytree(copy, submissions / copy.name, symlinks=True)
        changed[copy.name] = kind.name
    return changed


def main(pages: list[str]) -> int:
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        season = little_season(place / "worlds")
        changed = submit(season, write_agents(place / "agents.py"), place / "submissions")
        sites = []
        for jobs in (1, 2):
            built = build_site(place / "submissions", place / f"{jobs}", season, jobs=jobs, progress=lambda *_: None)
            pages_written = sorted(path for path in (place / f"{jobs}").rglob("*") if path.is_file())
            sites.append({path.relative_to(place / f"{jobs}"): path.read_bytes() for path in pages_written})
    refused = {each.name: each.reason.replace(str(place), "") for each in built.refused}
    right, equal = refused.keys() == changed.keys(), sites[0] == sites[1]
    summary = (
        f"{HONEST} honest and {TAMPERED} tampered submissions: {len(refused)} refused, "
        f"{'exactly' if right else 'NOT'} the tampered ones. Two sites of {len(sites[0]):,} files each, written by one "
        f"worker and by two, are {'equal byte by byte' if equal else 'DIFFERENT'}."
    )
    rows = [[how, refused.get(name, "NOT REFUSED")] for name, how in changed.items()]
    rows += [[f"nothing: {name} is honest", reason] for name, reason in refused.items() if name not in changed]
    publish("leaderboard", f"{summary}\n\n{markdown_table(['tampered with', 'refused because'], rows)}", pages)
    return 0 if right and equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
