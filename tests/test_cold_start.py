"""A year starts quickly because it imports only what it needs."""

import json
import subprocess
import sys

FOREIGN = {"msgspec", "numpy", "orjson", "typing_extensions"}  # the first one imports the last, if it finds it
NOT_FOR_A_YEAR = {"asyncio", "rich", "sqlite3", "tempfile", "click"}
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


def test_a_year_begins_without_what_it_does_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", BEGIN], capture_output=True, text=True, check=True)
    loaded, foreign = json.loads(done.stdout)
    assert set(foreign) - {"ecbench"} <= FOREIGN
    assert not NOT_FOR_A_YEAR & set(loaded)
    assert not [name for name in loaded if name.startswith(("ecbench.metrics", "ecbench.world.generate"))]
