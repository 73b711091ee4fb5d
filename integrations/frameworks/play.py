"""Runs the agents of docs/connect.md, each with its framework's own Python, against a model on loopback.

usage: play.py                      print each framework and the packages that it needs
       play.py FRAMEWORK PYTHON     run its agent with the Python that has the framework
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from model_server import DAYS, WAIT, serving

from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode

PAGE = Path(__file__).parents[2] / "docs" / "connect.md"
BLOCK = re.compile(r"^```python\n# (.+?): pip install (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
AGENTS = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
HOST = "http://127.0.0.1:8765"  # in an agent over HTTP
LONGEST = 15  # lines of an agent
SECONDS = 300


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, str]]:
    """The address and the token of a year over HTTP."""
    command = [sys.executable, "-m", "ecbench", "http", "--port", "0", "--out", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as host:
        try:
            assert host.stdout is not None
            ready = json.loads(host.stdout.readline())
            yield ready["base_url"], ready["token"]
        finally:
            host.terminate()


def play(framework: str, python: str) -> None:
    """Raises AssertionError unless the agent has played the model's days."""
    code = next(code for name, _, code in AGENTS if name == framework)
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= LONGEST, f"the agent of {framework} has {len(lines)} lines"
    with TemporaryDirectory() as place, serving() as model:
        folder = Path(place)
        with hosted(folder / "runs" / "http") if HOST in code else nullcontext(("", "")) as (url, token):
            agent = folder / "play_a_year.py"
            agent.write_text(code.replace(HOST, url), encoding="utf-8")
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            keys = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "loopback", "ECBENCH_TOKEN": token}
            quiet = {"OPENAI_AGENTS_DISABLE_TRACING": "1"}  # which would report to OpenAI
            environment = {**os.environ, **keys, **quiet, "PATH": path}
            subprocess.run([python, str(agent)], cwd=folder, env=environment, timeout=SECONDS, check=True)
        [run] = (folder / "runs").iterdir()
        calls = [call["name"] for turn in read_episode(open_run(run), 0).turns for call in turn.calls]
    assert calls == [WAIT] * DAYS, f"{framework} played {calls}"
    print(f"{framework}: {len(lines)} lines, {len(calls)} calls recorded")


if __name__ == "__main__":
    if sys.argv[1:]:
        play(*sys.argv[1:])
    else:
        print(*(f"{name}\t{packages}" for name, packages, _ in AGENTS), sep="\n")
