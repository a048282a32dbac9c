#!/usr/bin/env bash
# wheel.sh PYTHON [INTERPRETER...]: one self-contained wheel per ABI in dist/, each checked.
# Python 3.11 gets a wheel of its own, 3.12 and later share one (stable ABI). Without interpreters
# named it takes those on PATH, and says which ABI it leaves out.
set -euo pipefail
python=$1
shift
max_bytes=$((45 * 1000 * 1000))
work=$PWD/.cache/wheel
mkdir -p dist "$work"

find_interpreters() { # the first working interpreter of each ABI
  local versions version found
  for versions in "3.11" "3.12 3.13"; do
    found=
    for version in $versions; do
      if "python$version" -c 'import venv, ensurepip' 2>/dev/null; then
        found=python$version
        break
      fi
    done
    if [[ $found ]]; then
      interpreters+=("$found")
    else
      echo "wheel: no Python of $versions on PATH; its wheel is left out" >&2
    fi
  done
}

build_wheel() { # build_wheel INTERPRETER FOLDER: leaves the repaired wheel in FOLDER/repaired
  rm -rf "$2"
  "$1" -m venv "$2/build"
  "$2/build/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps --wheel-dir "$2/raw" \
    -C cmake.define.HITHER_SYCL_PREFIX="$(dirname "$(dirname "$python")")" .
  PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --strip \
    --exclude libsycl.so.9 --exclude 'libmkl_*' \
    --wheel-dir "$2/repaired" "$2"/raw/*.whl
}

check_size() {
  local bytes
  bytes=$(stat -c %s "$1")
  printf '%s: %d bytes (at most %d)\n' "$(basename "$1")" "$bytes" "$max_bytes"
  ((bytes <= max_bytes)) || { echo "wheel: too large" >&2; return 1; }
}

check_installed() { # check_installed INTERPRETER WHEEL FOLDER: in an environment made for it alone
  local check=$PWD/tools/check_wheel.py order venv=$3/empty
  "$1" -m venv "$venv"
  local pip=("$venv/bin/python" -m pip install -q --disable-pip-version-check)
  "${pip[@]}" "$2"
  (cd / && "$venv/bin/python" -I "$check" alone)
  "${pip[@]}" "$2[test]" jax
  for order in before after; do (cd / && "$venv/bin/python" -I "$check" "$order"); done
  env -u PYTHONPATH "$venv/bin/python" -P -m pytest -n "$(nproc)" tests
}

interpreters=("$@")
((${#interpreters[@]})) || find_interpreters
((${#interpreters[@]})) || { echo "wheel: no interpreter of Python 3.11 to 3.13" >&2; exit 1; }
for interpreter in "${interpreters[@]}"; do
  folder=$work/$("$interpreter" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  build_wheel "$interpreter" "$folder"
  wheel=$(echo "$folder"/repaired/*.whl)
  check_size "$wheel"
  check_installed "$interpreter" "$wheel" "$folder"
  cp "$wheel" dist/
done
ls -l dist/*.whl
