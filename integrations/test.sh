#!/usr/bin/env bash
# Tests each skin in a virtual environment of its own, since what one framework pins another excludes.
# usage: integrations/test.sh [gymnasium|verifiers|openenv ...]      PYTHON=python3.12 picks a Python
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
skins=("$@")
[ ${#skins[@]} -gt 0 ] || skins=(gymnasium verifiers openenv)
for skin in "${skins[@]}"; do
  [ -f "integrations/$skin/pyproject.toml" ] || { echo "there is no skin $skin; there are gymnasium, verifiers, openenv" >&2; exit 2; }
  place=integrations/.venvs/$skin
  # Installed again only when what it needs changes; the packages themselves are editable.
  if [ ! -f "$place/.ready" ] || [ pyproject.toml -nt "$place/.ready" ] || [ "integrations/$skin/pyproject.toml" -nt "$place/.ready" ]; then
    echo "Installing $skin into $place ..."
    [ -x "$place/bin/python" ] || "$python" -m venv "$place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check "pytest>=8.3" --editable . --editable "integrations/$skin"
    touch "$place/.ready"
  fi
  echo "Testing $skin"
  timeout 600 "$place/bin/python" -m pytest -q "integrations/$skin/tests"
done
