#!/bin/bash
# The transcripts under tests/golden, through the real command. After a change that is meant:
#   python3 tests/transcripts.py --binary-dir build --update tests/golden/*.md
exec python3 "$1/tests/transcripts.py" --binary-dir "$2" --source-dir "$1" "$1"/tests/golden/*.md
