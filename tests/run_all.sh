#!/bin/bash
# All tests, after `make test` built them: the fuzzers on the same inputs each time, what threads touch under TSan, unit tests under
# ASan and UBSan, and last the release: what goes through the command and what is compared with CBC.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-2}
# Tests that pass have nothing to say; what those that fail print is kept, and the closing lines.
quiet() { grep -v -E '^ *[0-9]+/[0-9]+ .* Passed|^ *Start ' || true; }
run() { ctest --test-dir "$1" -j "$jobs" --output-on-failure --no-tests=error | quiet; }
tests/run_fuzzers.sh 20000 "$jobs"
echo "== threads, under TSan"
run build/thread
echo "== units, under ASan and UBSan"
run build/debug
echo "== the release: the command, CBC, conformance"
run build
