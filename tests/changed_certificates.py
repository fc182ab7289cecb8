"""Changed certificates: none may prove less than the optimum, and claims changed in favour are refused.

    changed_certificates.py problems.jsonl certificates.jsonl
"""
import copy
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import certificate_forests  # noqa: E402
import check_certificate as checker  # noqa: E402

READ_ERRORS = (ValueError, KeyError, TypeError, IndexError, AttributeError)


def refused(problem, certificate):
    try:
        return checker.check(problem, certificate)[0].startswith("refused")
    except READ_ERRORS:
        return True


def number_places(steps):
    """Every number of the log: a list that holds it, and where."""
    found = []

    def look(value):
        for i, x in enumerate(value):
            if isinstance(x, list):
                look(x)
            elif isinstance(x, (int, float)):
                found.append((value, i))
    look(steps)
    return found


def change(r, steps):
    kind = r.randrange(5)
    if kind == 0 and len(steps) > 1:
        del steps[r.randrange(len(steps))]
    elif kind == 1:
        steps.insert(r.randrange(len(steps) + 1), copy.deepcopy(r.choice(steps)))
    else:
        places = number_places(steps)
        if not places:
            return
        where, i = r.choice(places)
        where[i] = where[i] + (r.gauss(0, 2) if isinstance(where[i], float) else r.choice([-2, -1, 1, 2]))


def false_proofs():
    """Logs that were, or might be, believed to prove less than the optimum: how many are."""
    believed = 0
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "false_proofs.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for problem, certificate in zip(lines[::2], lines[1::2]):
        if not refused(problem, certificate):
            print(f"believed: {problem['name']}")
            believed += 1
    return believed


def odd_numbers():
    """Numbers that are none, nesting without end: how many are read."""
    read = 0
    for text in ("[NaN]", "[-Infinity]", "[1e999]", "[" * 100000):
        try:
            checker.read(text)
            read += 1
        except (ValueError, RecursionError):
            pass
    return read


def main(problems, certificates):
    if false_proofs() or odd_numbers():
        return 1
    r = random.Random(7)
    counts = {"refused": 0, "accepted": 0, "wrong": 0, "claims": 0}
    with open(problems, encoding="utf-8") as p, open(certificates, encoding="utf-8") as c:
        cases = [(json.loads(a), json.loads(b)) for a, b in zip(p, c)]
    for n, (problem, certificate) in enumerate(cases):
        best = checker.score_or_null(certificate["value"])
        if best > -checker.INF:
            shift = 1e-5 * max(1, abs(best))
            for key, by in (("value", shift), ("bound", -shift)):
                changed = dict(certificate, **{key: certificate[key] + by})
                counts["claims"] += 1
                if not refused(problem, changed):
                    print(f"case {n}: {key} changed in favour is accepted")
                    counts["wrong"] += 1
            nothing = {"assignment": None, "derivations": [], "value": None, "bound": None}
            if not refused(dict(problem), {**certificate, **nothing}):
                print(f"case {n}: called infeasible")
                counts["wrong"] += 1
        for round in range(60):
            steps, graphs = copy.deepcopy(certificate["steps"]), copy.deepcopy(certificate.get("graphs", []))
            change(r, r.choice(graphs)["steps"] if graphs and round % 2 else steps)
            try:
                if "forests" in problem:
                    without = {k: v for k, v in problem.items() if k != "floor"}
                    reached = certificate_forests.forest_bound(without, steps, graphs)
                else:
                    reached = checker.Log(checker.Problem(problem), certificate["choices"]).run(steps)
            except (checker.Refused,) + READ_ERRORS:
                counts["refused"] += 1
                continue
            counts["accepted"] += 1
            if reached < best - 1e-5 * max(1, abs(best)):
                print(f"case {n}, change {round}: a bound of {reached} is accepted, the optimum is {best}: {steps}")
                counts["wrong"] += 1
    print(counts)
    return 0 if not counts["wrong"] and counts["refused"] > 500 and counts["accepted"] > 200 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
