#!/bin/bash
# The Python package: pytest, the examples of docs/python.md, and mypy over the package, where they are installed.
set -euo pipefail
source_dir=$1 binary_dir=$2 python=/usr/bin/python3
command -v "$python" >/dev/null || python=python3
if ! "$python" -c 'import pybind11, numpy, pytest' 2>/dev/null || [ ! -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]; then
  echo "skipped: python3-dev, pybind11-dev, python3-numpy or python3-pytest are missing"
  exit 0
fi
cmake --build "$binary_dir" --target entente_python_package >"$binary_dir/python.log" 2>&1 || { cat "$binary_dir/python.log"; exit 1; }
export PYTHONPATH="$binary_dir/python" PYTHONDONTWRITEBYTECODE=1 ENTENTE_SOURCE="$source_dir"
"$python" -m pytest -q -p no:cacheprovider "$source_dir/python/tests"
if "$python" -c 'import mypy' 2>/dev/null; then
  "$python" -m mypy --cache-dir=/dev/null --ignore-missing-imports "$source_dir/python/entente"
  "$python" -m mypy.stubtest --ignore-missing-stub --ignore-unused-allowlist --allowlist "$source_dir/python/stubtest.allow" entente._core
fi
for example in "$source_dir"/python/examples/*.py; do "$python" "$example" >/dev/null; done
# Installed by pip from what is built already, it finds its models by itself.
if "$python" -c 'import pip, setuptools' 2>/dev/null; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/source"
  cp -r "$source_dir"/{setup.py,pyproject.toml,python} "$work/source"
  ln -s "$source_dir/models" "$work/source/models"
  ENTENTE_BUILD=$binary_dir "$python" -m pip install -q --no-build-isolation --no-deps --no-index --target "$work/site" "$work/source" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  (cd "$work" && env -u ENTENTE_MODELS PYTHONPATH="$work/site" "$python" -c '
import entente, os
assert entente.__file__.startswith(os.environ["PYTHONPATH"]), entente.__file__
assert os.path.exists(os.path.join(os.path.dirname(entente.__file__), "py.typed"))
print(entente.load("english")("Dogs bark.").to_conllu())') | grep -q nsubj
fi
