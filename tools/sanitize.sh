#!/usr/bin/env bash
# sanitize.sh asan-ubsan|tsan BUILD PYTHON: runs the tests of ./dev sanitize on a finished build.
# The interpreter is not instrumented, so the sanitizer's runtime is preloaded into it.
set -euo pipefail
name=$1 build=$2 python=$3
reports=$build/reports
rm -rf "$reports"
mkdir -p "$reports"

runtime() { # the libraries to preload; without libstdc++ the interceptors would miss exceptions
  local library found=()
  for library in "$@" libstdc++.so; do
    found+=("$(realpath "$(g++ -print-file-name="$library")")")
  done
  (IFS=:; echo "${found[*]}")
}

in_python() { # in_python LIBRARIES... -- COMMAND: runs it with the package of this build
  local libraries=()
  while [[ $1 != -- ]]; do libraries+=("$1"); shift; done
  shift
  env LD_PRELOAD="$(runtime "${libraries[@]}")" PYTHONPATH="$build/python" PYTHONMALLOC=malloc \
    "$python" "$@"
}

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
if [[ $name == asan-ubsan ]]; then
  export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
  ctest --test-dir "$build" -j "$(nproc)" --output-on-failure
  # The interpreter and other packages leak blocks, also in processes that tests start. So leaks do
  # not end a process: tools/leaks.py selects hither's from the reports.
  # Damaged bitcode, which runs behind a fork guard, may request any number of bytes.
  export ASAN_OPTIONS=$ASAN_OPTIONS:allocator_may_return_null=1
  export ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$reports/asan:abort_on_error=1:exitcode=0
  for eager in 0 1; do
    HITHER_EAGER=$eager in_python libasan.so libubsan.so -- -m pytest "${@:4}"
  done
  # Ten minutes of each family of random programs, unless the caller asked for certain tests.
  if (($# == 3)); then
    in_python libasan.so libubsan.so -- -m tests.fuzz --seconds 600
  fi
  "$python" tools/leaks.py "$reports"
else
  # Tests fork while threads of other tests exist.
  export TSAN_OPTIONS=halt_on_error=0:die_after_fork=0:second_deadlock_stack=1
  # Tests request more memory than there is.
  export TSAN_OPTIONS=$TSAN_OPTIONS:allocator_may_return_null=1
  export TSAN_OPTIONS=$TSAN_OPTIONS:suppressions=$PWD/tools/tsan.supp
  ctest --test-dir "$build" -j "$(nproc)" --output-on-failure
  # pytest captures the output of tests; a process with a report exits with 66.
  export TSAN_OPTIONS=$TSAN_OPTIONS:log_path=$reports/tsan
  in_python libtsan.so -- -m pytest tests/threads "${@:4}" ||
    { cat "$reports"/tsan.* 2>/dev/null; exit 1; }
fi
