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


# Logs that once proved too little: the best is 4 (x0 and x2).
CHAIN = {"variables": [{"name": f"x{i}", "score": i + 1.0} for i in range(3)],
         "factors": [{"kind": "not_both", "literals": [f"x{i}", f"x{i + 1}"]} for i in range(2)]}
ALL = [[0, 1], [2, 3], [4, 5]]
TRICKS = [
    # After a supposition all nodes count again, whatever parts it had.
    [["suppose", 2], ["close", 0, 4], ["part", 5], ["bound", -1], ["bound", -1], ["bound", -1]],
    # Nothing is moved from a node that is gone.
    [["pairs"] + ALL, ["eliminate", 0], ["price", -1, [], [], [], [[0, 1, -9.0, -9.0, 0.0, 0.0]]], ["bound", 0]],
    [["pairs"] + ALL, ["price", -1, [], [], [], [[0, 1, -9.0, -9.0, 0.0, 0.0]]], ["eliminate", 0], ["bound", 0]],
    # Steps of which the scores are no multiples, also where others in scope are.
    [["grid", 7.0], ["price", -1, [[0, 0, 1.0], [1, 0, 1.0]], [], [], []], ["bound", 0]],
    [["grid", 2.5], ["price", -1, [[0, 0, 1.0], [1, 0, 1.0]], [], [], []], ["bound", 0]],
    [["suppose", 0], ["grid", 3.0], ["bound", -1], ["grid", -1.0], ["bound", -1]],
    # Columns that are not alike, by score or by a rule; a variable twice.
    [["alike", [0], [4]], ["bound", -1]],
    [["alike", [0], [2]], ["bound", -1]],
    [["alike", [0, 4], [4, 0]], ["bound", -1]],
    [["alike", [0], [4], [0]], ["bound", -1]],
    [["part", 0], ["grid", 1.0], ["bound", -1], ["part", 2, 4], ["grid", 2.0], ["bound", -1], ["bound", -1]],
]


def tricks():
    """How many of them are believed."""
    believed = 0
    for steps in TRICKS:
        try:
            reached = checker.Log(checker.Problem(CHAIN), []).run(copy.deepcopy(steps))
            believed += reached < 4 - 1e-6
            print(f"{steps}: {reached}")
        except (checker.Refused,) + READ_ERRORS as why:
            print(f"{steps}: {why}")
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
    if tricks() or odd_numbers():
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
