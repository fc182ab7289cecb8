#!/usr/bin/env python3
"""Where roles are lost: gold PropBank columns against a system's.

    entente predict roles --gold-predicates --input propbank gold.conll --to propbank -o system.conll
    tools/role_errors.py gold.conll system.conll

Arguments are counted as pieces, C-X on its own. One that was not found is `boundary` if something
that is no gold argument shares words with it, else `missed`; and `node` if it is a phrase of the
system's tree. What was found and is not gold is `wrong ends` if a gold argument that was not found
shares words with it, else `too many`.
"""
import re
import sys
from collections import Counter


def spans(column):
    """Of a column of brackets: (label, first row, row after the last)."""
    out, opened = [], []
    for row, piece in enumerate(column):
        for bit in re.findall(r"\([^(*)]+|\)", piece):
            if bit == ")":
                label, begin = opened.pop()
                out.append((label, begin, row + 1))
            else:
                opened.append((bit[1:], row))
    return out


def read(path):
    """Of each sentence: the spans of its tree, and the arguments of each predicate by span."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().strip().split("\n\n")
    for block in blocks:
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        nodes = {(b, e) for _, b, e in spans([r[3] for r in rows])}
        nodes |= {(i, i + 1) for i in range(len(rows))}
        predicates = {}
        for k, row in enumerate([i for i, r in enumerate(rows) if r[5] != "-"]):
            found = spans([r[9 + k] for r in rows])
            predicates[row] = {(b, e): label for label, b, e in found if label not in ("V", "C-V")}
        yield nodes, predicates


def overlap(a, b):
    return a[0] < b[1] and b[0] < a[1]


def count(gold, system, nodes, counts):
    for span, label in gold.items():
        counts["arguments"] += 1
        if span in system:
            counts["right" if system[span] == label else "label"] += 1
            continue
        near = any(overlap(span, s) for s in system if s not in gold)
        kind = "node" if span in nodes else "no node"
        counts[f"{'boundary' if near else 'missed'}, {kind}"] += 1
    for span in system.keys() - gold.keys():
        near = any(overlap(span, g) for g in gold if g not in system)
        counts["found: wrong ends" if near else "found: too many"] += 1


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    counts = Counter()
    for (_, gold), (nodes, system) in zip(read(sys.argv[1]), read(sys.argv[2]), strict=True):
        for predicate, arguments in gold.items():
            count(arguments, system.get(predicate, {}), nodes, counts)
    for name, number in counts.most_common():
        print(f"{name:<20}{number:7}{100 * number / counts['arguments']:7.1f}%")


if __name__ == "__main__":
    main()
