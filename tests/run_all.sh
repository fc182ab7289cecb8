#!/bin/bash
# All tests, after `make release debug thread`: the fuzzers for a moment, what threads touch under TSan, and
# the whole suite under ASan and UBSan, whose closing lines end the output.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-2}
# Tests that pass have nothing to say; what those that fail print is kept.
quiet() { grep -v -E '^ *[0-9]+/[0-9]+ .* Passed|^ *Start ' || true; }
if command -v clang++-14 >/dev/null && ls fuzz/*.cc >/dev/null 2>&1; then
  tests/run_fuzzers.sh "${FUZZ_SECONDS:-10}" "$jobs"
else
  echo "fuzzers: skipped (no clang++-14)"
fi
echo "== threads, under TSan"
ctest --test-dir build/thread -j "$jobs" --output-on-failure --no-tests=error | quiet
echo "== everything, under ASan and UBSan"
ctest --test-dir build/debug -j "$jobs" --output-on-failure --no-tests=error | quiet
