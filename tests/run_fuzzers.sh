#!/bin/bash
# Runs each libFuzzer target of build/debug, several at a time; fails at a finding.
#   run_fuzzers.sh 60s [JOBS]       for 60 seconds each, going on from what earlier runs found: every run looks elsewhere
#   run_fuzzers.sh 20000 [JOBS]     20000 inputs each, from the seeds alone: every run looks at the same ones, so that a change
#                                   is never blamed for what chance found
set -euo pipefail
cd "$(dirname "$0")/.."
effort=${1:-10s} jobs=${2:-2}
ls build/debug/*_fuzz >/dev/null 2>&1 || { echo "no fuzzers were built"; exit 1; }
mkdir -p build/debug/fuzzing
fuzz() {
  local name=$1 effort=$2 folder=build/debug/fuzzing found much
  found=$folder/$name
  much=(-max_total_time="${effort%s}")
  if [[ $effort != *s ]]; then
    found=$(mktemp -d)
    much=(-runs="$effort" -seed=1)
  fi
  mkdir -p "$found"
  if build/debug/"${name}_fuzz" "${much[@]}" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="$folder/$name-" "$found" "fuzz/seeds/$name" \
    >"$folder/$name.log" 2>&1; then
    echo "fuzzed the $name reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs"
  else
    cat "$folder/$name.log"
    echo "the $name reader failed"
    return 1
  fi
  [[ $effort == *s ]] || rm -rf "$found"
}
export -f fuzz
for fuzzer in build/debug/*_fuzz; do basename "$fuzzer" _fuzz; done |
  xargs -P "$jobs" -I{} bash -c 'fuzz {} '"$effort"
