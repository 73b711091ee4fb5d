"""What cannot be run is refused in one line that says what would be right, and nothing is written."""

import errno
import os
import shlex
import shutil
import sys
from io import StringIO
from pathlib import Path

import pytest
from tests.cli.command import NAME, Cli, complete, files_in, refusal
from tests.conftest import write_little_world

FILES = {
    "typo.toml": "[modle]\n",
    "budget.toml": "budget.dollar = 20\n",
    "wrong.toml": 'days = "nine"\n',
    "broken.toml": "days = \n",
    "deep.toml": "set = " + "[" * 5_000,
    "turns.toml": "max_turns = 9\n",
    "commission.toml": "set = { commission = 0.5 }\n",
    "dated.toml": "model = { seed = 2026-01-01 }\n",
    "worlds.toml": "world = []\n",
    "fixed.toml": 'fixed = ["dayz"]\n',
    "untitled.toml": 'days = 3\nfixed = ["days", "days"]\n',
    "large.md": "x" * 2_000_000,
    "broken.py": "class Merchant(:",
    "failing.py": "1 / 0",
    "used/diary.txt": "mine",
}
CASES = """
serve => serve is now `ecbench board`
run --max-dollars 5 => --max-dollars is now `--budget dollars=N`
run --effort high => --effort is now `-M effort=VALUE`
run --supplier-effort low => --supplier-effort is now `--supplier-M effort=VALUE`
run nothing.toml => nothing.toml: there is no such run file
run papr => did you mean paper?
run steady => an agent is given with --agent steady
run typo.toml => typo.toml: there is no key 'modle'; did you mean model?
run budget.toml => budget.toml: budget: object contains unknown field dollar
run wrong.toml => wrong.toml: days: expected int
run broken.toml => broken.toml:
run deep.toml => deep.toml: brackets or keys are nested too deep
run gpt-5.5 --agent steady => -M effort: only a model takes this, and steady is a merchant
run paper --days 9 --set commission=0.1 => The paper's protocol fixes --days
run paper --world seed-1 => fixes --world
run paper --window 64000 => fixes model.window
run turns.toml paper => fixes --max_turns
run commission.toml paper => fixes --set
run /dev/zero => /dev/zero: it is a folder, a device or a pipe, not a file
run worlds.toml => world: the list is empty
run fixed.toml => fixed.toml: fixed: there is no key 'dayz'
run untitled.toml --days 4 => the run file fixes --days;
run --agent MODEL --budget dollars => write it as KEY=VALUE
run --agent MODEL -M temperature=NaN => -M temperature=nan: it holds a value that JSON does not have
run dated.toml --agent MODEL => -M seed=datetime.date(2026, 1, 1): it holds a value
run --agent MODEL -M 'window={"keeps": 1}' => or a table of window, trigger, release, keep, replies
run --agent MODEL -M 'window={"window": -5}' => window is a whole number from
run --rules conduct --policy /dev/zero => --policy /dev/zero: a policy has at most
run --agent MODEL -M price=cheap => -M price 'cheap' is not IN,OUT[,CACHED[,WRITE]]
run --agent MODEL -M price=nan,1 => price 'nan,1' is not IN,OUT[,CACHED[,WRITE]] in dollars per million tokens, each a
run --agent MODEL -M effort=hgih => -M effort 'hgih': there are none, minimal, low, medium, high, xhigh, max
run --agent MODEL -M 'brief= ' => -M brief: the job description is empty
run --agent MODEL -M organization => -M 'organization': write it as KEY=VALUE
run --agent MODEL -M base_url=localhost:8000 => -M base_url='localhost:8000': write it with its scheme
run --agent MODEL -M base_url=http://me:mine@127.0.0.1/v1 => would be written into the run folder; leave it out
run --agent MODEL -M 'extra_body=[1]' => -M extra_body: expected object | null, got array
run --agent MODEL -M 'base_url=http://[::1' => -M base_url='http://[::1': write it with
run --agent MODEL -M brief=@large.md => -M brief: large.md: it has 2,000,000 bytes, more than the 1,048,576
run --agent MODEL --window wide => --window 'wide' is not WINDOW or WINDOW,TRIGGER,RELEASE in tokens
run --agent MODEL --window 64000,65000,30000 => the trigger must lie within the window
run --agent MODEL --supplier-M price=1,2 => --supplier-M price: only a suppliers' model takes this
run --agent MODEL --supplier-model MODEL --supplier-M price=dear => --supplier-M price 'dear' is not IN,OUT
run --agent MODEL -M brief=@absent.md => -M brief: absent.md: No such file or directory
run --agent MODEL --supplier-model template => --supplier-model template: a model is named provider/model
run --agent MODEL --budget dollars=0 => --budget: dollars: expected float > 0.0
run --agent MODEL --budget dollars=nan => --budget: dollars: expected float
run --agent MODEL --budget tokens=0 => --budget: tokens: expected int >= 1
run --agent MODEL --budget dollars=5 => --budget dollars: no price is known for MODEL; give -M price=IN,OUT
run --agent MODEL --agent steady --budget hours=1 => --budget hours=1: only a model uses a budget, and none plays here
run --agent MODEL --budget yuan=5 => --budget: there is no key 'yuan'; there are dollars, tokens, hours
run --agent stedy => no merchant is called 'stedy'; did you mean steady?
run --agent nobody => no merchant is called 'nobody'; the merchants are idle, first-quote,
run --agent nowhere:Merchant => cannot import 'nowhere'
run --agent absent.py:Merchant => no Python file at
run --agent failing.py => failing.py names a file without a class; write failing.py:
run --agent json:JSONDecoder => a merchant needs a method play
run --agent broken.py:Merchant => cannot be run:
run --agent failing.py:Merchant => cannot be loaded: ZeroDivisionError: division by zero
run --world nowhere => no world at 'nowhere'
run --executor cloud => there is no executor 'cloud'
run --agent= => it is empty; leave it out
arena --seats steady,,idle => name an agent for each seat
arena --seats steady,nobody => nobody
arena --seats http:a => is served by ecbench http, mcp or board
doctor paper => paper is not a model; a model is named provider/model
doctor nosuch/model => nosuch
doctor MODEL => LOOPBACK_BASE_URL
world bound default --set escrow_days=2 => there is no upper bound: return_days reaches 7 and escrow_days is 2
world check nowhere => no world at 'nowhere': there is no such folder
world new --seed 7 --out used => used is not empty
world import release --out used => used is not empty
list rules comission => there is no rule 'comission'; did you mean commission?
run --set comission=1 => there is no rule 'comission'
run --set commission=2 => commission
list rules --rules papers => papers
"""
OF_RUNS = """
show RUN --by moon => --by takes one of store, category, sku
show RUN --by sku --day 3 => --by excludes --calls, --day,
show RUN --sql 'select 1' --by store => --sql excludes --by
show RUN --sql 'delete from sales' => the query fails: not authorized
show RUN --sql 'select store from nowhere' => no such table: nowhere; the tables and views are bid_costs,
show RUN --tool teleport => there is no tool 'teleport'; the tools are
show RUN --supplier Nobody => Nobody
show ARENA --seat 3 => has no seat 3; its seats are 0 to 2
review RUN --episode 3 => has no episode 3; its only episode is 0
review ARENA => is an arena; a review is of an episode that is alone in its market
review RUN --jobs 0 => 0 is not a whole number from 1 to
review EMPTY => not one turn is recorded, so there is nothing to review
export RUN --format xls --out new => is not one of 'csv', 'parquet', 'release'
export RUN --credit --out new => --credit and --force are for training data
export RUN RUN --format sqlite --out new => given twice
export RUN ARENA --out new => --format csv takes one run
run ARENA => was made by `ecbench arena`
resume RUN --window 8000 => --window is for models
compare RUN ARENA --axis turn => did you mean turns
report --tables RUN --only d9 => 'd9' is not one of 'leaderboard', 'd1'
report --tables RUN RUN => given twice
report RUN RUN --out x.html => is given twice
report RUN ARENA => --out
report RUN --out RUN => is a folder
report RUN --only d1 => --only is for --tables
fork RUN --agent idle --day 3 --seat 1 => only an arena has seats
fork ARENA --agent idle --day 3 => --seat is missing; its seats are 0 to 2
fork ARENA --agent idle --day 3 --seat 0 --episode 2 => has no episode 2; its episodes are 0 to 1
fork ARENA --agent idle --day 60 --seat 0 => can be forked at days 0 to 5
"""
DEEP = [
    ("extra_body=" + '{"a":' * 100_000, "-M extra_body: expected object | null, got str"),
    ("extra_body=" + '{"a":' * 300 + "1" + "}" * 300, "-M extra_body is nested more than"),
    (f"deep={'[' * 300}{']' * 300}", "-M deep is nested more than"),
]


