#!/usr/bin/env bash
# lint.sh BUILD PYTHON [--fix]: runs all checks of ./dev lint, and fails if any of them failed.
set -uo pipefail
build=$1 python=$2 fix=${3:-}
bin=$(dirname "$python")
failed=()

check() { # check NAME COMMAND...
  local name=$1
  shift
  printf '== %s\n' "$name" >&2
  "$@" || failed+=("$name")
}

mapfile -t cpp < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp')
mapfile -t units < <(git ls-files --cached --others --exclude-standard 'src/*.cpp' |
  grep -v '^src/device_library/')
# clang-tidy cannot parse the sycl driver without DPC++'s headers.
grep -q 'src/drivers/sycl/' "$build/compile_commands.json" ||
  mapfile -t units < <(printf '%s\n' "${units[@]}" | grep -v '^src/drivers/sycl/')
own_folders=(python tests benches examples tools)
folders=()
for folder in "${own_folders[@]}"; do [[ ! -d $folder ]] || folders+=("$folder"); done

if [[ $fix == --fix ]]; then
  clang-format-19 -i "${cpp[@]}"
  "$bin/ruff" check -q --fix "${folders[@]}"
  "$bin/ruff" format -q "${folders[@]}"
fi
check clang-format clang-format-19 --dry-run --Werror "${cpp[@]}"
check ruff "$bin/ruff" check "${folders[@]}"
check "ruff format" "$bin/ruff" format --check -q "${folders[@]}"
check mypy "$bin/mypy"
check "types of calls" "$bin/mypy" tests/no_device/typed_calls.py
check stubs env PYTHONPATH=python "$python" tools/stubs.py --check
check pxd "$python" tools/pxd.py --check
check "bars of the measurements" "$python" tools/bars.py --check
check "rules of the house" "$python" tools/house_rules.py
# clang-tidy needs a compile command for each file, and no headers that GCC precompiled.
database=$(dirname "$build")/lint
cmake --preset release -B "$database" -DPython_EXECUTABLE="$python" -DHITHER_UNITY=OFF \
  -DHITHER_INPLACE=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >"$database.log" 2>&1 ||
  { tail -n 20 "$database.log" >&2; failed+=(cmake); }
# GCC's options that clang-tidy refuses.
sed -i -E 's/-mmem(cpy|set)-strategy=[^ "]+//g' "$database/compile_commands.json"
check clang-tidy bash -c 'printf "%s\0" "${@:2}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p "$1" 2>/dev/null' _ "$database" "${units[@]}"

if ((${#failed[@]})); then
  printf 'lint: failed: %s\n' "$(IFS=,; echo "${failed[*]}")" >&2
  exit 1
fi
echo "lint: all clean"
