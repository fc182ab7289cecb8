#!/bin/bash
# Runs the commands of README.md: every line "$ command" in a ```console block, whose output must be as shown.
exec python3 "$1/tests/transcripts.py" --binary-dir "$2" --source-dir "$1" "$1/README.md" "$1/docs/cli.md"
