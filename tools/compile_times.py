#!/usr/bin/env python3
"""What a build folder's objects cost to compile, the dearest first, from ninja's log.

  python3 tools/compile_times.py build/debug [how many]
"""
import os
import sys

folder = sys.argv[1] if len(sys.argv) > 1 else "build"
count = int(sys.argv[2]) if len(sys.argv) > 2 else 25
seconds = {}
with open(os.path.join(folder, ".ninja_log")) as log:
    for line in log:
        if not line.startswith("#"):
            begin, end, _, output, _ = line.rstrip("\n").split("\t")
            seconds[output] = (int(end) - int(begin)) / 1000
for output, s in sorted(seconds.items(), key=lambda item: -item[1])[:count]:
    print("%7.1f s  %s" % (s, output))
print("%7.1f s  %d outputs" % (sum(seconds.values()), len(seconds)))
