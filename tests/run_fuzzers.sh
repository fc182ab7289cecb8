#!/bin/bash
# Builds the libFuzzer targets and runs each for some seconds; stops at the first finding.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10} jobs=${2:-2}
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$jobs"
found=0
for fuzzer in build/fuzz/fuzz_* build/fuzz/*_fuzz; do
  [ -f "$fuzzer" ] && [ -x "$fuzzer" ] || continue
  found=1
  name=$(basename "$fuzzer")
  mkdir -p "build/fuzz/corpus/$name"
  seeds=()
  for seed in "fuzz/corpus/$name" "fuzz/seeds/$name" fuzz/seeds; do
    [ -d "$seed" ] && { seeds=("$seed"); break; }
  done
  echo "== $name, $seconds s"
  "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -verbosity=0 \
    -print_final_stats=1 "build/fuzz/corpus/$name" "${seeds[@]}" 2>&1 |
    grep -E 'number_of_executed_units|ERROR|SUMMARY|Test unit' || { echo "$name failed"; exit 1; }
done
[ $found = 1 ] || { echo "no fuzzers were built"; exit 1; }
