# OpenEnv: its validator on the package and on a running server, and its discovery on the installed wheel.
set -euo pipefail
. integrations/environments.sh
place=integrations/.venvs/openenv package=integrations/openenv
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
work=$(mktemp -d) server= url=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

not_installed() { # status
  [ "$1" -ne $unreachable ] || echo "openenv: NOT CHECKED, since no package registry answers" >&2
  exit "$1"
}
refused() { # what
  echo "openenv: REFUSED: $1" >&2
  exit 1
}

install_skin openenv "$place" "$python" || not_installed $?

# Without a daemon the validator would stop at the image's build, and report that as an error of its own.
if docker info >/dev/null 2>&1; then
  timeout 600 "$place/bin/openenv" validate $package || refused "openenv validate $package"
else
  "$place/bin/openenv" validate $package --skip-build || refused "openenv validate $package --skip-build"
  echo "NOT CHECKED: the image and what openenv validate measures in it, since no container can be started here"
fi

# The package from a copy of its folder, as the image installs it: nothing beside the folder may be needed.
cp -r $package "$work/copy"
pip_install "$place" "$python" --no-deps --target "$work/wheel" "$work/copy" || not_installed $?
XDG_CACHE_HOME=$work PYTHONPATH=$work/wheel "$place/bin/python" - <<'DISCOVERY' || refused "the installed wheel or the runtime plan"
from pathlib import Path

from openenv import AutoAction, AutoEnv
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.runtime.contracts import load_runtime_plan

client, action = AutoEnv.get_env_class("ecbench"), AutoAction.from_env("ecbench")
assert (client.__name__, action.__name__) == ("EcbenchEnv", "YearAction"), (client, action)
print(f"AutoEnv finds {client.__module__}.{client.__name__} and {action.__name__}")
package = Path("integrations/openenv")
plan = load_runtime_plan(package, OpenEnvYamlParser().parse(package).execution)
print(f"its runtime plan has {len(plan.actions)} actions")
DISCOVERY

"$place/bin/server" --port 0 >"$work/log" 2>&1 &
server=$!
for _ in $(seq 120); do
  url=$(grep -oE 'http://127.0.0.1:[0-9]+' "$work/log") && break
  sleep 0.5
done
[ -n "$url" ] || { cat "$work/log" >&2; refused "the server does not start"; }
"$place/bin/openenv" validate --url "$url" --timeout 30 || refused "openenv validate --url on a running server"
echo "openenv: accepted by openenv $("$place/bin/python" -c 'import importlib.metadata as m; print(m.version("openenv"))')"
