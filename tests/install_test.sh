#!/bin/bash
# Installs into a folder of its own, builds examples/quickstart.cc against that with find_package, runs it.
set -euo pipefail
source_dir=$1 binary_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$binary_dir" --prefix "$work/prefix" >/dev/null
mkdir "$work/app"
cp "$source_dir/examples/quickstart.cc" "$work/app/"
cat > "$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(quickstart CXX)
find_package(entente 0.1 REQUIRED)
add_executable(quickstart quickstart.cc)
target_link_libraries(quickstart entente::entente)
CMAKE
# A library built with sanitizers needs them in whatever links it.
flags=$(sed -n 's/^ENTENTE_SANITIZE:STRING=//p' "$binary_dir/CMakeCache.txt")
cmake -S "$work/app" -B "$work/app/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  ${flags:+-DCMAKE_CXX_FLAGS=-fsanitize=$flags} >/dev/null
cmake --build "$work/app/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/app/build/quickstart" | tee "$work/out"
grep -qx 'proof accepted' "$work/out"
diff "$work/out" "$source_dir/tests/golden/quickstart.out"
# The command is installed too and finds nothing missing.
"$work/prefix/bin/entente" version
