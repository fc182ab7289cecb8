#!/usr/bin/env python3
"""Writes problems of the kinds that toulbar2 is known for, and compares `entente solve` with toulbar2 on them.

    wcsp_problems.py frequencies --seed 1 --size 8 > f.wcsp     # links between pairs of radios, after CELAR's
    wcsp_problems.py pedigree --seed 1 --size 80 > p.wcsp       # who has which genes, as few observations wrong as can be
    wcsp_problems.py compare build/entente [--seeds 21 22 23]   # both, several sizes: seconds of processor time each
    wcsp_problems.py compare build/entente --kinds grid triples --limit 20

Frequencies: 2 * size variables with 44 values, two of a pair 238 apart (hard), some six links a variable that cost 1, 10,
100 or 1000 where two frequencies are too near. Pedigree: a quarter founders; a child has one allele of each parent (a
hard table of three), and of two thirds the genotype is observed, one in eight wrongly. Triples: variables of four values
under as many tables of three, the entries costs up to 99. Forbidding: one in five of the entries of such tables is
forbidden, values have costs. Spots: photographs, each left out at a price or taken in one of three ways; two or three near
each other exclude some ways. Grid: five values, all scores N(0, 1). Glass: a torus of two values under couplings N(0, 1).
Cubic: the same on a random graph of degree three. Maxcsp: five values, a quarter of all pairs with 60% of the entries costing 1.
Colours: three colours, a random graph of degree five, each conflict costs 1.
"""
import argparse
import itertools
import math
import os
import random
import re
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


def scopes(r, variables, count, width):
    seen = set()
    while len(seen) < count:
        seen.add(tuple(sorted(r.sample(range(variables), width))))
    return sorted(seen)


def cells(*sizes):
    return itertools.product(*map(range, sizes))


def triples(seed, size, values=4):
    r = random.Random(seed)
    tables = [table(s, 0, [(c, r.randrange(100)) for c in cells(values, values, values)]) for s in scopes(r, size, size, 3)]
    return problem("triples", size, values, tables, 100 * size)


def forbidding(seed, size, values=4):
    r, top = random.Random(seed), 100 * size
    tables = [table(s, 0, [(c, top) for c in cells(values, values, values) if r.random() < 0.2])
              for s in scopes(r, size, 2 * size, 3)]
    tables += [table((v,), 0, [((x,), r.randrange(100)) for x in range(values)]) for v in range(size)]
    return problem("forbidding", size, values, tables, top)


def spots(seed, size):
    r, top = random.Random(seed), 2000 * size
    tables = [table((v,), 0, [((0,), r.choice([1, 2, 10, 100, 1000]))]) for v in range(size)]
    near = set()
    for _ in range(6 * size):
        first = r.randrange(size)
        width = r.choice([2, 2, 3])
        near.add(tuple(sorted({min(size - 1, first + r.randrange(12)) for _ in range(width)})))
    for s in sorted(s for s in near if len(s) > 1):
        free = 0.5 if len(s) == 2 else 0.3
        tables.append(table(s, 0, [(c, top) for c in cells(*[4] * len(s)) if 0 not in c and r.random() < free]))
    return problem("spots", size, 4, tables, top)


def normal(r, sizes, scale=1000):
    """Scores N(0, 1) as costs from 0 on."""
    scores = [(c, round(scale * r.gauss(0, 1))) for c in cells(*sizes)]
    least = min(x for _, x in scores)
    return [(c, x - least) for c, x in scores]


def pairs_of_grid(size, torus):
    for i, j in cells(size, size):
        if torus or j + 1 < size:
            yield i * size + j, i * size + (j + 1) % size
        if torus or i + 1 < size:
            yield i * size + j, (i + 1) % size * size + j


def grid(seed, size, values=5):
    r = random.Random(seed)
    tables = [table((v,), 0, normal(r, (values,))) for v in range(size * size)]
    tables += [table(s, 0, normal(r, (values, values))) for s in pairs_of_grid(size, False)]
    return problem("grid", size * size, values, tables, 10**8)


