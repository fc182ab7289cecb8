#!/bin/bash
# Builds the libFuzzer targets and runs each for some seconds; stops at the first finding.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10} jobs=${2:-2}
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$jobs"
found=0
for fuzzer in build/fuzz/*_fuzz; do
  [ -x "$fuzzer" ] || continue
  found=1
  name=$(basename "$fuzzer" _fuzz)
  mkdir -p "build/fuzz/corpus/$name"
  echo "== fuzzing the $name reader, $seconds s"
  "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix=build/fuzz/ "build/fuzz/corpus/$name" "fuzz/seeds/$name" \
    >build/fuzz/log 2>&1 || { cat build/fuzz/log; echo "the $name reader failed"; exit 1; }
  grep number_of_executed_units build/fuzz/log
done
[ $found = 1 ] || { echo "no fuzzers were built"; exit 1; }
