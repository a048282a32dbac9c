#!/usr/bin/env bash
# aarch64.sh OPTION...: builds the C++ library for Linux on aarch64 on another machine and runs
# its C++ tests in QEMU. OPTIONs go to ctest, such as -R hither_tests.
# The aarch64 packages of this machine's distribution are unpacked in .cache/aarch64/sysroot,
# because the development packages of two architectures exclude each other on one machine.
set -euo pipefail
work=$PWD/.cache/aarch64
sysroot=$work/sysroot
build=$PWD/build/aarch64
packages=(
  llvm-19-dev libtbb-dev libhwloc-dev libhwy-dev libsleef-dev libfmt-dev libxxhash-dev libzstd-dev
  zlib1g-dev doctest-dev g++
)

unpack_packages() { # with what they depend on; apt keeps its state in $work and needs no root
  local apt=(apt-get -qq -y -o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o Dir::State="$work/apt" -o Dir::State::status=/dev/null -o Dir::Cache="$work/apt"
    -o Debug::NoLocking=1)
  rm -rf "$sysroot" "$build"
  mkdir -p "$work"/apt/{lists,archives}/partial "$sysroot"
  "${apt[@]}" update
  "${apt[@]}" --no-install-recommends --download-only install "${packages[@]}"
  local package link target
  for package in "$work"/apt/archives/*.deb; do dpkg-deb -x "$package" "$sysroot"; done
  # Absolute paths in links and in LLVM's package files lead out of the sysroot.
  find "$sysroot" -lname '/*' -printf '%p %l\n' |
    while read -r link target; do ln -sfn "$sysroot$target" "$link"; done
  sed -i -E "s#([\";])/usr/lib/aarch64#\1$sysroot/usr/lib/aarch64#g" \
    "$sysroot/usr/lib/llvm-19/lib/cmake/llvm/LLVMExports.cmake"
  touch "$work/unpacked"
}

[[ $work/unpacked -nt ${BASH_SOURCE[0]} ]] || unpack_packages
cmake -G Ninja -B "$build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" \
  -DHITHER_BUILD_TESTS=ON -DHITHER_BUILD_PYTHON=OFF -DHITHER_SYCL=OFF >"$work/configure.log" 2>&1 ||
  { tail -n 30 "$work/configure.log" >&2; exit 1; }
ninja -C "$build"
# These compile thousands of kernels, which takes the emulator hours.
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --timeout 1800 \
  -E '^gpu_(scans|forms)$' "$@"
