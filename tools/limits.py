#!/usr/bin/env python3
"""Do limits and interrupts hold? Runs hard problems of its own making with every method and prints what overran.

    limits.py build/entente                        everything (some minutes of one processor)
    limits.py build/entente --quick --patience 5   what the tests run, with generous bounds
    limits.py build/entente --family potts --method exact --limits 0.1,0.5,2

Of each run: the limit (or when the signal was sent), how much longer the answer took by the clock, the processor time
of the whole run, status and value. The time that the same command takes to read the problem and do nothing
(--method local, an interrupt at once) is taken off. On a machine that does other things the clock says more than
the program is to blame for: what overruns by clock *and* processor time is marked with *.
Exit code 1 if something overran by more than --patience (0.2 s), or no answer was given though one is known.
Standard library only.
"""
import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

METHODS = ["exact", "beam", "ad3", "subgradient", "branch_and_bound", "ilp cbc", "ilp cbc_default", "ilp glpk", "lp cbc",
           "lp glpk"]


# ------------------------------------------------------------------------------ problems
def groups(count, states, r):
    return [{"name": f"g{i}", "states": [r.gauss(0, 1) for _ in range(states)]} for i in range(count)]


def potts(r, side, states):
    """A grid of tables, which needs regions."""
    pairs = [(y * side + x, y * side + x + d) for y in range(side) for x in range(side)
             for d in ([1] if x + 1 < side else []) + ([side] if y + 1 < side else [])]
    return {"groups": groups(side * side, states, r), "factors": [
        {"kind": "table", "axes": [f"g{a}", f"g{b}"], "scores": [r.gauss(0, 1) for _ in range(states * states)]}
        for a, b in pairs]}


