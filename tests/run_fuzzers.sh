#!/bin/bash
# Runs each libFuzzer target of build/debug for some seconds, several at a time; fails at a finding.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10} jobs=${2:-2}
ls build/debug/*_fuzz >/dev/null 2>&1 || { echo "no fuzzers were built"; exit 1; }
mkdir -p build/debug/fuzzing
fuzz() {
  local name=$1 seconds=$2 folder=build/debug/fuzzing
  mkdir -p "$folder/$name"
  if build/debug/"${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="$folder/$name-" "$folder/$name" "fuzz/seeds/$name" \
    >"$folder/$name.log" 2>&1; then
    echo "fuzzed the $name reader, $seconds s: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs"
  else
    cat "$folder/$name.log"
    echo "the $name reader failed"
    return 1
  fi
}
export -f fuzz
for fuzzer in build/debug/*_fuzz; do basename "$fuzzer" _fuzz; done |
  xargs -P "$jobs" -I{} bash -c 'fuzz {} '"$seconds"
