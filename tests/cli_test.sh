#!/bin/bash
# What transcripts cannot say: signals, pipes, terminals, threads.
exec env ENTENTE="$2/entente" ENTENTE_SOURCE="$1" python3 "$1/tests/cli_test.py"
