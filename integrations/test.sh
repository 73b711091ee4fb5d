#!/usr/bin/env bash
# Checks the types of each skin and tests it, in a virtual environment of its own: what one framework pins another
# excludes.
# usage: integrations/test.sh [gymnasium|verifiers|openenv|local-model|training-formats|frameworks ...]
# PYTHON=python3.12 picks a Python
# Leaves with 1 where a skin fails, and with 75 where all that could be tested passed, but a registry did not answer or
# has no build of llama.cpp for this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
skins=("$@")
[ ${#skins[@]} -gt 0 ] || skins=(gymnasium verifiers openenv local-model training-formats frameworks)
test_seconds=1800
. integrations/environments.sh

# Prime's hub looks for a package beside its pyproject.toml, not under src.
sources() { # skin
  [ -d "integrations/$1/src" ] && echo "integrations/$1/src" || echo "integrations/$1"/ecbench_*
}

failed=() untested=()
for skin in "${skins[@]}"; do
  [ -f "integrations/$skin/pyproject.toml" ] || [ -f "integrations/$skin/test.sh" ] ||
    { echo "there is no skin $skin; there are gymnasium, verifiers, openenv, local-model, training-formats, frameworks" >&2; exit 2; }
  place=integrations/.venvs/$skin
  status=0
  if [ -f "integrations/$skin/test.sh" ]; then
    timeout $test_seconds "integrations/$skin/test.sh" "$python" || status=$?
    case $status in 0) ;; "$unreachable") untested+=("$skin") ;; *) failed+=("$skin") ;; esac
    continue
  fi
  install_skin "$skin" "$place" "$python" || status=$?
  if [ $status -eq $unreachable ]; then
    untested+=("$skin")
  elif [ $status -ne 0 ]; then
    failed+=("$skin")
  else
    echo "Testing $skin"
    "$place/bin/python" -m mypy --config-file "integrations/$skin/pyproject.toml" --no-error-summary "$(sources "$skin")" &&
      timeout $test_seconds "$place/bin/python" -m pytest -q "integrations/$skin/tests" || failed+=("$skin")
  fi
done
[ ${#untested[@]} -eq 0 ] || echo "NOT TESTED, since no registry answered or has a build for this machine: ${untested[*]}" >&2
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
[ ${#untested[@]} -eq 0 ] || exit $unreachable
