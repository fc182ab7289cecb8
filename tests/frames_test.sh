#!/bin/bash
# Frames, through the command, on the small release in tests/data.
exec env ENTENTE="$2/entente" ENTENTE_SOURCE="$1" python3 "$1/tests/frames_test.py"
