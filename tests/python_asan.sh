#!/bin/bash
# The Python module's own code under ASan and UBSan, loaded and used once: `make python-asan`. The libraries below it are those of
# the release build; their own tests run under sanitizers.
set -euo pipefail
source_dir=$1 binary_dir=$2 python=/usr/bin/python3
cmake --build "$binary_dir" --target entente_python_asan
cp "$source_dir"/python/entente/{*.py,py.typed} "$binary_dir/python-asan/entente"
# The interpreter is not instrumented: the runtimes come first. What Python itself never frees is no leak of ours.
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$binary_dir/CMakeCache.txt")
preload="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so) $("$compiler" -print-file-name=libstdc++.so.6)"
cd "$source_dir"
LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
  PYTHONDONTWRITEBYTECODE=1 ENTENTE_MODELS="$source_dir/models" PYTHONPATH="$binary_dir/python-asan" \
  "$python" -m pytest -q -p no:cacheprovider python/tests -k "not leaks and not torch"
