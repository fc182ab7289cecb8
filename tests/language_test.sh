#!/bin/bash
# Text in, trees out, through the command.
exec env ENTENTE="$2/entente" ENTENTE_SOURCE="$1" python3 "$1/tests/language_test.py"
