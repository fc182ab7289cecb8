#!/bin/bash
# Limits and interrupts of every method, by the command: tools/limits.py with bounds that a loaded machine keeps.
set -eu
exec python3 "$1/tools/limits.py" "$2/entente" --quick --patience 5
