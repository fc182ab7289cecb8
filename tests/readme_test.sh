#!/bin/bash
# README.md tells the truth: its C++ compiles, and its commands print what it shows (docs/cli.md's and docs/schema.md's too).
set -euo pipefail
source_dir=$1 binary_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$source_dir/README.md" >"$work/readme.cc" <<'PYTHON'
import re
import sys

blocks = re.findall(r"^```cpp\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S)
assert blocks, "no C++ in README.md"
includes = re.findall(r"^#include.*\n", "".join(blocks), re.M)
print("".join(includes), "void use(const std::vector<std::uint8_t>&);")
for i, block in enumerate(blocks):
    print("void block%d() {\n%s}" % (i, re.sub(r"^#include.*\n", "", block, flags=re.M)))
PYTHON
g++ -std=c++20 -fsyntax-only -I"$source_dir/include" "$work/readme.cc"
python3 "$source_dir/tests/transcripts.py" --binary-dir "$binary_dir" --source-dir "$source_dir" \
  "$source_dir/README.md" "$source_dir/docs/cli.md" "$source_dir/docs/schema.md"
