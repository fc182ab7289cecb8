#!/bin/bash
# Entities and relations through the command.
exec env ENTENTE="$2/entente" ENTENTE_SOURCE="$1" python3 "$1/tests/relations_test.py"
