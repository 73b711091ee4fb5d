# Prime Environments Hub: `prime env push` up to its login, and verifiers on the package that it would publish.
set -euo pipefail
. integrations/environments.sh
place=integrations/.venvs/verifiers package=integrations/verifiers
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
{ install_skin verifiers "$place" "$python" && pip_install "$place" "$python" "prime>=0.18,<0.19"; } || {
  status=$?
  echo "prime: NOT CHECKED, since its tools cannot be installed" >&2
  exit $status
}
refused() { echo "prime: $1" >&2; exit 1; }

# A home without a login, so that nothing can be published from here; the cache of packages stays.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
bin=$(realpath "$place/bin")
export PATH="$bin:$PATH"
UV_CACHE_DIR=$(uv cache dir) && export UV_CACHE_DIR
mkdir "$work/home" && export HOME="$work/home"
unset "${!PRIME_@}"

for section in Overview Datasets Task Quickstart "Taskset Config" "Harness Config" Metrics; do
  grep -qx "## $section" $package/README.md || refused "$package/README.md has no section $section"
done

cp -r $package "$work/package"
prime --plain env push --path "$work/package" 2>&1 | tee "$work/push.log" || true # it ends with 1: there is no login
ls "$work"/package/dist/*.whl >/dev/null 2>&1 || {
  ! grep -qE "$offline" "$work/push.log" || { echo "prime: NOT CHECKED, since no registry answers" >&2; exit $unreachable; }
  refused "prime env push builds no wheel"
}
grep -q "No API key configured" "$work/push.log" || refused "prime env push fails before it asks for a login"
echo "NOT CHECKED: the upload, which needs prime login"

if ! uv pip compile --quiet "$package/pyproject.toml" >/dev/null 2>&1; then
  uv build --quiet --wheel --out-dir "$work/wheels" .
  uv pip compile --quiet --find-links "$work/wheels" "$package/pyproject.toml" >/dev/null ||
    refused "the dependencies do not resolve, not even with a wheel of ecbench"
  echo "NOT CHECKED: the hub's own installation; dependencies resolve with a wheel of ecbench, which no registry has yet"
fi

# No model is asked: the configuration of the plain command, then the score of a task that is left untouched.
vf-eval ecbench-verifiers --dry-run --output-dir "$work/eval" </dev/null
"$bin/python" - "$work"/eval/*/configs/resolved/eval.json <<'END' || refused "the plain vf-eval would need an account"
import json, sys
from pathlib import Path
import verifiers.v1 as vf

runtime = json.loads(Path(sys.argv[1]).read_text())["env"]["agent"]["runtime"]["type"]
harness = vf.default_harness_id("ecbench-verifiers")
print(f"default harness {harness}, runtime {runtime}")
sys.exit((harness, runtime) != ("ecbench-verifiers", "subprocess"))
END
vf-validate ecbench-verifiers -n 1 --only-noop --no-rich --runtime.type subprocess --output-dir "$work/validate" \
  </dev/null >/dev/null
grep -q '"valid_rate": 1.0' "$work"/validate/*/summary.json || refused "vf-validate refuses a task"
echo "prime: prime env push builds the package, verifiers loads it with its own harness and scores a task"
