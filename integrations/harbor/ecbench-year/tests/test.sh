#!/bin/bash
# Ends the year, if its agent has not, and writes what it was worth.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
logs=${1:-/logs/verifier}
mkdir -p "$logs"
python3 "$here/reward.py" "$logs"
