#!/usr/bin/env python3
"""Writes problems in the manner of two that toulbar2 is known for, and compares `entente solve` with toulbar2 on them.

    wcsp_problems.py frequencies --seed 1 --size 8 > f.wcsp     # links between pairs of radios, after CELAR's
    wcsp_problems.py pedigree --seed 1 --size 80 > p.wcsp       # who has which genes, as few observations wrong as can be
    wcsp_problems.py compare build/entente [--seeds 21 22 23]   # both, several sizes: seconds of processor time each

Frequencies: 2 * size variables with 44 values, two of a pair 238 apart (hard), some six links a variable that cost 1, 10,
100 or 1000 where two frequencies are too near. Pedigree: a quarter founders; a child has one allele of each parent (a
hard table of three), and of two thirds the genotype is observed, one in eight wrongly.
"""
import argparse
import os
import random
import resource
import subprocess
import tempfile


def table(variables, default, entries):
    rows = [" ".join(map(str, list(values) + [cost])) for values, cost in entries]
    return [" ".join(map(str, [len(variables), *variables, default, len(rows)])), *rows]


def problem(name, variables, values, tables, top):
    head = [f"{name} {variables} {values} {len(tables)} {top}", " ".join([str(values)] * variables)]
    return "\n".join(head + [line for t in tables for line in t]) + "\n"


def frequencies(seed, size):
    r, top = random.Random(seed), 1000000
    low = [*range(16, 157, 14), *range(254, 395, 14)]
    domain = sorted(low + [f + 238 for f in low])
    grid = [(a, b) for a in range(len(domain)) for b in range(len(domain))]
    apart = [((a, b), 0) for a, b in grid if abs(domain[a] - domain[b]) == 238]
    tables = [table((2 * p, 2 * p + 1), top, apart) for p in range(size)]
    seen = {(2 * p, 2 * p + 1) for p in range(size)}
    links = min(11 * size, size * (2 * size - 2))
    while len(seen) < size + links:
        pair = tuple(sorted(r.sample(range(2 * size), 2)))
        if pair in seen:
            continue
        seen.add(pair)
        gap, cost = r.choice([15, 30, 50, 70, 100, 130, 160, 190, 220]), r.choice([1, 10, 100, 1000])
        tables.append(table(pair, 0, [(ab, cost) for ab in grid if abs(domain[ab[0]] - domain[ab[1]]) <= gap]))
    return problem("frequencies", 2 * size, len(domain), tables, top)


def pedigree(seed, size, alleles=4):
    r, top = random.Random(seed), size + 1
    genes = [(a, b) for a in range(alleles) for b in range(a, alleles)]
    number = {g: i for i, g in enumerate(genes)}
    founders, born, truth = max(2, size // 4), [], []
    inherits = [((number[child], i, j), 0) for i, mother in enumerate(genes) for j, father in enumerate(genes)
                for child in sorted({tuple(sorted((x, y))) for x in mother for y in father})]
    for i in range(size):
        if i < founders:
            truth.append(tuple(sorted(r.randrange(alleles) for _ in range(2))))
        else:
            parents = r.sample(range(i), 2)
            born.append(table((i, *parents), top, inherits))
            truth.append(tuple(sorted(r.choice(truth[p]) for p in parents)))
    seen = [table((i,), 1, [((number[truth[i] if r.random() > 1 / 8 else r.choice(genes)],), 0)])
            for i in r.sample(range(size), 2 * size // 3)]
    return problem("pedigree", size, len(genes), born + seen, top)


KINDS = {"frequencies": (frequencies, (7, 8, 10)), "pedigree": (pedigree, (40, 80, 200, 400))}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def compare(entente, seeds):
    print("kind          size  seed   exact s  toulbar2 s")
    for kind, (make, sizes) in KINDS.items():
        for size in sizes:
            for seed in seeds:
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "p.wcsp")
                    with open(path, "w") as f:
                        f.write(make(seed, size))
                    ours, said = seconds([entente, "solve", path, "--time-limit", "60"])
                    theirs, log = seconds(["toulbar2", path, "-timer=60"])
                proved = '"optimal"' in said, "Optimum:" in log
                notes = "".join(f"  {who}: not proved" for who, ok in zip(("exact", "toulbar2"), proved) if not ok)
                if all(proved):
                    best = float(log.split("Optimum:")[1].split()[0])
                    value = -float(said.split('"value": ')[1].split(",")[0])
                    notes = "" if abs(best - value) < 1e-6 * max(1, abs(best)) else "  DIFFER"
                print(f"{kind:12}{size:6}{seed:6}{ours:10.3f}{theirs:12.3f}{notes}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="what", required=True)
    for kind in KINDS:
        options = kinds.add_parser(kind)
        options.add_argument("--seed", type=int, default=1)
        options.add_argument("--size", type=int, default=KINDS[kind][1][0])
    options = kinds.add_parser("compare")
    options.add_argument("entente")
    options.add_argument("--seeds", type=int, nargs="+", default=[21, 22, 23])
    arguments = parser.parse_args()
    if arguments.what == "compare":
        compare(arguments.entente, arguments.seeds)
    else:
        print(KINDS[arguments.what][0](arguments.seed, arguments.size), end="")


if __name__ == "__main__":
    main()
