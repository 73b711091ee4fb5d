# OpenEnv: its validator on the package.
set -euo pipefail
. integrations/environments.sh
place=integrations/.venvs/openenv package=integrations/openenv
python=$(command -v "${PYTHON:-python3.11}" || command -v python3)
install_skin openenv "$place" "$python" || {
  status=$?
  echo "openenv: NOT CHECKED, since it cannot be installed" >&2
  exit $status
}
"$place/bin/openenv" validate $package || { echo "openenv: openenv validate refuses $package" >&2; exit 1; }
echo "openenv: openenv validate accepts $package"