def couplings(name, r, variables, pairs):
    tables = []
    for s in pairs:
        x = round(2000 * r.gauss(0, 1))
        tables.append(table(s, 0, [(c, abs(x)) for c in cells(2, 2) if (c[0] == c[1]) == (x < 0)]))
    return problem(name, variables, 2, tables, 10**8)


def glass(seed, size):
    return couplings("glass", random.Random(seed), size * size, pairs_of_grid(size, True))


def cubic(seed, size):
    r = random.Random(seed)
    while True:
        ends = [v for v in range(size) for _ in range(3)]
        r.shuffle(ends)
        pairs = {tuple(sorted(p)) for p in zip(ends[::2], ends[1::2]) if p[0] != p[1]}
        if 2 * len(pairs) == len(ends):
            return couplings("cubic", r, size, sorted(pairs))


def maxcsp(seed, size, values=5):
    r = random.Random(seed)
    tables = [table(s, 0, [(c, 1) for c in cells(values, values) if r.random() < 0.6])
              for s in scopes(r, size, size * (size - 1) // 8, 2)]
    return problem("maxcsp", size, values, tables, len(tables) + 1)


def colours(seed, size, values=3):
    r = random.Random(seed)
    tables = [table(s, 0, [((x, x), 1) for x in range(values)]) for s in scopes(r, size, 5 * size // 2, 2)]
    return problem("colours", size, values, tables, len(tables) + 1)


KINDS = {"frequencies": (frequencies, (7, 8, 10)), "pedigree": (pedigree, (40, 80, 200, 400)),
         "triples": (triples, (10, 20, 30)), "forbidding": (forbidding, (20, 40, 60)), "spots": (spots, (30, 100, 300)),
         "grid": (grid, (8, 10, 12, 15, 20)), "glass": (glass, (8, 12, 20)), "cubic": (cubic, (40, 100)),
         "maxcsp": (maxcsp, (15, 20, 25)), "colours": (colours, (20, 30, 40))}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def last(words, text):
    """The number after the last of these words."""
    found = re.findall(f"(?:{words})" + r"\s*(-?[0-9][0-9.e+-]*)", text)
    return float(found[-1]) if found else math.nan


def interval(said, log):
    """(value, bound) as costs: of entente's JSON, and of toulbar2's log."""
    ours = [-last(f'"{key}":', said) for key in ("value", "bound")]
    if "Optimum:" in log:
        return ours, [last("Optimum:", log)] * 2
    return ours, [last("New solution:", log), last(r"Dual bound:|Optimality gap: \[", log)]


def compare(entente, kinds, seeds, sizes, limit):
    print("kind          size  seed   exact s  toulbar2 s")
    for kind, size, seed in ((k, n, s) for k in kinds for n in sizes or KINDS[k][1] for s in seeds):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.wcsp")
            with open(path, "w") as f:
                f.write(KINDS[kind][0](seed, size))
            ours, said = seconds([entente, "solve", path, "--time-limit", str(limit)])
            theirs, log = seconds(["toulbar2", path, f"-timer={limit}"])
        proved = '"optimal"' in said, "Optimum:" in log
        notes = "".join(f"  {who}: not proved" for who, ok in zip(("exact", "toulbar2"), proved) if not ok)
        (value, bound), (best, least) = interval(said, log)
        if not all(proved):
            notes += f"  costs {value:.0f} >= {bound:.0f}, {best:.0f} >= {least:.0f}"
        elif abs(best - value) > 1e-6 * max(1, abs(best)):
            notes = "  DIFFER"
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
    options.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    options.add_argument("--sizes", type=int, nargs="+")
    options.add_argument("--limit", type=int, default=60)
    arguments = parser.parse_args()
    if arguments.what == "compare":
        compare(arguments.entente, arguments.kinds, arguments.seeds, arguments.sizes, arguments.limit)
    else:
        print(KINDS[arguments.what][0](arguments.seed, arguments.size), end="")


if __name__ == "__main__":
    main()
