#!/bin/bash
# Writes what the year was worth, by the result that the market wrote.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
result=${1:-/collected/year.json}
logs=${2:-/logs/verifier}
mkdir -p "$logs"
python3 "$here/reward.py" "$result" "$logs"
