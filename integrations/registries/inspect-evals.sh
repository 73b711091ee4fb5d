# Inspect Evals, register for outside projects: its schema and its search for the task, then `uv sync` and a year.
set -euo pipefail
. integrations/environments.sh
place=integrations/.venvs/inspect-evals
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
cannot() { echo "inspect-evals: NOT CHECKED, since $1" >&2; exit $unreachable; }
refused() { echo "inspect-evals: $1" >&2; exit 1; }
# The package has the register's code; of what its evaluations need, that code needs two packages.
{ pip_install "$place" "$python" "pydantic>=2" "pyyaml>=6" "uv>=0.5" &&
  pip_install "$place" "$python" --no-deps "inspect-evals>=0.26,<0.27"; } || {
  [ $? -ne $unreachable ] || cannot "no registry answers"
  refused "its tools cannot be installed"
}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# The address is a placeholder: where the repository will be public is not known here.
"$place/bin/python" integrations/inspect-evals/entry.py --url https://placeholder.invalid/OWNER/ecbench \
  --commit 0000000000000000000000000000000000000000 >"$work/eval.yaml" || refused "the register refuses the entry"
echo "The register's schema accepts the entry, and its resolver finds the task"
echo "NOT CHECKED: that the repository is public at the commit of the entry"

# As the register does it: a clone, `uv sync`, the task by its file. The copy has what a commit of now would have.
git ls-files -z --cached --others --exclude-standard >"$work/files" || cannot "this is no clone"
mkdir "$work/clone"
tar --create --null --files-from "$work/files" --ignore-failed-read 2>/dev/null | tar --extract --directory "$work/clone"
uv=$(realpath "$place/bin/uv")
cd "$work/clone"
UV_PYTHON=$("$python" -c "import sys; print(sys.executable)") && export UV_PYTHON UV_PYTHON_DOWNLOADS=never
"$uv" sync --quiet >"$work/sync.log" 2>&1 || {
  cat "$work/sync.log" >&2
  ! grep -qE "$offline" "$work/sync.log" || cannot "no registry answers"
  refused "uv sync fails"
}
timeout 300 "$uv" run inspect eval src/ecbench/adapters/inspect/task.py@year --model none/none --solver ecbench/scripted \
  -T days=5 --display plain --log-dir "$work/logs" >"$work/eval.log" 2>&1 || { cat "$work/eval.log" >&2; refused "inspect eval fails"; }
"$uv" run python - "$work/logs" <<'END' || { cat "$work/eval.log" >&2; refused "inspect eval ends without a score"; }
import sys
from pathlib import Path
from inspect_ai.log import read_eval_log

[path] = Path(sys.argv[1]).glob("*.eval")
log = read_eval_log(str(path))
assets = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}["final_assets"]
print(f"inspect eval: {log.status}, a scripted year of 5 days ends with ¥{assets:,.0f}")
sys.exit(log.status != "success")
END
echo "inspect-evals: the entry fits the register, and uv sync installs a task that runs"
