#!/usr/bin/env bash
# Plays the agents of docs/connect.md, each framework in an environment of its own.
# usage: integrations/frameworks/test.sh [PYTHON [FRAMEWORK ...]]
# Leaves with 1 where an agent fails, and with 75 where all that could be run passed, but a registry did not answer.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-$(command -v python3.11 || command -v python3)}
chosen=("${@:2}")
places=integrations/.venvs
. integrations/environments.sh
own=$places/frameworks
is_ready "$own" pyproject.toml || { pip_install "$own" "$python" --editable ".[serve,mcp]" && touch "$own/.ready"; }
failed=() untested=()
while IFS=$'\t' read -r name packages; do
  [ ${#chosen[@]} -eq 0 ] || [[ " ${chosen[*]} " = *" $name "* ]] || continue
  place=$places/frameworks-${name// /-} status=0
  if ! [ "$(cat "$place/.ready" 2>/dev/null)" = "$packages" ]; then
    echo "Installing $name into $place ..."
    eval "pip_install \"\$place\" \"\$python\" $packages" && echo "$packages" >"$place/.ready" || status=$?
  fi
  if [ $status -eq 0 ]; then
    "$own/bin/python" integrations/frameworks/play.py "$name" "$PWD/$place/bin/python" </dev/null || status=1
  fi
  case $status in
    0) ;;
    $unreachable) untested+=("$name") ;;
    *) failed+=("$name") ;;
  esac
done < <("$own/bin/python" integrations/frameworks/play.py)
[ ${#untested[@]} -eq 0 ] || echo "NOT TESTED, since no registry answered: ${untested[*]}" >&2
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
[ ${#untested[@]} -eq 0 ] || exit $unreachable