def knapsack(r, items, rows):
    weight = [[r.randint(50, 150) for _ in range(items)] for _ in range(rows)]
    worth = [sum(w[i] for w in weight) / rows + r.gauss(0, 5) for i in range(items)]
    names = [f"x{i}" for i in range(items)]
    return {"variables": [{"name": n, "score": x} for n, x in zip(names, worth)], "factors": [
        {"kind": "linear", "literals": names, "coefficients": w, "upper": sum(w) // 2} for w in weight]}


def sparse(r, size):
    """Implications and at-most-one rows; all zeros keep them."""
    some = lambda k: [f"x{i}" for i in r.sample(range(size), k)]  # noqa: E731
    return {"variables": [{"name": f"x{i}", "score": r.gauss(0, 1)} for i in range(size)],
            "factors": [{"kind": "implies", "literals": some(2)} for _ in range(size)] +
                       [{"kind": "at_most_one", "literals": some(r.randint(2, 6))} for _ in range(size // 5)]}


def intervals(r, roles, spans, length):
    """Arguments of a predicate: a null span each, no overlaps, some rows across."""
    begins = [[r.randrange(length) for _ in range(spans)] for _ in range(roles)]
    out = {"groups": [{"name": f"g{i}", "states": [0.0] + [r.gauss(0.3, 1) for _ in range(spans)]} for i in range(roles)]}
    out["factors"] = [{"kind": "disjoint", "literals": [f"g{i}={k + 1}" for i in range(roles) for k in range(spans)],
                       "intervals": [[b, b + 1 + (b * 7 + i) % 9] for i in range(roles) for b in begins[i]]}]
    out["factors"] += [{"kind": "count", "upper": 2, "literals": [
        f"g{r.randrange(roles)}={r.randint(1, spans)}" for _ in range(12)]} for _ in range(roles * 3)]
    for f in out["factors"][1:]:
        f["literals"] = sorted(set(f["literals"]))
    return out


def structured(r, length, labels):
    """A sequence with counts across: branch and bound on a factor that has only its own algorithm."""
    out = {"groups": groups(length, labels, r)}
    literals = [f"g{t}={j}" for t in range(length) for j in range(labels)]
    out["factors"] = [{"kind": "sequence", "length": length, "labels": labels, "literals": literals,
                       "transitions": [r.gauss(0, 1) for _ in range(labels * labels)]}]
    out["factors"] += [{"kind": "count", "upper": 2, "literals": sorted(r.sample(literals, 20))} for _ in range(length)]
    return out


def pigeons(n):
    names = [[f"p{i}_{j}" for j in range(n)] for i in range(n + 1)]
    return {"variables": [{"name": x, "score": 0.1 * (len(x) % 3)} for row in names for x in row],
            "factors": [{"kind": "exactly_one", "literals": row} for row in names] +
                       [{"kind": "at_most_one", "literals": [row[j] for row in names]} for j in range(n)]}


def colouring(r, nodes, colours, edges):
    return {"groups": groups(nodes, colours, r), "factors": [
        {"kind": "not_both", "literals": [f"g{a}={c}", f"g{b}={c}"]}
        for a, b in (r.sample(range(nodes), 2) for _ in range(edges)) for c in range(colours)]}


PROBLEMS = {
    "potts10": lambda r: potts(r, 10, 5), "potts30": lambda r: potts(r, 30, 5), "knapsack": lambda r: knapsack(r, 120, 5),
    "sparse100000": lambda r: sparse(r, 100000), "intervals": lambda r: intervals(r, 40, 60, 90),
    "structured": lambda r: structured(r, 60, 12), "pigeons": lambda r: pigeons(40),
    "colouring": lambda r: colouring(r, 120, 5, 700)}
NO_ANSWER = {"pigeons", "structured"}  # none exists; the first one is found after a quarter of a second


def document(r, spans, pairs):
    """A schema whose limits of 2 a head need a search, and a text with that many candidates."""
    types = ["A", "B", "C"]
    schema = {"scale": "log_odds", "entities": types, "relations": {
        "rel": {"head": ["A", "B"], "tail": ["B", "C"], "max_per_head": 2, "max_per_tail": 2},
        "sym": {"head": ["A"], "tail": ["A"], "symmetric": True, "max_per_head": 2}}}
    text = "x" * (spans * 2 + 8)
    entities = []
    for i in range(spans):
        begin = r.randrange(spans * 2)
        entities.append({"start": begin, "end": begin + 1 + r.randrange(6),
                         "scores": {t: r.uniform(-1, 1) for t in types}})
    relations = [{"head": a, "tail": b, "scores": {t: r.uniform(-1, 1) for t in ("rel", "sym")}}
                 for a, b in (r.sample(range(spans), 2) for _ in range(pairs))]
    return schema, {"text": text, "spans": entities, "pairs": relations}


# ------------------------------------------------------------------------------ runs
def run(command, send=None, after=0.0):
    """Seconds by the clock (from the signal, if one is sent), processor seconds, exit code, what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if send is not None:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            start = time.monotonic()
            process.send_signal(send)
    out, _ = process.communicate()
    spent = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent, usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime, process.returncode, out


class Report:
    def __init__(self, patience):
        self.patience, self.late, self.silent = patience, 0, 0

    def add(self, what, limit, over, cpu_over, cpu, code, out, answer_known):
        try:
            answer = json.loads(out.splitlines()[0])
        except (IndexError, ValueError):
            answer = {}
        late = over > self.patience
        self.late += late and cpu_over > self.patience
        found = [s["value"] for s in answer.get("k_best", [])] or [answer.get("value")]
        silent = answer_known and found[0] is None
        disordered = any(a < b - 1e-9 for a, b in zip(found, found[1:]))
        self.silent += silent or disordered
        mark = " *" if late and cpu_over > self.patience else " (clock)" if late else ""
        mark += " NO ANSWER" if silent else " NOT BEST FIRST" if disordered else ""
        print(f"{what:44} {limit:>8} over {over:+6.2f} s, processor {cpu:5.2f} s, exit {code:4} "
              f"{answer.get('status', '-'):10} {found[0]}{mark}", flush=True)


def limited(report, what, command, limits, base, answer_known=False):
    for limit in limits:
        spent, cpu, code, out = run(command + ["--time-limit", str(limit)])
        report.add(what, f"{limit} s", spent - base[0] - limit, cpu - base[1] - limit, cpu, code, out, answer_known)


def signalled(report, what, command, after, idle):
    for name in ("SIGINT", "SIGTERM"):
        spent, cpu, code, out = run(command, getattr(signal, name), after)
        if code in (0, 1):
            continue  # done before it came
        report.add(what, name, spent - idle, cpu - after, cpu, code, out, False)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("binary")
    arguments.add_argument("--family", action="append")
    arguments.add_argument("--method", action="append")
    arguments.add_argument("--limits", default="0.1,0.5,2")
    arguments.add_argument("--patience", type=float, default=0.2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--quick", action="store_true")
    a = arguments.parse_args()
    limits = [0.1] if a.quick else [float(x) for x in a.limits.split(",")]
    families = a.family or (["potts10", "structured"] if a.quick else list(PROBLEMS) + ["document"])
    report = Report(a.patience)
    with tempfile.TemporaryDirectory() as folder:
        for family in families:
            r = random.Random(a.seed)
            path = os.path.join(folder, family + ".json")
            if family == "document":
                schema, text = document(r, 1000, 3000)
                for name, data in (("schema.json", schema), ("document.jsonl", text)):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                        f.write(json.dumps(data) + "\n")
                command = [a.binary, "extract", "--schema", os.path.join(folder, "schema.json"),
                           os.path.join(folder, "document.jsonl"), "--json", "--quiet", "--threads", "1"]
                base = run(command + ["--brief", "--time-limit", "0"])
                for what in ([], ["--brief"], ["--explain"], ["--k-best", "3"], ["--certificate", path + ".proof"]):
                    limited(report, "extract " + " ".join(what[:1]), command + what, limits, base, True)
                    signalled(report, "extract " + " ".join(what[:1]), command + what, 0.3, 0)
                continue
            with open(path, "w", encoding="utf-8") as f:
                json.dump(PROBLEMS[family](r), f)
            plain = [a.binary, "solve", path, "--json", "--no-explain", "--threads", "1"]
            base = run(plain + ["--method", "local"])
            known = family not in NO_ANSWER and not a.quick  # what a loaded machine finds in 0.1 s decides no test
            for method in a.method or METHODS:
                name, *backend = method.split()
                command = plain + ["--method", name] + (["--backend"] + backend if backend else [])
                limited(report, f"{family} {method}", command, limits, base, known and name == "exact")
                if not a.quick or name == "branch_and_bound":
                    signalled(report, f"{family} {method}", command, base[0] + (0.1 if a.quick else 0.3), 0)
            for what in (["--k-best", "5"], ["--margins"], ["--certificate", path + ".proof"], ["--explain"]):
                command = [x for x in plain if x != "--no-explain" or what[0] != "--explain"] + what
                limited(report, f"{family} exact {what[0]}", command, limits, base, known)
                if not a.quick:
                    signalled(report, f"{family} exact {what[0]}", command, base[0] + 0.3, 0)
    print(f"{report.late} overran by more than {a.patience} s, {report.silent} gave no answer or not the best first")
    return 1 if report.late or report.silent else 0


if __name__ == "__main__":
    sys.exit(main())