@pytest.fixture
def _files() -> None:
    Path("used").mkdir()
    for name, content in FILES.items():
        Path(name).write_text(content, encoding="utf-8")


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(cli: Cli, case: str) -> None:
    command, _, message = case.replace("MODEL", NAME).partition(" => ")
    before = files_in("")
    told = refusal(cli, *shlex.split(command))
    assert message in told and told.count("\n") == 1
    assert files_in("") == before


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A run, one without a record, and an arena of two rounds, which no test changes."""
    place = tmp_path_factory.mktemp("runs")
    terms = ("--world", str(write_little_world(place)), "--days", "6", "--quiet", "--out")
    made = {name: str(place / name.lower()) for name in ("RUN", "EMPTY", "ARENA")}
    for played in (("run", "--agent", "idle"), ("arena", "--seats", "idle,idle,idle", "--rounds", "2")):
        complete(*played, *terms, made[played[0].upper()])
    shutil.copytree(made["RUN"], made["EMPTY"])
    shutil.rmtree(Path(made["EMPTY"], "episodes"))
    return made


@pytest.mark.parametrize("case", OF_RUNS.strip().splitlines())
def test_what_a_run_does_not_have_is_refused_and_nothing_is_written(cli: Cli, runs: dict[str, str], case: str) -> None:
    command, _, message = case.partition(" => ")
    before = {name: files_in(folder) for name, folder in runs.items()}
    told = refusal(cli, *(runs.get(word, word) for word in shlex.split(command)))
    assert message in " ".join(told.split())
    assert {name: files_in(folder) for name, folder in runs.items()} == before and not list(Path().iterdir())


@pytest.mark.parametrize(("argument", "message"), DEEP, ids=["cut short", "known", "unknown"])
def test_an_argument_that_is_nested_too_deep_is_refused(cli: Cli, argument: str, message: str) -> None:
    assert message in refusal(cli, "run", "--agent", NAME, "-M", argument)
    assert not list(Path().iterdir())


def test_an_arena_has_at_most_sixty_four_seats(cli: Cli) -> None:
    assert "65 seats" in refusal(cli, "arena", "--seats", ",".join(["idle"] * 65))


def test_a_model_of_an_unknown_provider_leaves_no_folder_without_the_doctor_either(cli: Cli) -> None:
    assert "no provider is called" in refusal(cli, "run", "--agent", "nobody/model", "--no-doctor", "--out", "out")
    assert not list(Path().iterdir())


class FullDisk(StringIO):
    """Where standard output was sent, without room."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("asked", [(), ("--json",)])
def test_standard_output_that_is_full_is_told_in_one_line(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stdout", FullDisk())
        told = cli("world", "list", *asked)
    assert told.code == 2
    assert told.err == "ecbench: input or output: No space left on device\n"


def test_a_command_whose_standard_output_is_closed_does_its_work(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stdout", None)
        made = cli("world", "new", "--seed", "1", "--out", "made")
    assert (made.code, made.err) == (0, "")
    assert Path("made/world.toml").exists()
