#!/bin/bash
# Shows that the task can be played, not how it is won: looks at the balance once and waits for the last day.
set -euo pipefail
turn() {
  curl -sf -H "Authorization: Bearer $ECBENCH_TOKEN" -H "Content-Type: application/json" -d "$1" "$ECBENCH_URL/v1/actions"
}
turn '{"tool_calls": [{"name": "check_balance", "arguments": {}}]}' > /dev/null
for _ in $(seq 1 400); do
  if turn '{"tool_calls": [{"name": "wait_for_next_day", "arguments": {}}]}' | grep -q '"done": *true'; then exit 0; fi
done
exit 1
