# Harbor: its linter on the task, its digest of the task in the dataset, and its own reading of the folder.
set -euo pipefail
. integrations/environments.sh
place=integrations/.venvs/harbor data=integrations/harbor task=ecbench-year
work=$(mktemp -d) server= ECBENCH_URL=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

skipped() { # why
  echo "harbor: NOT CHECKED, since $1" >&2
  exit $unreachable
}
refused() { # what
  echo "harbor: REFUSED: $1" >&2
  exit 1
}

# On the path or among those of pyenv, whose commands on the path may name a version that is not selected.
python=
for each in python3.12 python3.13 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[23].*/bin/python; do
  "$each" -c "import venv" 2>/dev/null && python=$each && break
done
[ -n "$python" ] || skipped "harbor needs Python 3.12 or 3.13"
if ! is_ready "$place" integrations/registries/harbor.sh; then
  echo "Installing harbor into $place ..."
  status=0
  pip_install "$place" "$python" "uv>=0.9" "pytest>=8.3" || status=$?
  if [ $status -eq 0 ]; then
    # Harbor asks for a newer certifi than some package registries have. Without a connection no certificate is needed.
    echo "certifi" >"$place/overrides.txt"
    timeout $install_seconds "$place/bin/uv" pip install --quiet --python "$place/bin/python" \
      --override "$place/overrides.txt" "harbor>=0.25,<0.26" >"$place/install.log" 2>&1 || {
      tail -5 "$place/install.log" >&2
      status=1
      ! grep -qE "$offline" "$place/install.log" || status=$unreachable
    }
  fi
  [ $status -ne $unreachable ] || skipped "no package registry answers"
  [ $status -eq 0 ] || refused "harbor cannot be installed"
  touch "$place/.ready"
fi
harbor=$place/bin/harbor

cp -r "$data" "$work/data"
if ! docker compose version >/dev/null 2>&1; then
  echo "NOT CHECKED: docker-compose.yaml, since harbor lint reads it with Docker's Compose plugin, which is missing here"
  rm "$work/data/$task/environment/docker-compose.yaml"
fi
"$harbor" lint "$work/data/$task" || refused "harbor lint $task"
"$harbor" lint --select ALL --ignore unpinned-image "$work/data/$task" || refused "harbor lint --select ALL $task"
findings=$("$harbor" lint --select unpinned-image --json "$work/data/$task" | grep -c '"unpinned-image"' || true)
echo "NOT PINNED by digest: $findings images (unpinned-image, no default rule): they have exact versions, and no image registry was asked"

cp -r "$data" "$work/synced"
"$harbor" sync "$work/synced" >"$work/sync.log" 2>&1 || { cat "$work/sync.log" >&2; refused "harbor sync"; }
digest_of() { grep '^digest' "$1/dataset.toml"; }
[ "$(digest_of "$data")" = "$(digest_of "$work/synced")" ] ||
  refused "dataset.toml has another digest than the task: run $harbor sync $data"

timeout 300 "$place/bin/python" -m pytest -q -p no:cacheprovider --import-mode=importlib "$data/tests" -c /dev/null ||
  refused "the folder as Harbor reads it"
# The task without containers: the market with the extras of its image, then the scripts in the order of a trial.
market=$data/$task/environment/market
if ! is_ready "$place-market" pyproject.toml "$market/Dockerfile"; then
  echo "Installing the market into $place-market ..."
  pip_install "$place-market" "$python" --editable ".$(grep -oE '\[[a-z,]+\]=' "$market/Dockerfile" | tr -d =)" || {
    [ $? -ne $unreachable ] || skipped "no package registry answers"
    refused "the market cannot be installed"
  }
  touch "$place-market/.ready"
fi
export ECBENCH_TOKEN=a-token
"$place-market/bin/ecbench" mcp --http 0 --out "$work/run" --world seed-3000001 --days 90 >"$work/market.log" 2>&1 &
server=$!
for _ in $(seq 120); do
  ECBENCH_URL=$(grep -oE 'http://[^"]+' "$work/market.log") && break
  kill -0 $server 2>/dev/null || break
  sleep 0.5
done
[ -n "$ECBENCH_URL" ] || { cat "$work/market.log" >&2; refused "the market does not start"; }
export ECBENCH_URL
{ timeout 120 bash "$data/$task/solution/solve.sh" && "$place/bin/python" "$market/settle.py" "$work/year.json" &&
  bash "$data/$task/tests/test.sh" "$work/year.json" "$work/logs"; } || refused "the task is not played to its reward"
echo "solve.sh, settle.py and test.sh without containers: $(cat "$work/logs/reward.json")"

echo "NOT CHECKED: a trial of the task, since no container is started here"
echo "harbor: accepted by harbor $("$place/bin/python" -c 'import importlib.metadata as m; print(m.version("harbor"))')"
