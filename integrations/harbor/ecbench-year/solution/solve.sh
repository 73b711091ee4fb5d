#!/bin/bash
# Shows that the task can be played, not how it is won: looks at the balance once and waits for the last day.
set -euo pipefail
call() {
  curl -sf -H "Authorization: Bearer $ECBENCH_TOKEN" -H "Content-Type: application/json" "$ECBENCH_URL" \
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "'"$1"'", "arguments": {}}}'
}
call check_balance > /dev/null
for _ in $(seq 1 400); do
  if call wait_for_next_day | grep -q 'env_completed'; then exit 0; fi
done
exit 1
