#!/bin/bash
# `make test-long`: random tests with many times as many cases (tests/kit/cases.h), under the sanitizers and as released,
# longer fuzzing, and everything compiled file by file: what a file needs it includes, and nothing is shadowed. For nights and before releases; `make test` is for every day.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-2} seconds=${2:-60} factor=${3:-10}
tests/run_fuzzers.sh "${seconds}s" "$jobs"
shards=$((2 * jobs))
run() {
  echo "== $1, $factor times the cases"
  seq 0 $((shards - 1)) | xargs -P "$jobs" -I{} env ENTENTE_CASES="$factor" GTEST_TOTAL_SHARDS="$shards" \
    GTEST_SHARD_INDEX={} "$1"/entente_tests --gtest_brief=1
}
run build
run build/debug
echo "== file by file"
cmake -S . -B build/files -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DENTENTE_PYTHON=ON >/dev/null
cmake --build build/files -j "$jobs" | tail -1
