"""The export of a real month, with several windows, is read by the code of each format."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="the formats have an environment of their own: make integrations")
pytest.importorskip("ecbench_training_formats", reason="its environment is its own: make integrations")

from datasets import load_dataset
from ecbench_training_formats import is_new, trajectories, trl_samples, verifiers_episodes
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast
from trl.data_utils import apply_chat_template, is_conversational
from verifiers.v1.episode import WireEpisode

TEMPLATE = (
    "{% for tool in tools or [] %}[tool {{ tool.function.name }}]{% endfor %}"
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}"
    "{% for c in m.tool_calls or [] %}{{ c.function.name }}({{ c.function.arguments | tojson }}){% endfor %}</>"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)


def ecbench(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ecbench", *arguments], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the export of a haggler's month, and its run."""
    folder = tmp_path_factory.mktemp("exports")
    ecbench("run", "--agent", "haggler", "--days", "30", "--out", str(folder / "run"))
    ecbench("export", str(folder / "run"), "--format", "atif", "--credit", "--out", str(folder / "atif"))
    return folder


@pytest.fixture(scope="module")
def turns(exports: Path) -> int:
    report = json.loads((exports / "run/episodes/0/metrics.json").read_text())["seats"][0]
    return int(report["run"]["turns"])


def test_harbor_accepts_every_trajectory(exports: Path, turns: int) -> None:
    found = trajectories(exports / "atif")
    assert len(found) > 1
    assert sum(is_new(step) for each in found for step in each["steps"]) == turns


def test_verifiers_trains_on_each_turn_once(exports: Path, turns: int) -> None:
    """A node that two branches share would count twice."""
    episodes = [WireEpisode.model_validate_json(json.dumps(each)) for each in verifiers_episodes(exports / "atif")]
    branches = [branch for each in episodes for trace in each.traces for branch in trace.branches]
    assert len(branches) == len(list((exports / "atif").iterdir()))
    assert sum(node.sampled for branch in branches for node in branch.nodes) == turns


def test_trl_renders_prompts_and_completions_with_the_arguments_as_they_were(
    exports: Path, turns: int, tmp_path: Path
) -> None:
    """The JSON loader of data sets keeps the arguments of each call; a table of columns would fill in those of all."""
    lines = tmp_path / "trl.jsonl"
    lines.write_text("".join(f"{json.dumps(sample)}\n" for sample in trl_samples(exports / "atif")))
    rows = load_dataset("json", data_files=str(lines), split="train", cache_dir=str(tmp_path / "cache"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"?": 0}, unk_token="?")))
    tokenizer.chat_template = TEMPLATE
    answers = 0
    for row in rows:
        assert is_conversational(row)
        tools = json.loads(row["tools"])
        example = {"prompt": row["prompt"], "completion": row["completion"]}
        rendered = apply_chat_template(example, tokenizer, tools=tools)
        assert rendered["prompt"].startswith("[tool market_search]")
        assert "null" not in rendered["completion"].partition("</>")[0], "no argument of another tool is filled in"
        answers += sum(message["role"] == "assistant" for message in row["completion"])
    assert answers == turns
