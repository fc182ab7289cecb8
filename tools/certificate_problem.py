"""Problems as docs/formats.md has them, for check_certificate.py: variables, groups and the kinds of factors.

A factor is a machine that reads its literals one by one: `start`, `order`, and read(memory, k, is literal k
true), which is what it remembers then (None: nothing allows this) and what that scores. What it says of an answer is
one reading; its best is one dynamic program over what it remembers, whatever its kind (Rule in certificate_rules.py).
"""
import math

INF = math.inf


def slack(side):  # what rounding may add to a sum without breaking it
    return 1e-9 * (1 + abs(side)) if math.isfinite(side) else 0.0


def score_or_null(x):
    return -INF if x is None else x


def row_machine(c, lower, upper):
    """lower <= sum of c of true ones <= upper: remembers the least and the most that the sum may become."""
    low, high = lower - slack(lower), upper + slack(upper)

    def read(memory, k, on):
        x = c[k] if on else 0.0
        least, most = memory[0] + x - min(c[k], 0.0), memory[1] + x - max(c[k], 0.0)
        return ((least, most) if least <= high and low <= most else None), 0.0
    start = sum(min(x, 0.0) for x in c), sum(max(x, 0.0) for x in c)
    return start if start[0] <= high and low <= start[1] else None, range(len(c)), read


def or_machine(n):
    """The last one is the OR of the others: remembers whether there was a true one."""
    def read(some, k, on):
        return (some or on if k < n - 1 else some if some == on else None), 0.0
    return False, range(n), read


def disjoint_machine(spans):
    """No two true ones overlap: read by their begins, remembers where the true ones end."""
    def read(end, k, on):
        begin, after = spans[k]
        if not on or begin >= after:
            return max(end, begin), 0.0
        return (after if end <= begin else None), 0.0
    return -INF, sorted(range(len(spans)), key=lambda k: spans[k][0]), read


def table_machine(sizes, scores):
    """Axes of so many literals (one: its two values): remembers the entry so far, and what is true of the axis."""
    axis_of = [(n, k) for n in sizes for k in range(n)]

    def read(memory, i, on):
        (entry, chosen), (n, k) = memory, axis_of[i]
        if on and chosen is not None:
            return None, 0.0
        chosen = int(on) if n == 1 else k if on else chosen
        if k < n - 1:
            return (entry, chosen), 0.0
        if chosen is None:
            return None, 0.0
        entry = entry * max(n, 2) + chosen
        return (entry, None), score_or_null(scores[entry]) if i == len(axis_of) - 1 else 0.0
    return (0, None), range(len(axis_of)), read


SIDES = {"exactly_one": (1, 1), "exactly_one_output": (1, 1), "at_most_one": (-INF, 1), "not_both": (-INF, 1),
         "at_least_one": (1, INF), "implies": (1, INF), "equal": (0, 0), "count": (0, INF),
         "linear": (-INF, INF)}  # lower and upper side of those that are one row


class Factor:
    """links: (variable, negated). Broken it costs `cost`. rows: (coefficients, lower, upper), if it is rows;
    spans: of intervals; tree: the best of those that have an algorithm of their own."""

    def __init__(self, f, at, groups):
        self.kind, self.cost, self.spans, self.tree, self.rows = f["kind"], f.get("cost", INF), None, None, []
        axes = [x if isinstance(x, list) else groups.get(x, [x]) for x in f.get("axes", [])]
        names = f.get("literals", []) + [x for axis in axes for x in axis] + ([f["output"]] if "output" in f else [])
        n, last = len(names), len(names) - 1
        flipped = {"and_output": range(n), "implies": [0], "exactly_one_output": [last]}.get(self.kind, ())
        self.links = [(at[x.removeprefix("!")], (x[0] == "!") != (i in flipped)) for i, x in enumerate(names)]
        if self.kind in SIDES:
            c = f.get("coefficients", [1.0, -1.0] if self.kind == "equal" else [1.0] * n)
            lower, upper = SIDES[self.kind]
            self.rows = [(c, f.get("lower", lower), f.get("upper", upper))]
            machine = row_machine(*self.rows[0])
        elif self.kind in ("or_output", "and_output"):  # output <= sum of the others, each of them <= output
            self.rows = [([1.0] * last + [-1.0], 0, INF)] + [
                ([-1.0 if j == i else 0.0 for j in range(last)] + [1.0], 0, INF) for i in range(last)]
            machine = or_machine(n)
        elif self.kind == "disjoint":
            self.spans = f["intervals"]
            machine = disjoint_machine(self.spans)
        elif self.kind == "table":
            machine = table_machine([len(axis) for axis in axes], f["scores"])
        else:
            import certificate_structures
            machine, self.tree = certificate_structures.machine(f)
        self.start, self.order, self.read = machine
        self.scores = f.get("scores", [])
        self.scored = self.cost < INF or not (self.rows or self.spans is not None or (
            self.kind == "table" and not any(self.scores)))  # it adds to the value

    def own(self, z):
        """0, its own score, or minus its cost where it is broken."""
        if self.tree:
            return 0.0 if self.tree([0.0] * len(z), z) > -INF else -self.cost
        memory, score = self.start, 0.0
        for k in self.order:
            if memory is not None:
                memory, gain = self.read(memory, k, z[k])
                score += gain
        return -self.cost if memory is None or score == -INF else score


class Problem:
    """Variables, groups of which exactly one is 1, fixed values, factors."""

    def __init__(self, data):
        self.names, self.score, self.groups, named = [], [], [], {}
        for key in [k for k in data if k in ("variables", "groups")]:
            entries, inner = data[key], "score" if key == "variables" else "states"
            if isinstance(entries, dict):
                entries = [{"name": n, inner: y} for n, y in entries.items()]
            for x in entries:
                if isinstance(x, dict) and "states" in x:
                    name, states, first = x.get("group", x.get("name")), x["states"], len(self.names)
                    if isinstance(states, dict):
                        states = [{"name": n, "score": y} for n, y in states.items()]
                    for i, y in enumerate(states):
                        y = y if isinstance(y, dict) else {"score": y}
                        self.add(name and f"{name}={y.get('name', i)}", y)
                    self.groups.append(range(first, len(self.names)))
                    named[name] = self.names[first:]
                else:
                    x = x if isinstance(x, dict) else {"score": x}
                    self.add(x.get("name"), x)
        self.at = {n: v for v, n in enumerate(self.names)}
        self.fixed = {self.at[n]: bool(x) for n, x in data.get("fixed", {}).items()}
        self.factors = [Factor(f, self.at, named) for f in data.get("factors", [])]

    def add(self, name, entry):
        self.names.append(f"x{len(self.names)}" if name is None else name)
        self.score.append(float(entry.get("score", 0)))

    def evaluate(self, on):
        """What an answer is worth; on: the variables that are 1."""
        if any((v in on) != x for v, x in self.fixed.items()) or any(
                sum(v in on for v in g) != 1 for g in self.groups):
            return -INF
        return sum(self.score[v] for v in on) + sum(
            f.own([(v in on) != negated for v, negated in f.links]) for f in self.factors)
