#!/usr/bin/env python3
"""A second checker of certificates, which shares nothing with the engine.

    check_certificate.py problem.json certificate.json
    check_certificate.py problems.jsonl certificates.jsonl     (one of each a line)
    check_certificate.py proofs.jsonl                          (a problem, then its certificate, and so on)

Reads what docs/formats.md and docs/certificates.md describe and goes through the log once, with textbook
code for the best of a single factor. Exit code as of `entente verify`: 0 if every certificate is accepted and
proves an optimum (or that there is none), 1 if not, 2 if the input cannot be read. Standard library only.
"""
import itertools
import json
import math
import sys
from bisect import bisect_left

INF = math.inf


class Refused(Exception):
    pass


def need(holds, why):
    if not holds:
        raise Refused(why)


def slack(side):  # what rounding may add to a sum without breaking it
    return 1e-9 * (1 + abs(side)) if math.isfinite(side) else 0.0


def score_or_null(x):
    return -INF if x is None else x


# ------------------------------------------------------------------------------ one factor
class Factor:
    """links: (variable, negated). Rows are lower <= sum coefficient * link <= upper."""

    def __init__(self, f, at, groups):
        def literal(text):
            return (at[text[1:]], True) if text[0] == "!" else (at[text], False)

        self.f, self.kind, self.cost = f, f["kind"], f.get("cost", INF)
        links = [literal(x) for x in f.get("literals", [])]
        if "output" in f:
            links.append(literal(f["output"]))
        flipped = {"and_output": range(len(links)), "implies": [0],
                   "exactly_one_output": [len(links) - 1]}.get(self.kind, [])
        self.links = [(v, n != (i in flipped)) for i, (v, n) in enumerate(links)]
        n, ones = len(links), [1.0] * len(links)
        self.row = {"exactly_one": (ones, 1, 1), "exactly_one_output": (ones, 1, 1),
                    "at_most_one": (ones, -INF, 1), "not_both": (ones, -INF, 1),
                    "at_least_one": (ones, 1, INF), "implies": (ones, 1, INF),
                    "equal": ([1.0, -1.0], 0, 0),
                    "count": (ones, f.get("lower", 0), f.get("upper", n)),
                    "linear": (f.get("coefficients"), f.get("lower", -INF), f.get("upper", INF))
                    }.get(self.kind)
        if self.kind == "table":
            self.axes = [[(v, False) for v in groups[a]] if isinstance(a, str) and a in groups
                         else [literal(a)] if isinstance(a, str) else [literal(x) for x in a]
                         for a in f["axes"]]
            self.links = [x for axis in self.axes for x in axis]
            self.scores = [score_or_null(x) for x in f["scores"]]
        self.tree = self.kind in ("arborescence", "projective_tree")
        self.whole = self.tree or self.kind in ("table", "sequence", "head_automaton") or (
            self.kind == "disjoint" and self.cost < INF)
        self.scored = self.cost < INF or (self.whole and not (
            self.kind == "table" and all(x in (0, -INF) for x in self.scores)))

    def own(self, z):
        x = self.plain(z)
        return -self.cost if x == -INF else x

    def plain(self, z):  # 0 or its own score; -infinity: not allowed
        if self.row:
            c, lower, upper = self.row
            total = sum(x for x, on in zip(c, z) if on)
            return 0.0 if lower - slack(lower) <= total <= upper + slack(upper) else -INF
        if self.kind in ("or_output", "and_output"):
            return 0.0 if any(z[:-1]) == z[-1] else -INF
        if self.kind == "disjoint":
            taken = sorted(i for i, on in zip(self.f["intervals"], z) if on and i[0] < i[1])
            return 0.0 if all(a[1] <= b[0] for a, b in zip(taken, taken[1:])) else -INF
        if self.kind == "table":
            entry = first = 0
            for axis in self.axes:
                on = [i for i in range(len(axis)) if z[first + i]]
                if len(axis) > 1 and len(on) != 1:
                    return -INF
                entry = entry * max(2, len(axis)) + (len(on) if len(axis) == 1 else on[0])
                first += len(axis)
            return self.scores[entry]
        return self.best([0.0] * len(z), [bool(on) for on in z], True)

    def best(self, w, clamp, kept=False):
        """The best of w . z + own(z), or more, over z that agree with clamp (None: free)."""
        hard = self.best_kept(w, clamp)
        if self.cost == INF or kept:
            return hard
        free = [i for i, c in enumerate(clamp) if c is None]
        if self.whole and len(free) <= 10:
            z, most = [bool(c) for c in clamp], -INF
            for values in itertools.product((False, True), repeat=len(free)):
                for i, on in zip(free, values):
                    z[i] = on
                most = max(most, sum(x for x, on in zip(w, z) if on) + self.own(z))
            return most
        return max(hard, sum(max(0.0, x) if c is None else x * c for x, c in zip(w, clamp)) - self.cost)

    def best_kept(self, w, clamp):
        base = sum(x for x, c in zip(w, clamp) if c)
        free = [i for i, c in enumerate(clamp) if c is None]
        if self.row:
            return base + self.best_row(w, clamp, free)
        if self.kind in ("or_output", "and_output"):
            off, on = ([x * v if c is None or c == v else -INF for x, c in zip(w, clamp)] for v in (0, 1))
            pairs = list(zip(off[:-1], on[:-1]))
            some = sum(max(p) for p in pairs) + on[-1] if pairs else -INF
            if pairs and all(a > b for a, b in pairs):
                some -= min(a - b for a, b in pairs)
            return max(sum(off), some)
        if self.kind == "disjoint":
            spans = self.f["intervals"]
            forced = sorted(spans[i] for i, c in enumerate(clamp) if c and spans[i][0] < spans[i][1])
            if any(a[1] > b[0] for a, b in zip(forced, forced[1:])):
                return -INF
            base += sum(max(0.0, w[i]) for i in free if spans[i][0] >= spans[i][1])
            bids = [(spans[i][0], spans[i][1], w[i]) for i in free if spans[i][0] < spans[i][1] and all(
                e <= spans[i][0] or spans[i][1] <= b for b, e in forced)]
            return base + (schedule(bids)[0][-1] if bids else 0.0)
        if self.kind == "table":
            worth, first = [], 0
            for axis in self.axes:
                c, x = clamp[first:first + len(axis)], w[first:first + len(axis)]
                ones = sum(1 for v in c if v)
                worth.append([-INF if c[0] else 0.0, -INF if c[0] is False else x[0]] if len(axis) == 1 else
                             [v if (b and ones == 1) or (b is None and not ones) else -INF for v, b in zip(x, c)])
                first += len(axis)
            return max((sum(x) + s for x, s in zip(itertools.product(*worth), self.scores)), default=-INF)
        if self.kind == "sequence":
            return best_sequence(self.f, choices(w, clamp, [i // self.f["labels"] for i in range(len(w))]))
        if self.tree:
            return best_tree(self.f, choices(w, clamp, [a[1] for a in self.f["arcs"]]))
        return best_automaton(self.f, w, clamp)

    def best_row(self, w, clamp, free):
        c, lower, upper = self.row
        done = sum(x for x, v in zip(c, clamp) if v)
        lower, upper = lower - slack(lower) - done, upper + slack(upper) - done
        if all(c[i] == 1 for i in free):
            total, most = 0.0, 0.0 if lower <= 0 <= upper else -INF
            for k, x in enumerate(sorted((w[i] for i in free), reverse=True), 1):
                total += x
                most = max(most, total if lower <= k <= upper else -INF)
            return most
        sums, least, most = {0.0: 0.0}, sum(min(0, c[i]) for i in free), sum(max(0, c[i]) for i in free)
        for i in free:
            least, most = least - min(0, c[i]), most - max(0, c[i])
            new = {}
            for s, x in sums.items():
                for t, y in ((s, x), (s + c[i], x + w[i])):
                    if t + least <= upper and t + most >= lower:
                        new[t] = max(new.get(t, -INF), y)
            sums = new
            if len(sums) > 20000:  # the linear relaxation instead, by any price
                def at(mu):
                    return mu * (upper if mu > 0 else lower) + sum(max(0.0, w[j] - mu * c[j]) for j in free)
                prices = [w[j] / c[j] for j in free if c[j]]
                return min(at(mu) for mu in [0.0] + prices if math.isfinite(upper if mu > 0 else lower) or mu == 0)
        return max((x for s, x in sums.items() if lower <= s <= upper), default=-INF)


def choices(w, clamp, of):  # exactly one of each set is chosen: what clamps leave of the worths
    ones = {}
    for i, c in enumerate(clamp):
        if c:
            ones.setdefault(of[i], []).append(i)
    return [-INF if c is False or ones.get(of[i], [i]) != [i] else w[i] for i, c in enumerate(clamp)]


def schedule(bids):
    """Weighted intervals: ends, best of those that end by each, best of those that begin there."""
    ends = sorted({x for b in bids for x in b[:2]})
    place = {x: i for i, x in enumerate(ends)}
    forward, backward = [0.0] * len(ends), [0.0] * len(ends)
    by_end, by_begin = {}, {}
    for b, e, x in bids:
        by_end.setdefault(e, []).append((place[b], x))
        by_begin.setdefault(b, []).append((place[e], x))
    for i, end in enumerate(ends):
        forward[i] = max([forward[i - 1] if i else 0.0] + [forward[j] + x for j, x in by_end.get(end, [])])
    for i in reversed(range(len(ends))):
        after = backward[i + 1] if i + 1 < len(ends) else 0.0
        backward[i] = max([after] + [backward[j] + x for j, x in by_begin.get(ends[i], [])])
    return forward, backward, place


def best_sequence(f, w):
    size, steps = f["labels"], f["transitions"]
    value = w[:size]
    for t in range(1, f["length"]):
        at = (t - 1) * size * size if len(steps) > size * size else 0
        value = [w[t * size + j] + max(value[i] + score_or_null(steps[at + i * size + j]) for i in range(size))
                 for j in range(size)]
    return max(value)


def best_automaton(f, w, clamp):
    left, right, uppers = f["left"], f["right"], f["uppers"]
    n, pairs = left + right, [score_or_null(x) for x in f["pairs"]]
    grand = [score_or_null(x) for x in f.get("grand") or [0] * (uppers * n)]

    def side(first, k, at, extra):  # a chain of true arcs, outwards
        def must(lo, hi):
            return any(clamp[first + j] for j in range(lo, hi))
        value, most = [-INF] * k, -INF if must(0, k) else 0.0
        for m in range(k):
            if clamp[first + m] is not False:
                row = at + m * (m + 1) // 2
                came = [pairs[row]] if not must(0, m) else []
                came += [value[j] + pairs[row + 1 + j] for j in range(m) if not must(j + 1, m)]
                value[m] = max(came, default=-INF) + w[first + m] + extra[first + m]
            if not must(m + 1, k):
                most = max(most, value[m] + pairs[at + k * (k + 1) // 2 + m])
        return most

    def both(extra):
        return side(0, left, 0, extra) + side(left, right, left * (left + 3) // 2, extra)
    if not uppers:
        return both([0.0] * n)
    top = choices(w[n:], clamp[n:], [0] * uppers)
    return max(x + both(grand[u * n:u * n + n]) if x > -INF else -INF for u, x in enumerate(top))


def best_tree(f, w):
    n, single = f["nodes"], f.get("single_root", False)
    arc = {tuple(a): x for a, x in zip(f["arcs"], w)}
    if f["kind"] == "arborescence":
        roots = [m for m in range(1, n + 1) if (0, m) in arc]
        if not single:
            return best_arborescence(n + 1, arc)
        return max((best_arborescence(n + 1, {a: x for a, x in arc.items() if a[0] or a[1] == r}) for r in roots),
                   default=-INF)
    # Eisner: [i][j] of complete and incomplete spans headed left or right.
    grid = [[[-INF] * (n + 1) for _ in range(n + 1)] for _ in range(4)]
    right, left, open_right, open_left = grid
    for i in range(n + 1):
        right[i][i] = left[i][i] = 0.0
    for width in range(1, n + 1):
        for i in range(n + 1 - width):
            j = i + width
            inner = max(right[i][k] + left[k + 1][j] for k in range(i, j))
            open_right[i][j] = inner + arc.get((i, j), -INF)
            open_left[i][j] = inner + arc.get((j, i), -INF)
            right[i][j] = max(open_right[i][k] + right[k][j] for k in range(i + 1, j + 1))
            left[i][j] = max(left[i][k] + open_left[k][j] for k in range(i, j))
    if not single:
        return right[0][n]
    return max(left[1][r] + arc.get((0, r), -INF) + right[r][n] for r in range(1, n + 1))


def best_arborescence(n, arc):  # Chu, Liu and Edmonds: contract circles of best arcs; root 0
    into = {}
    for (a, b), x in arc.items():
        if b and a != b and x > into.get(b, (None, -INF))[1]:
            into[b] = (a, x)
    if len(into) < n - 1:
        return -INF
    for start in into:
        path, at = [], start
        while at in into and at not in path:
            path.append(at)
            at = into[at][0]
        if at in path:
            circle = set(path[path.index(at):])
            rest = [v for v in range(1, n) if v not in circle]
            name = {0: 0, **{v: i + 2 for i, v in enumerate(rest)}, **{v: 1 for v in circle}}
            new = {}
            for (a, b), x in arc.items():
                if x > -INF and name[a] != name[b]:
                    key, y = (name[a], name[b]), x - (into[b][1] if b in circle else 0.0)
                    new[key] = max(new.get(key, -INF), y)
            return sum(into[v][1] for v in circle) + best_arborescence(len(rest) + 2, new)
    return sum(x for _, x in into.values())


# ------------------------------------------------------------------------------ the problem
class Problem:
    def __init__(self, data):
        self.names, self.score, self.groups, named = [], [], [], {}

        def variable(name, score):
            self.names.append(f"x{len(self.names)}" if name is None else name)
            self.score.append(float(score))

        def group(name, states):
            first = len(self.names)
            if isinstance(states, dict):
                states = [{"name": n, "score": x} for n, x in states.items()]
            for i, s in enumerate(states):
                s = s if isinstance(s, dict) else {"score": s}
                variable(None if name is None else f"{name}={s.get('name', i)}", s.get("score", 0))
            self.groups.append(range(first, len(self.names)))
            named[name] = self.groups[-1]

        for key in [k for k in data if k in ("variables", "groups")]:
            part = data[key]
            if isinstance(part, dict):
                part = [{"name": n, "score" if key == "variables" else "states": x} for n, x in part.items()]
            for x in part:
                if isinstance(x, dict) and "states" in x:
                    group(x.get("group", x.get("name")), x["states"])
                else:
                    variable(*(x.get("name"), x.get("score", 0)) if isinstance(x, dict) else (None, x))
        at = {n: v for v, n in enumerate(self.names)}
        self.fixed = {at[n]: bool(x) for n, x in data.get("fixed", {}).items()}
        self.factors = [Factor(f, at, named) for f in data.get("factors", [])]

    def evaluate(self, on):
        if any((v in on) != x for v, x in self.fixed.items()) or any(
                sum(v in on for v in g) != 1 for g in self.groups):
            return -INF
        return sum(self.score[v] for v in on) + sum(
            f.own([(v in on) != negated for v, negated in f.links]) for f in self.factors)


class Row:
    def __init__(self, entries, lower, upper, broken, node):
        self.c, self.lower, self.upper, self.broken = entries, lower, upper, broken
        self.nodes = {}
        for s in entries:
            self.nodes.setdefault(node[s], []).append(s)


class Checker:
    """What is open, and what single rules say about it."""

    def __init__(self, problem, chosen):
        self.p, self.node, self.nodes, self.score = problem, {}, [], {}
        self.shut = set()
        self.variables, self.factors = len(problem.score), problem.factors
        self.next_state = 2 * (self.variables + len(self.factors))
        for f in chosen:
            need(0 <= f < len(self.factors) and self.factors[f].row and self.factors[f].row[1:] == (1, 1) and
                 self.factors[f].kind.startswith("exactly_one") and self.factors[f].cost == INF and
                 not any(negated for _, negated in self.factors[f].links), "no choice")
        for vs in list(problem.groups) + [[v for v, _ in self.factors[f].links] for f in chosen]:
            self.new_node([2 * v for v in vs], [problem.score[v] for v in vs])
        for v, x in enumerate(problem.score):
            if 2 * v not in self.node:
                self.new_node([2 * v, 2 * v + 1], [x, 0.0])
        self.rows, self.lines, self.cuts, self.made, self.prices = {}, {}, [], [], []
        self.whole = {}  # the undivided factors, each with its nodes
        for f, factor in enumerate(self.factors):
            if f not in chosen:
                self.add_factor(f, factor)
        self.at_rows = [[] for _ in self.nodes]
        for row in (r for f in sorted(self.rows) for r in self.rows[f]):
            self.index(row)
        self.at_lines, self.at_whole = [[] for _ in self.nodes], [[] for _ in self.nodes]
        for line in self.lines.values():
            for n in {self.node[s] for s, _, _ in line}:
                self.at_lines[n].append(line)
        for f, ns in self.whole.items():
            for n in ns:
                self.at_whole[n].append(f)
        for v, x in problem.fixed.items():
            self.shut.update([s for s in self.nodes[self.node[2 * v]] if s != 2 * v] if x else [2 * v])
        self.count = [len(self.open(n)) for n in range(len(self.nodes))]
        self.at_linear = {}
        for f, factor in enumerate(self.factors):
            for n in {self.node[2 * v] for v, _ in factor.links if factor.kind == "linear"}:
                self.at_linear.setdefault(n, []).append(f)
        self.part = [0] * len(self.nodes)
        self.part_of = {f: 0 for f in self.whole}
        self.scope, self.current, self.parts = list(range(len(self.nodes))), 0, 0

    def new_node(self, states, scores):
        for s, x in zip(states, scores):
            need(s not in self.node, "two nodes share a variable")
            self.node[s], self.score[s] = len(self.nodes), x
        self.nodes.append(states)

    def index(self, row):
        for n in list(row.nodes) + ([self.node[row.broken]] if row.broken is not None else []):
            self.at_rows[n].append(row)

    def add_factor(self, f, factor):
        if factor.kind == "disjoint" and factor.cost == INF:
            spans = [(self.state(x), i) for x, i in zip(factor.links, factor.f["intervals"]) if i[0] < i[1]]
            self.lines[f] = [(s, i[0], i[1]) for s, i in spans if s is not None]
        if factor.whole or (f in self.lines and len(self.lines[f]) < len(spans)):
            self.whole[f] = {self.node[2 * v] for v, _ in factor.links}
        if factor.whole or f in self.lines:
            return
        broken = None
        if factor.cost < INF:
            broken = 2 * (self.variables + f)
            self.new_node([broken, broken + 1], [-factor.cost, 0.0])
        if factor.row:
            sums = [factor.row]
        else:  # or: output <= sum of the others, each of the others <= output
            others = len(factor.links) - 1
            sums = [([1.0] * others + [-1.0], 0, INF)] + [
                ([-1.0 if j == i else 0.0 for j in range(others)] + [1.0], 0, INF) for i in range(others)]
        self.rows[f] = []
        for c, lower, upper in sums:
            entries = {}
            for (v, negated), x in zip(factor.links, c):
                s = self.state((v, negated))
                if s is None:  # "not in this state" of a group: 1 - [state]
                    s, x, lower, upper = 2 * v, -x, lower - x, upper - x
                if x or factor.row:
                    entries[s] = x
            self.rows[f].append(Row(entries, lower, upper, broken, self.node))

    def state(self, link):  # that says the literal is true
        s = 2 * link[0] + link[1]
        return s if s in self.node else None

    def open(self, n):
        return [s for s in self.nodes[n] if s not in self.shut]

    def value(self, link, chosen):  # of a literal, with some states chosen; None: undecided
        s, n = 2 * link[0], self.node[2 * link[0]]
        for c in chosen:
            if self.node[c] == n:
                return (c == s) != link[1]
        if s in self.shut:
            return link[1]
        return (not link[1]) if self.count[n] == 1 else None

    def own(self, f, *chosen):
        return self.factors[f].own([bool(self.value(x, chosen)) for x in self.factors[f].links])

    def undecided(self, f):
        return sorted({self.node[2 * x[0]] for x in self.factors[f].links if self.value(x, ()) is None})

    def best(self, f, shares=None, chosen=()):
        links, shares = self.factors[f].links, shares or [0.0] * len(self.factors[f].links)
        return sum(x for x, link in zip(shares, links) if link[1]) + self.factors[f].best(
            [-x if link[1] else x for x, link in zip(shares, links)], [self.value(x, chosen) for x in links])

    def reach(self, row, chosen=None):
        least = most = 0.0
        for n, states in row.nodes.items():
            if chosen is not None and self.node[chosen] == n:
                values = [row.c.get(chosen, 0.0)]
            else:
                values = [row.c[s] for s in states if s not in self.shut]
                if len(values) < self.count[n] or not values:
                    values.append(0.0)
            least, most = least + min(values), most + max(values)
        return least, most

    def speaks(self, row):
        return row.broken is None or row.broken + 1 not in self.shut

    def row_allows(self, row, s):
        if not self.speaks(row) or s == row.broken or (
                row.broken is not None and row.broken not in self.shut and s != row.broken + 1):
            return True
        least, most = self.reach(row, s)
        return least <= row.upper + slack(row.upper) and most >= row.lower - slack(row.lower)

    def closes(self, s):
        n = self.node[s]
        if any(not self.row_allows(row, s) for row in self.at_rows[n]):
            return True
        for line in self.at_lines[n]:
            for begin, end in [(b, e) for t, b, e in line if t == s]:
                hit = {}
                for t, b, e in line:
                    if b < end and begin < e and self.node[t] != n and t not in self.shut:
                        hit.setdefault(self.node[t], set()).add(t)
                if any(len(states) == self.count[m] for m, states in hit.items()):
                    return True
        return any(self.factors[f].cost == INF and self.best(f, None, (s,)) == -INF
                   for f in self.at_whole[n] + self.at_linear.get(n, []))

    def empty_at(self, n):
        return all(self.closes(s) for s in self.open(n)) or any(
            not self.count[m] for row in self.at_rows[n] for m in row.nodes)

    def excludes(self, s, t):  # whatever is open
        if s == t or self.node[s] == self.node[t]:
            return s != t
        for row in self.at_rows[self.node[s]]:
            others = [xs for n, xs in row.nodes.items() if n not in (self.node[s], self.node[t])]
            least, most = (row.c.get(s, 0) + row.c.get(t, 0) + sum(f([0.0] + [row.c[x] for x in xs]) for xs in others)
                           for f in (min, max))
            if row.broken is None and (least > row.upper + slack(row.upper) or most < row.lower - slack(row.lower)):
                return True
        for line in self.at_lines[self.node[s]]:
            a, b = ([x[1:] for x in line if x[0] == y] for y in (s, t))
            if any(x[0] < y[1] and y[0] < x[1] for x in a for y in b):
                return True
        both = {self.node[s], self.node[t]}
        return any(self.whole.get(f) == both and self.own(f, s, t) == -INF for f in self.at_whole[self.node[s]])

    def dominates(self, t, s):
        n = self.node[s]
        if self.node[t] != n or t == s or t in self.shut:
            return False
        worth = {t: self.score[t], s: self.score[s]}
        for f in self.at_whole[n]:
            others = [m for m in self.undecided(f) if m != n]
            if not others:
                worth = {x: worth[x] + self.own(f, x) for x in worth}
            elif len(others) == 1:
                if any(self.own(f, t, j) < self.own(f, s, j) for j in self.open(others[0])):
                    return False
            else:  # of intervals fewer are never worse, nor is one within another; else nothing may change
                moved = [(i, self.value(x, (t,))) for i, x in enumerate(self.factors[f].links)
                         if self.node[2 * x[0]] == n and self.value(x, (t,)) != self.value(x, (s,))]
                spans = self.factors[f].f.get("intervals")
                if moved and not spans:
                    return False
                gained, lost = ([spans[i] for i, on in moved if on == v and spans[i][0] < spans[i][1]]
                                for v in (True, False))
                if len(gained) > 1 or (gained and not any(
                        b <= gained[0][0] and gained[0][1] <= e for b, e in lost)):
                    return False
        return (worth[s] == -INF or worth[t] >= worth[s] - 1e-12 * (1 + abs(worth[s]))) and all(
            self.row_prefers(r, t, s) for r in self.at_rows[n]) and all(
            self.line_prefers(line, t, s) for line in self.at_lines[n])

    def row_prefers(self, row, t, s):
        ct, cs, slacked = row.c.get(t, 0.0), row.c.get(s, 0.0), row.broken is not None and row.broken in (t, s)
        if not self.speaks(row) or (ct == cs and not slacked):
            return True
        least, most = self.reach(row)
        over, under = most > row.upper + slack(row.upper), least < row.lower - slack(row.lower)
        if slacked:
            return t == row.broken or not (over or under)
        return not (ct > cs and over) and not (ct < cs and under)

    def line_prefers(self, line, t, s):
        for begin, end in [(b, e) for x, b, e in line if x == t]:
            within = any(x == s and b <= begin and end <= e for x, b, e in line)
            if not within and any(self.node[x] != self.node[t] and x not in self.shut and b < end and begin < e
                                  for x, b, e in line):
                return False
        return True

    # -------------------------------------------------------------------------- bounds
    def evaluate(self, price, scores=True):
        """The maxima at these prices, added up; then with_state() tells what a state would leave."""
        total, inside = 0.0, set(self.scope)
        w = self.weight = {s: self.score[s] if scores else 0.0 for n in self.scope for s in self.nodes[n]}
        shared = {f for f, _ in price["shares"]}
        for row, mu in price["rows"]:
            side = row.upper if mu > 0 else row.lower
            need(math.isfinite(side), "a row is priced on a side it does not have")
            for s, c in row.c.items():
                n = self.node[s]
                if n in inside:
                    w[s] -= mu * c
                elif s not in self.shut:
                    need(self.count[n] == 1, "a row is priced that reaches beyond its part")
                    side -= c
            total += mu * side
            if row.broken is not None and self.node[row.broken] in inside:
                least, most = self.reach(row)
                w[row.broken] += abs(mu) * max(0.0, most - row.upper if mu > 0 else row.lower - least)
            elif row.broken is not None:
                need(row.broken in self.shut, "a row is priced that reaches beyond its part")
        for f, shares in price["shares"]:
            need(scores, "a ray has no shares")
            if f in self.chosen:
                continue
            for (v, _), x in zip(self.factors[f].links, shares):
                need(self.node[2 * v] in inside, "a share reaches beyond its part")
                w[2 * v] -= x
            total += self.best(f, shares)
            broken = 2 * (self.variables + f)
            if broken in w:
                w[broken] = w[broken + 1] = 0.0
        for f, at in self.part_of.items():
            if at == self.current and f not in shared:
                total += self.add_whole(f, inside, scores)
        self.spans, keeps = {}, price["keeps"]
        for s, b, e in price["line"] or []:
            self.spans[s] = (b, e)
        self.top = {}
        for n in self.scope:
            states = self.open(n)
            best = max((w[s] for s in states), default=-INF)
            if n in keeps:
                best = max([best + min(0.0, keeps[n])] + [w[s] for s in states if s not in self.spans])
            self.top[n] = best
            total += best
        bids = [(b, e, w[s] - self.top[self.node[s]]) for s, b, e in price["line"] or []
                if s not in self.shut and self.node[s] in inside]
        self.forward, self.backward, self.place = schedule(bids)
        total += self.forward[-1] if bids else 0.0
        self.total = INF if math.isnan(total) else total
        if scores and not any(at == self.current for at in self.part_of.values()):
            least = sum(min((self.score[s] for s in self.open(n)), default=INF) for n in self.scope)
            if math.isfinite(least) and self.total < least - 1e-6 * (1 + abs(least)):
                return -INF  # less than any choice is worth: there is none
        return self.total

    def add_whole(self, f, inside, scores):
        def seen(x):
            return x if scores or x == -INF else 0.0
        left = self.undecided(f)
        if len(left) == 1 and left[0] in inside:
            for s in self.open(left[0]):
                self.weight[s] += seen(self.own(f, s))
            return 0.0
        return seen(self.own(f) if not left else self.best(f))

    def with_state(self, s):
        if self.total == -INF:
            return -INF
        rest = self.total - self.top[self.node[s]] + self.weight[s]
        if s in self.spans:  # in its place in the schedule, not on top of it
            b, e = self.spans[s]
            rest += self.forward[self.place[b]] + self.backward[self.place[e]] - self.forward[-1]
        return INF if math.isnan(rest) else rest


class Pairs:
    """Nodes and tables between them, into which the rules over one or two of them went."""

    def __init__(self, m, lists):
        self.m, self.lists, self.gone, self.tables = m, lists, set(), {}
        self.at = {m.node[states[0]]: i for i, states in enumerate(lists)}
        self.unary = {s: -INF if s in m.shut else m.score[s] for states in lists for s in states}
        rest = [n for n in m.scope if n not in self.at]
        moved = [f for f, at in m.part_of.items() if at == m.current and self.take_whole(f)]
        for f in moved:
            m.part_of[f] = -1
        whole, m.scope = m.scope, rest
        self.base = m.evaluate(NO_PRICE)
        m.scope = whole
        for f in moved:
            m.part_of[f] = m.current
        for row in {id(r): r for n in self.at for r in m.at_rows[n]}.values():
            self.add_row(row)
        for line in {id(x): x for n in self.at for x in m.at_lines[n]}.values():
            for (s, b, e), (t, c, d) in itertools.combinations(line, 2):
                if b < d and c < e:
                    self.forbid(s, t)

    def table(self, i, j):
        return self.tables.setdefault((min(i, j), max(i, j)), {})

    def get(self, i, s, j, t):
        return self.tables.get((min(i, j), max(i, j)), {}).get((s, t) if i < j else (t, s), 0.0)

    def add(self, i, s, j, t, x):
        key = (s, t) if i < j else (t, s)
        self.table(i, j)[key] = self.table(i, j).get(key, 0.0) + x

    def take_whole(self, f):
        m, left = self.m, self.m.undecided(f)
        if not left or len(left) > 2 or any(n not in self.at for n in left):
            return False
        for s in m.open(left[0]):
            if len(left) == 1:
                self.unary[s] += m.own(f, s)
            for t in m.open(left[1]) if len(left) == 2 else ():
                self.add(self.at[left[0]], s, self.at[left[1]], t, m.own(f, s, t))
        return True

    def forbid(self, s, t):
        m, a, b = self.m, self.m.node[s], self.m.node[t]
        if a == b or s in m.shut or t in m.shut:
            return
        if a in self.at and b in self.at:
            self.add(self.at[a], s, self.at[b], t, -INF)
        elif a in self.at and m.count[b] == 1:
            self.unary[s] = -INF
        elif b in self.at and m.count[a] == 1:
            self.unary[t] = -INF

    def add_row(self, row):
        m = self.m
        if not m.speaks(row):
            return
        sides = [(row.lower, row.upper, 0.0)]
        if row.broken is not None and row.broken not in m.shut:  # being broken widens a side
            least, most = m.reach(row)
            sides = [(-INF, row.upper, row.upper - most)] * (most > row.upper) + [
                (row.lower, INF, row.lower - least)] * (least < row.lower)
        for lower, upper, wide in sides:
            c = dict(row.c)
            if wide:
                c[row.broken] = wide
            nodes = list(dict.fromkeys(m.node[s] for s in c if s not in m.shut))
            done = sum(c[s] for s in c if m.count[m.node[s]] == 1 and s not in m.shut)
            nodes = [n for n in nodes if m.count[n] != 1]
            lower, upper = lower - slack(lower) - done, upper + slack(upper) - done
            if not nodes and not lower <= 0 <= upper:
                self.base = -INF
            if not nodes or any(n not in self.at for n in nodes):
                continue
            if len(nodes) <= 2:
                for pair in itertools.product(*(m.open(n) for n in nodes)):
                    if not lower <= sum(c.get(s, 0.0) for s in pair) <= upper:
                        if len(pair) == 1:
                            self.unary[pair[0]] = -INF
                        else:
                            self.forbid(*pair)
                continue
            above = []  # counted from the least of each node: what is too much, alone or in pairs
            for n in nodes:
                least = min(c.get(s, 0.0) for s in m.open(n))
                upper -= least
                above += [(s, c.get(s, 0.0) - least) for s in m.open(n) if c.get(s, 0.0) > least]
            for s, x in above:
                if x > upper:
                    self.unary[s] = -INF
            for (s, x), (t, y) in itertools.combinations(above, 2):
                if x + y > upper:
                    self.forbid(s, t)

    def eliminate(self, i):
        need(0 <= i < len(self.lists) and i not in self.gone, "a node cannot be maximised out")
        others = [b if a == i else a for a, b in self.tables if i in (a, b)]
        need(len(others) <= 2, "a node with more than two neighbours is maximised out")
        own = [s for s in self.lists[i] if s not in self.m.shut]
        for chosen in itertools.product(*(self.lists[j] for j in others)):
            best = max((self.unary[s] + sum(self.get(i, s, j, t) for j, t in zip(others, chosen)) for s in own),
                       default=-INF)
            if not others:
                self.base += best
            elif len(others) == 1:
                self.unary[chosen[0]] += best
            else:
                self.add(others[0], chosen[0], others[1], chosen[1], best)
        for j in others:
            del self.tables[min(i, j), max(i, j)]
        self.gone.add(i)

    def evaluate(self, price):
        m = self.m
        w, total = dict(self.unary), self.base
        moves = {}
        for i, j, numbers in price["pairs"]:
            self.table(i, j)
            for k, s in zip((i,) * len(self.lists[i]) + (j,) * len(self.lists[j]),
                            zip(self.lists[i] + self.lists[j], numbers)):
                moves.setdefault((min(i, j), max(i, j)), {})[s[0]] = s[1]
                w[s[0]] -= s[1]
        for (i, j), table in self.tables.items():
            move = moves.get((i, j), {})
            a, b = ([s for s in self.lists[k] if s not in m.shut] for k in (i, j))
            best = -INF
            for s in a:
                for t in b:
                    x = table.get((s, t), 0.0) + move.get(s, 0.0) + move.get(t, 0.0)
                    best = max(best, x)
                    if len(a) > 1 and len(b) == 1:
                        w[s] += x
                    elif len(b) > 1 and len(a) == 1:
                        w[t] += x
            total += best if (len(a) == 1) == (len(b) == 1) or not a or not b else 0.0
        self.weight, self.top = w, {}
        for i, states in enumerate(self.lists):
            if i not in self.gone:
                self.top[i] = max((w[s] for s in states if s not in m.shut), default=-INF)
                total += self.top[i]
        self.total = INF if math.isnan(total) else total
        return self.total

    def with_state(self, s):
        i = self.at.get(self.m.node[s])
        if i is None or i in self.gone:
            return INF
        return -INF if self.total == -INF else self.total - self.top[i] + self.weight[s]

    def closes(self, s):
        i = self.at.get(self.m.node[s])
        if i is None or i in self.gone:
            return False
        return self.unary[s] == -INF or any(
            all(t in self.m.shut or self.unary[t] == -INF or self.get(i, s, k, t) == -INF for t in self.lists[k])
            for k in [b if a == i else a for a, b in self.tables if i in (a, b)])


NO_PRICE = {"line": None, "rows": [], "keeps": {}, "shares": [], "pairs": [], "size": 0.0, "of": None}


# ------------------------------------------------------------------------------ the log
class Log(Checker):
    """One frame a log that has not ended; steps are methods called by their names."""

    def __init__(self, problem, chosen):
        self.chosen = set(chosen)
        super().__init__(problem, chosen)
        self.trail, self.frames = [], [{"kind": None, "bound": -INF, "parts": 0.0, "parted": False, "pairs": None}]
        self.bound_reached = None

    def run(self, steps):
        for name, *operands in steps:
            need(self.frames, "the log goes on after its end")
            need(name in STEPS, "unknown step")
            need(name in ("part", "sum") or not self.frames[-1]["parted"], "only parts and their sum come after a part")
            getattr(self, "step_" + name)(*operands)
        need(not self.frames, "the log has no end")
        return self.bound_reached

    def pairs(self):
        return next((f["pairs"] for f in reversed(self.frames) if f["pairs"]), None)

    def close(self, s):
        if s not in self.shut:
            self.shut.add(s)
            self.count[self.node[s]] -= 1
            self.trail.append(("open", s, None))

    def assign(self, what, key, value):
        of = getattr(self, what)
        self.trail.append((what, key, of[key]))
        of[key] = value

    def undo(self, mark):
        while len(self.trail) > mark:
            what, key, before = self.trail.pop()
            if what == "open":
                self.shut.discard(key)
                self.count[self.node[key]] += 1
            else:
                getattr(self, what)[key] = before

    def known(self, states):
        need(all(type(s) is int and s in self.node for s in states), "a state that does not exist")
        return states

    def step_close(self, *states):
        for s in self.known(states):
            if s not in self.shut:
                need(0 in self.count or (self.pairs() or self).closes(s), f"no single rule closes state {s}")
                self.close(s)

    def step_dominated(self, t, *states):
        self.known((t,) + states)
        need(not self.pairs(), "dominance among pairs")
        for s in states or self.nodes[self.node[t]]:
            if s not in self.shut and s != t:
                need(0 in self.count or self.dominates(t, s), f"state {t} does not dominate {s}")
                self.close(s)

    def step_cut(self, *states):
        for s, t in itertools.combinations(self.known(states), 2):
            need(self.excludes(s, t), "two states of a cut do not exclude each other")
        self.cuts.append(Row({s: 1.0 for s in states}, -INF, 1, None, self.node))

    def step_line(self, *spans):
        self.known([s for s, _, _ in spans])
        ordered = sorted(spans, key=lambda x: x[1])
        for i, (s, b, e) in enumerate(ordered):
            for t, c, d in itertools.takewhile(lambda x: x[1] < e, ordered[i + 1:]):
                need(not (b < d and c < e) or self.excludes(s, t), "overlapping states do not exclude each other")
        self.made.append(spans)

    def step_price(self, line, rows, keeps, shares, pairs, like=-1):
        price = {"rows": [], "keeps": {}, "shares": [], "pairs": []}
        numbers = [x[-1] for x in rows + keeps] + [x for y in shares for x in y[1:]] + [x for y in pairs for x in y[2:]]
        need(all(math.isfinite(x) for x in numbers), "a price is no finite number")
        price["size"], price["of"] = sum(abs(x) for x in numbers), self.pairs()
        need(line == -1 or line in self.lines or 0 <= -2 - line < len(self.made), "no such intervals")
        price["line"] = None if line == -1 else self.lines[line] if line >= 0 else self.made[-2 - line]
        for f, part, mu in rows:
            of = self.rows.get(f, []) if f >= 0 else self.cuts[-2 - f:][:1] if f <= -2 and part == 0 else []
            need(0 <= part < len(of), "a price of a row that does not exist")
            price["rows"].append((of[part], mu))
        self.known([s for s, _ in keeps])
        price["keeps"] = {self.node[s]: x for s, x in keeps}
        for f, *x in shares:
            need(0 <= f < len(self.factors) and len(x) == len(self.factors[f].links), "shares of another size")
            price["shares"].append((f, x))
        scored = [x[0] for x in shares if self.factors[x[0]].scored]
        need(len(set(scored)) == len(scored), "a factor's own score counts twice")
        lists = self.pairs().lists if pairs and self.pairs() else []
        for i, j, *x in pairs:
            need(0 <= i < len(lists) and 0 <= j < len(lists) and i != j and
                 len(x) == len(lists[i]) + len(lists[j]), "a price of a pair that does not exist")
            price["pairs"].append((i, j, x))
        named = {frozenset(x[:2]) for x in pairs}
        need(len(named) == len(pairs), "a pair is priced twice")
        if like != -1:  # an earlier price, where this one does not name a pair
            need(0 <= like < len(self.prices) and self.prices[like]["of"] is self.pairs(), "like no price")
            for x in self.prices[like]["pairs"]:
                if frozenset(x[:2]) not in named:
                    price["pairs"].append(x)
                    price["size"] += sum(map(abs, x[2]))
        self.prices.append(price)

    def worth(self, p, scores=True):
        need(-1 <= p < len(self.prices), "no such price")
        price, pairs = NO_PRICE if p == -1 else self.prices[p], self.pairs()
        need(scores or not pairs, "no rays among pairs")
        need(not price["pairs"] or price["of"] is pairs, "a price of other pairs")
        b = pairs.evaluate(price) if pairs else self.evaluate(price, scores)
        need(price["size"] * 1e-15 <= 1e-7 * max(1.0, abs(b) if math.isfinite(b) else 1.0), "prices are too large")
        return b

    def step_strike(self, p, *states):
        self.known(states)
        self.worth(p)
        pairs, frame = self.pairs(), self.frames[-1]
        for s in states:
            if s not in self.shut:
                need(pairs or self.part[self.node[s]] == self.current, "a state out of scope is struck")
                frame["bound"] = max(frame["bound"], (pairs or self).with_state(s))
        for s in states:
            self.close(s)

    def begin(self, kind, states):
        self.frames.append({"kind": kind, "states": self.known(states), "trail": len(self.trail), "bound": -INF,
                            "parts": 0.0, "parted": False, "pairs": None, "scope": (self.scope, self.current)})

    def step_suppose(self, *states):
        self.begin("suppose", states)
        need(states and len({self.node[s] for s in states}) == 1, "a supposition is about one node")
        for s in self.nodes[self.node[states[0]]]:
            if s not in states:
                self.close(s)

    def claim(self, states, here):  # nodes and the factors that have an undecided choice there
        self.parts += 1
        nodes = []
        for n in dict.fromkeys(self.node[s] for s in states):
            need(self.part[n] == here, "a part takes a node of another")
            self.assign("part", n, self.parts)
            nodes.append(n)
            for f in self.at_whole[n] if self.count[n] != 1 else ():
                if self.part_of.get(f) == here:
                    self.assign("part_of", f, self.parts)
        return nodes

    def step_part(self, *states):
        need(not self.pairs(), "parts among pairs")
        self.frames[-1]["parted"] = True
        self.begin("part", states)
        self.scope = self.claim(states, self.current)
        self.current = self.parts

    def step_joint(self, f, first, second):
        """A factor over two nodes becomes a node of their pairs, and rows that tie it to them."""
        need(len(self.frames) == 1 and not self.pairs() and self.part_of.get(f) == 0, "no joint node here")
        lists = [self.known(x) for x in (first, second)]
        a, b = ({self.node[s] for s in x} for x in lists)
        need(len(a) == len(b) == 1 and a != b and all(
            len(set(x)) == len(x) and len(set(x) - self.shut) == self.count[n] for x, n in zip(lists, [*a, *b])),
            "the states of a joint node are not listed as they are")
        need(set(self.undecided(f)) <= a | b, "a joint node leaves out an undecided one")
        new = [[self.next_state + i * len(second) + j for j in range(len(second))] for i in range(len(first))]
        self.next_state += len(first) * len(second)
        worth = [-INF if s in self.shut or t in self.shut else self.own(f, s, t) for s in first for t in second]
        states = [s for row in new for s in row]
        self.new_node(states, worth)
        self.shut.update(s for s, x in zip(states, worth) if x == -INF)
        n = len(self.nodes) - 1
        self.count.append(len(self.open(n)))
        self.scope.append(n)
        self.part.append(0)
        for at in (self.at_rows, self.at_lines, self.at_whole):
            at.append([])
        del self.part_of[f]
        for m in self.whole.pop(f):
            self.at_whole[m].remove(f)
        for own, partners in list(zip(first, new)) + list(zip(second, zip(*new))):
            self.cuts.append(Row({own: -1.0, **{s: 1.0 for s in partners}}, 0.0, 0.0, None, self.node))
            self.index(self.cuts[-1])

    def step_pairs(self, *lists):
        need(not self.pairs(), "pairs within pairs")
        seen = set()
        for states in lists:
            self.known(states)
            n = self.node[states[0]] if states else None
            need(states and n not in seen and all(self.node[s] == n for s in states) and
                 len(set(states)) == len(states) and self.part[n] == self.current and
                 sum(s not in self.shut for s in states) == self.count[n], "a node of pairs is not listed as it is")
            seen.add(n)
        self.frames[-1]["pairs"] = Pairs(self, [list(x) for x in lists])

    def step_eliminate(self, i):
        need(self.frames[-1]["pairs"], "there are no pairs")
        self.frames[-1]["pairs"].eliminate(i)

    def step_bound(self, p):
        self.end(self.worth(p))

    def step_ray(self, p):
        need(self.worth(p, False) < -1e-9, "a ray does not point below 0")
        self.end(-INF)

    def step_empty(self, s):
        need(not self.pairs(), "no empty node among pairs")
        if s != -1:
            self.known([s])
        if 0 not in self.count:
            where = range(len(self.nodes)) if s == -1 else [self.node[s]]
            need(any(self.empty_at(n) for n in where) or (s == -1 and any(
                f.cost == INF and self.best(i) == -INF for i, f in enumerate(self.factors))),
                "something is allowed where nothing should be")
        self.end(-INF)

    def step_sum(self):
        need(not self.pairs(), "no sum among pairs")
        whole, self.scope = self.scope, [n for n in self.scope if self.part[n] == self.current]
        b = self.evaluate(NO_PRICE) + self.frames[-1]["parts"]
        self.scope = whole
        self.end(-INF if math.isnan(b) else b)

    def end(self, b):
        frame = self.frames.pop()
        b = max(b, frame["bound"])
        if not self.frames:
            self.bound_reached = b
            return
        self.undo(frame["trail"])
        outer = self.frames[-1]
        if frame["kind"] == "suppose":
            outer["bound"] = max(outer["bound"], b)
            for s in frame["states"]:
                self.close(s)
        else:  # nobody counts what was in the part again
            self.scope, self.current = frame["scope"]
            outer["parts"] += b
            self.claim(frame["states"], self.current)


STEPS = {name[5:] for name in dir(Log) if name.startswith("step_")}


def check(problem, certificate, tolerance=1e-6):
    """(verdict, is it an optimum or a proof that there is none)."""
    p = Problem(problem)
    at = {n: v for v, n in enumerate(p.names)}
    value, bound = (INF if x == "infinity" else score_or_null(x) for x in (certificate["value"], certificate["bound"]))
    on = certificate["assignment"]
    try:
        if on is None and not (p.score == [] and value > -INF):
            need(value == -INF, "a value is claimed without an assignment")
            worth = -INF
        else:
            worth = p.evaluate({at[n] for n in on or []})
            need(worth > -INF, "the assignment breaks a rule or a fixed value")
            need(abs(worth - value) <= 1e-9 * max(1, abs(value)), "the assignment is not worth what is claimed")
        reached = max(Log(p, certificate["choices"]).run(certificate["steps"]), worth)
        need(bound >= value - 1e-7 * max(1, abs(value)), "the bound is below the value")
        need(bound >= reached - tolerance * max(1, abs(reached)), "the proof arrives at a bound above the one claimed")
    except Refused as why:
        return f"refused: {why}", False
    if worth == -INF:
        return ("infeasible", True) if reached == -INF else ("accepted, but not optimal", False)
    if reached - worth <= tolerance * max(1, abs(worth)):
        return f"optimal: value {worth:.9g}, bound {reached:.9g}", True
    return f"accepted, but not optimal: value {worth:.9g}, bound {reached:.9g}", False


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        texts = []
        for path in arguments:
            with open(path, encoding="utf-8") as file:
                texts.append([line for line in file if line.strip()] if path.endswith(".jsonl") else [file.read()])
        if len(texts) == 1:
            texts = [texts[0][::2], texts[0][1::2]]
        if len(texts[0]) != len(texts[1]):
            raise ValueError("there are not as many certificates as problems")
        good = True
        for i, (problem, certificate) in enumerate(zip(*texts), 1):
            verdict, proved = check(json.loads(problem), json.loads(certificate))
            good = good and proved
            if not proved or len(texts[0]) == 1:
                print(verdict if len(texts[0]) == 1 else f"{arguments[-1]}:{i}: {verdict}")
        if len(texts[0]) > 1 and good:
            print(f"{len(texts[0])} certificates, all optimal or infeasible")
        return 0 if good else 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"{' '.join(arguments)}: cannot be read: {error!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
