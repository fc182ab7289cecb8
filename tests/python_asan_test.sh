#!/bin/bash
# The Python module under ASan and UBSan, with the libraries below it: loaded and used once (`make python-asan`).
set -euo pipefail
source_dir=$1 binary_dir=$2 python=/usr/bin/python3
if ! "$python" -c 'import pybind11, numpy, pytest' 2>/dev/null || ! grep -q entente_python "$binary_dir/build.ninja"; then
  echo "skipped: python3-dev, pybind11-dev, python3-numpy or python3-pytest are missing"
  exit 0
fi
cmake --build "$binary_dir" --target entente_python_package >"$binary_dir/python.log" 2>&1 || { cat "$binary_dir/python.log"; exit 1; }
# The interpreter is not instrumented: the runtime comes first. What Python itself never frees is no leak of ours.
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$binary_dir/CMakeCache.txt")
preload="$("$compiler" -print-file-name=libclang_rt.asan-x86_64.so) $("$compiler" -print-file-name=libstdc++.so.6)"
cd "$source_dir/python/tests"
LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
  PYTHONDONTWRITEBYTECODE=1 ENTENTE_SOURCE="$source_dir" ENTENTE_MODELS="$source_dir/models" PYTHONPATH="$binary_dir/python" \
  "$python" -m pytest -q -p no:cacheprovider test_graph.py test_decode.py test_schema.py test_forest.py \
  "test_language.py::test_text_in_document_out" -k "not leaks and not forks and not interrupts"
