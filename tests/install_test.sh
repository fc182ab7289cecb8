#!/bin/bash
# Installs into a folder of its own, moves that elsewhere, and uses it with the source tree hidden: the command finds
# its models, the libraries are found by CMake and pkg-config, C++ programs solve, extract and parse.
set -euo pipefail
source_dir=$1 binary_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$binary_dir" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
mkdir "$work/app"
for name in quickstart parse extract agreement; do cp "$source_dir/examples/$name.cc" "$work/app/"; done
cp "$source_dir/tests/golden/quickstart.out" "$work/"
cat > "$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(quickstart CXX)
find_package(entente 0.1 REQUIRED)
foreach(name quickstart parse extract agreement)
  add_executable(${name} ${name}.cc)
endforeach()
target_link_libraries(quickstart entente::entente)
target_link_libraries(agreement entente::entente)
target_link_libraries(parse entente::language)
target_link_libraries(extract entente::extract)
CMAKE
# A library built with sanitizers needs them in whatever links it, and the same compiler.
flags=$(sed -n 's/^ENTENTE_SANITIZE:STRING=//p' "$binary_dir/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$binary_dir/CMakeCache.txt")
command -v "$compiler" >/dev/null || compiler=c++

cat > "$work/use.sh" <<'USE'
set -euo pipefail
cd "$work/app"
cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  ${flags:+-DCMAKE_CXX_FLAGS=-fsanitize=$flags} >/dev/null
cmake --build build >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
build/quickstart | diff "$work/quickstart.out" -
build/parse 'They waltzed into the room.' | tee "$work/parsed"
grep -q '"upos": *"VERB"\|	VERB	' "$work/parsed"
build/extract | grep -x 'born_in(0, 1)'
build/agreement | grep -E 'value ([0-9.]+), bound \1$'
# The same by pkg-config.
export PKG_CONFIG_PATH="$(echo "$work"/prefix/lib*/pkgconfig "$work"/prefix/lib/*/pkgconfig | tr ' ' :)"
"$compiler" -std=c++20 ${flags:+-fsanitize=$flags} extract.cc -o extract $(pkg-config --cflags --libs entente-extract)
./extract | grep -x 'born_in(0, 1)'
eval "$compiler" -std=c++20 ${flags:+-fsanitize=$flags} parse.cc -o parse $(pkg-config --cflags --libs entente-language)
./parse 'They waltzed into the room.' | diff "$work/parsed" -
# Headers bring nobody else's along.
! grep -rhE '#include [<"](fmt|zlib|pugixml|CLI)' "$work/prefix/include"
# The command finds its models; manual pages and completions are there and say what --help says.
"$work/prefix/bin/entente" version
echo 'They waltzed into the room.' | "$work/prefix/bin/entente" parse --layers frames --to jsonl | grep -q '"frames"'
test -s "$work/prefix/share/man/man1/entente-solve.1"
grep -q -- '--time-limit\|time\\-limit' "$work/prefix/share/man/man1/entente-solve.1"
bash -c '. "$1"; COMP_WORDS=(entente ver); COMP_CWORD=1; _entente; [[ " ${COMPREPLY[*]} " == *" verify "* ]]' _ \
  "$work/prefix/share/bash-completion/completions/entente"
test -s "$work/prefix/share/zsh/site-functions/_entente"
test -s "$work/prefix/share/fish/vendor_completions.d/entente.fish"
USE
export work flags compiler
# Hidden where we may: a mount namespace with an empty folder over the source tree.
if unshare -rm true 2>/dev/null; then
  unshare -rm bash -c 'mount -t tmpfs none "$1" && exec bash "$2"' _ "$source_dir" "$work/use.sh"
else
  echo "note: the source tree could not be hidden here"
  bash "$work/use.sh"
fi
echo "installation works"
