#!/bin/bash
# The Python module of a build with ASan and UBSan, loaded and used once: `make python-asan`. The engine, the builders, forests
# and extraction; the language library is tested under sanitizers by its own tests.
set -euo pipefail
source_dir=$1 binary_dir=$2 python=/usr/bin/python3
cmake -S "$source_dir" -B "$binary_dir" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-14 -DENTENTE_SANITIZE=address,undefined \
  -DENTENTE_CLI=OFF -DENTENTE_TESTS=OFF -DENTENTE_PYTHON=ON -DENTENTE_UNITY=ON -DCMAKE_POSITION_INDEPENDENT_CODE=ON >/dev/null
cmake --build "$binary_dir" --target entente_python_package
# The interpreter is not instrumented: the runtime comes first. What Python itself never frees is no leak of ours.
runtime=$(clang++-14 -print-file-name=libclang_rt.asan-x86_64.so)
cd "$source_dir"
LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
  PYTHONPATH="$binary_dir/python" "$python" -m pytest -q -p no:cacheprovider python/tests/test_graph.py python/tests/test_decode.py \
  python/tests/test_forest.py python/tests/test_schema.py python/tests/test_gliner2.py -k "not leaks"
