"""A year starts quickly because it imports only what it needs; NumPy, above all, is not installed everywhere."""

import hashlib
import json
import subprocess
import sys

import pytest

from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.load import load_world

DAYS = 60
FOREIGN = {"msgspec", "orjson", "typing_extensions"}  # the first one imports the last, where it finds it
NOT_FOR_A_YEAR = {"asyncio", "csv", "hashlib", "logging", "subprocess", "tempfile", "tomllib"}
BEGIN = """
import json, sys
before = set(sys.modules)
import ecbench
episode = ecbench.Episode(ecbench.load_world("default"))
episode.act([{"name": "check_balance", "arguments": {}}, {"name": "wait_for_next_day", "arguments": {}}])
loaded = [name for name in sys.modules if name.partition(".")[0] not in before]
foreign = {name.partition(".")[0] for name in loaded
           if "site-packages" in str(getattr(sys.modules[name], "__file__", ""))}
print(json.dumps([sorted(loaded), sorted(name for name in foreign if not name.endswith("__mypyc"))]))
"""
WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from tests.test_cold_start import replies
print(replies({merchant!r}))
"""


def replies(merchant: str) -> str:
    """A digest of all that a merchant reads in its first weeks on the default world."""
    episode = Episode(load_world("default"), days=DAYS)
    play = begin_play(get_merchant(merchant, days=DAYS), episode)
    read, calls = hashlib.sha256(), next(play)
    while not episode.ending:
        answers = episode.act(calls)
        read.update("\n".join(answers).encode())
        try:
            calls = play.send([json.loads(answer) for answer in answers])
        except StopIteration:
            break
    return read.hexdigest()


def output(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_a_year_begins_without_what_it_does_not_need() -> None:
    loaded, foreign = json.loads(output(BEGIN))
    assert set(foreign) - {"ecbench"} <= FOREIGN
    assert not NOT_FOR_A_YEAR & set(loaded)
    assert not [name for name in loaded if name.startswith(("ecbench.metrics", "ecbench.world.validate"))]


@pytest.mark.parametrize("merchant", ["first-quote", "haggler"])
def test_the_same_year_is_played_where_numpy_is_not_installed(merchant: str) -> None:
    assert output(WITHOUT_NUMPY.format(merchant=merchant)) == replies(merchant)
