#!/usr/bin/env bash
# Has the tool of each public register check our entry, as far as it goes offline. Nothing is published.
# usage: integrations/registries.sh [NAME ...]
# A check is integrations/registries/NAME.sh. It runs from the root of the repository, ends with 0 where the tool accepts
# the entry, 1 where it does not, and 75 where it cannot be run here (no package registry answers, a Python is
# missing); its last line says what was found out. A part that cannot be checked offline is a line "NOT CHECKED: ...".
# Leaves with 1 where a check fails, and with 75 where all that could be checked passed, but a check could not be run.
set -euo pipefail
cd "$(dirname "$0")/.."
check_seconds=900 skip=75
known=($(basename -s .sh integrations/registries/*.sh))
names=("$@")
[ ${#names[@]} -gt 0 ] || names=("${known[@]}")
for name in "${names[@]}"; do
  [ -f "integrations/registries/$name.sh" ] || { echo "there is no register $name; there are ${known[*]}" >&2; exit 2; }
done
failed=() skipped=()
for name in "${names[@]}"; do
  echo "Checking the entry for $name"
  status=0
  timeout $check_seconds bash "integrations/registries/$name.sh" || status=$?
  case $status in
    0) ;;
    $skip) skipped+=("$name") ;;
    124) echo "$name: no end after $check_seconds seconds" >&2; failed+=("$name") ;;
    *) failed+=("$name") ;;
  esac
done
[ ${#skipped[@]} -eq 0 ] || echo "REGISTERS NOT CHECKED: ${skipped[*]}" >&2
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
[ ${#skipped[@]} -eq 0 ] || exit $skip
echo "Every register's tool accepts its entry as far as it goes offline: ${names[*]}"
