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

INF = math.inf
sys.setrecursionlimit(1000000)  # logs within logs


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

    def own(self, z):  # 0 or its own score; of a broken one its cost
        x = self.best_kept([0.0] * len(z), [bool(on) for on in z])
        return -self.cost if x == -INF else x

    def best(self, w, clamp):
        """The best of w . z + own(z), or more, over z that agree with clamp (None: free)."""
        free = [i for i, c in enumerate(clamp) if c is None]
        if self.cost < INF and self.whole and len(free) <= 10:
            every = (dict(zip(free, values)) for values in itertools.product((False, True), repeat=len(free)))
            every = [[e.get(i, c) for i, c in enumerate(clamp)] for e in every]
            return max(sum(x for x, on in zip(w, z) if on) + self.own(z) for z in every)
        broken = sum(max(0.0, x) if c is None else x * c for x, c in zip(w, clamp)) - self.cost
        return max(self.best_kept(w, clamp), broken)

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
    """lower <= sum c[s] * [s] <= upper, unless the state `broken` is chosen."""

    def __init__(self, c, lower, upper, broken, node):
        self.c, self.lower, self.upper, self.broken = c, lower, upper, broken
        self.low, self.high = lower - slack(lower), upper + slack(upper)
        self.nodes = {}
        for s in c:
            self.nodes.setdefault(node[s], []).append(s)


# ------------------------------------------------------------------------------ the log
class Log:
    """What is open, what single rules say about it, and the steps of the log."""

    def __init__(self, problem, chosen):
        self.p, self.factors, self.chosen = problem, problem.factors, set(chosen)
        self.node, self.nodes, self.score, self.shut, self.count, self.trail = {}, [], {}, set(), [], []
        self.at_rows, self.at_lines, self.at_whole = [], [], []  # of each node
        self.rows, self.lines, self.cuts, self.made, self.prices = {}, {}, [], [], []
        self.whole, self.linear, self.pairs, self.derived = {}, {}, None, []
        self.variables = len(problem.score)
        self.next_state = 2 * (self.variables + len(self.factors))
        for f in chosen:
            need(0 <= f < len(self.factors) and self.factors[f].kind.startswith("exactly_one") and
                 self.factors[f].cost == INF and not any(n for _, n in self.factors[f].links), "no choice")
        for vs in list(problem.groups) + [[v for v, _ in self.factors[f].links] for f in chosen]:
            self.new_node([2 * v for v in vs], [problem.score[v] for v in vs])
        for v, x in enumerate(problem.score):
            if 2 * v not in self.node:
                self.new_node([2 * v, 2 * v + 1], [x, 0.0])
        for f, factor in enumerate(self.factors):
            if f not in self.chosen:
                self.add_factor(f, factor)
        for v, x in problem.fixed.items():
            for s in self.nodes[self.node[2 * v]]:
                if (s != 2 * v) == x:
                    self.close(s)
        self.scope, self.within = list(range(len(self.nodes))), set(self.whole)  # nodes, factors

    def new_node(self, states, scores):
        for s, x in zip(states, scores):
            need(s not in self.node, "two nodes share a variable")
            self.node[s], self.score[s] = len(self.nodes), x
        self.nodes.append(states)
        self.count.append(len(states))
        for at in (self.at_rows, self.at_lines, self.at_whole):
            at.append([])

    def new_row(self, *row):
        row = Row(*row, self.node)
        for n in list(row.nodes) + ([self.node[row.broken]] if row.broken is not None else []):
            self.at_rows[n].append(row)
        return row

    def add_factor(self, f, factor):
        nodes = {self.node[2 * v] for v, _ in factor.links}
        whole = factor.whole
        if factor.kind == "disjoint" and factor.cost == INF:
            spans = [(self.state(x), *i) for x, i in zip(factor.links, factor.f["intervals"]) if i[0] < i[1]]
            self.lines[f] = [x for x in spans if x[0] is not None]
            whole = len(self.lines[f]) < len(spans)
            for n in {self.node[s] for s, _, _ in self.lines[f]}:
                self.at_lines[n].append(self.lines[f])
        if whole:
            self.whole[f] = nodes
        for n in nodes if whole or factor.kind == "linear" else ():
            self.at_whole[n].append(f)
        if factor.whole or f in self.lines:
            return
        broken = 2 * (self.variables + f) if factor.cost < INF else None
        if factor.cost < INF:
            self.new_node([broken, broken + 1], [-factor.cost, 0.0])
        others = len(factor.links) - 1  # or: output <= sum of the others, each of the others <= output
        sums = [factor.row] if factor.row else [([1.0] * others + [-1.0], 0, INF)] + [
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
            self.rows[f].append(self.new_row(entries, lower, upper, broken))

    def state(self, link):  # that says the literal is true
        s = 2 * link[0] + link[1]
        return s if s in self.node else None

    def open(self, n):
        return [s for s in self.nodes[n] if s not in self.shut]

    def close(self, s):
        if s not in self.shut:
            self.shut.add(s)
            self.count[self.node[s]] -= 1
            self.trail.append(s)

    def undo(self, mark):
        for s in self.trail[mark:]:
            self.shut.discard(s)
            self.count[self.node[s]] += 1
        del self.trail[mark:]

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

    # -------------------------------------------------------------------------- single rules
    def reach(self, row, *chosen):
        least, most, at = 0.0, 0.0, {self.node[s]: s for s in chosen}
        for n, states in row.nodes.items():
            values = [row.c.get(at[n], 0.0)] if n in at else [row.c[s] for s in states if s not in self.shut]
            if n not in at and (len(values) < self.count[n] or not values):
                values.append(0.0)
            least, most = least + min(values), most + max(values)
        return least, most

    def speaks(self, row):
        return row.broken is None or row.broken + 1 not in self.shut

    def row_allows(self, row, *chosen):
        if not self.speaks(row) or row.broken in chosen or (
                row.broken is not None and row.broken not in self.shut and row.broken + 1 not in chosen):
            return True
        least, most = self.reach(row, *chosen)
        return least <= row.high and most >= row.low

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
        return any(self.factors[f].cost == INF and self.best(f, None, (s,)) == -INF for f in self.at_whole[n])

    def excludes(self, s, t):  # whatever is open
        if s == t or self.node[s] == self.node[t]:
            return s != t
        both = {self.node[s], self.node[t]}
        for row in self.at_rows[self.node[s]]:
            free = [[0.0] + [row.c[x] for x in xs] for n, xs in row.nodes.items() if n not in both]
            least, most = (row.c.get(s, 0) + row.c.get(t, 0) + sum(map(f, free)) for f in (min, max))
            if row.broken is None and (least > row.high or most < row.low):
                return True
        for line in self.at_lines[self.node[s]]:
            a, b = ([x[1:] for x in line if x[0] == y] for y in (s, t))
            if any(x[0] < y[1] and y[0] < x[1] for x in a for y in b):
                return True
        return any(self.whole.get(f) == both and self.own(f, s, t) == -INF for f in self.at_whole[self.node[s]])

    def dominates(self, t, s):
        n = self.node[s]
        if self.node[t] != n or t == s or t in self.shut:
            return False
        worth = {t: self.score[t], s: self.score[s]}
        for f in (f for f in self.at_whole[n] if f in self.whole):
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
                if len(gained) > 1 or any(not any(b <= g[0] and g[1] <= e for b, e in lost) for g in gained):
                    return False
        return (worth[s] == -INF or worth[t] >= worth[s] - 1e-12 * (1 + abs(worth[s]))) and all(
            self.row_prefers(r, t, s) for r in self.at_rows[n]) and all(
            self.line_prefers(line, t, s) for line in self.at_lines[n])

    def row_prefers(self, row, t, s):
        ct, cs, slacked = row.c.get(t, 0.0), row.c.get(s, 0.0), row.broken is not None and row.broken in (t, s)
        if not self.speaks(row) or (ct == cs and not slacked):
            return True
        least, most = self.reach(row)
        over, under = most > row.high, least < row.low
        if slacked:
            return t == row.broken or not (over or under)
        return not (ct > cs and over) and not (ct < cs and under)

    def line_prefers(self, line, t, s):
        return all(any(x == s and b <= begin and end <= e for x, b, e in line) or not any(
            self.node[x] != self.node[t] and x not in self.shut and b < end and begin < e for x, b, e in line)
            for y, begin, end in line if y == t)

    # -------------------------------------------------------------------------- bounds
    def evaluate(self, price, scores=True):
        """The maxima at these prices, added up; then with_state() tells what a state would leave."""
        line, rows, keeps, shares = price[:4]
        total, inside = 0.0, set(self.scope)
        w = self.weight = {s: self.score[s] if scores else 0.0 for n in self.scope for s in self.nodes[n]}
        for row, mu in rows:
            side = row.upper if mu > 0 else row.lower
            need(math.isfinite(side), "a row is priced on a side it does not have")
            for s, c in row.c.items():
                if self.node[s] in inside:
                    w[s] -= mu * c
                elif s not in self.shut:
                    need(self.count[self.node[s]] == 1, "a row is priced that reaches beyond its part")
                    side -= c
            total += mu * side
            if row.broken in w:
                least, most = self.reach(row)
                w[row.broken] += abs(mu) * max(0.0, most - row.upper if mu > 0 else row.lower - least)
            need(row.broken is None or row.broken in w or row.broken in self.shut, "a row beyond its part")
        for f, x in shares:
            need(scores, "a ray has no shares")
            if f in self.chosen:
                continue
            for (v, _), y in zip(self.factors[f].links, x):
                need(self.node[2 * v] in inside, "a share reaches beyond its part")
                w[2 * v] -= y
            total += self.best(f, x)
            broken = 2 * (self.variables + f)
            if broken in w:
                w[broken] = w[broken + 1] = 0.0
        for f in self.within - {f for f, _ in shares}:
            left = self.undecided(f)
            states = self.open(left[0]) if len(left) == 1 and left[0] in inside else [None]
            for s in states:
                x = self.best(f) if len(left) and s is None else self.own(f, *([] if s is None else [s]))
                x = x if scores or x == -INF else 0.0
                if s is None:
                    total += x
                else:
                    w[s] += x
        self.spans, self.top = {s: (b, e) for s, b, e in line or []}, {}
        for n in self.scope:
            states = self.open(n)
            best = max((w[s] for s in states), default=-INF)
            if n in keeps:
                best = max([best + min(0.0, keeps[n])] + [w[s] for s in states if s not in self.spans])
            self.top[n] = best
            total += best
        bids = [(b, e, w[s] - self.top[self.node[s]]) for s, b, e in line or []
                if s not in self.shut and self.node[s] in inside]
        self.forward, self.backward, self.place = schedule(bids)
        total += self.forward[-1] if bids else 0.0
        self.total = INF if math.isnan(total) else total
        if scores and not self.within:
            least = sum(min((self.score[s] for s in self.open(n)), default=INF) for n in self.scope)
            if math.isfinite(least) and self.total < least - 1e-6 * (1 + abs(least)):
                return -INF  # less than any choice is worth: there is none
        return self.total

    def with_state(self, s):
        need(self.node[s] in self.top, "a state out of scope is struck")
        if self.total == -INF:
            return -INF
        rest = self.total - self.top[self.node[s]] + self.weight[s]
        if s in self.spans:  # in its place in the schedule, not on top of it
            b, e = self.spans[s]
            rest += self.forward[self.place[b]] + self.backward[self.place[e]] - self.forward[-1]
        return INF if math.isnan(rest) else rest

    def worth(self, p, scores=True):
        need(-1 <= p < len(self.prices), "no such price")
        price = self.prices[p] if p >= 0 else NO_PRICE
        need(scores or not self.pairs, "no rays among pairs")
        need(not (price[4] or price[7]) or price[5] is self.pairs, "a price of other pairs")
        b = self.pairs.evaluate(price[4], price[7]) if self.pairs else self.evaluate(price, scores)
        need(price[6] * 1e-15 <= 1e-7 * max(1.0, abs(b) if math.isfinite(b) else 1.0), "prices are too large")
        return b

    # -------------------------------------------------------------------------- steps
    def known(self, states):
        need(all(type(s) is int and s in self.node for s in states), "a state that does not exist")
        return states

    def listed(self, states):  # the node of these states, if all that are open are among them
        n = self.node[self.known(states)[0]] if states else None
        need(states and len(set(states)) == len(states) and all(self.node[s] == n for s in states) and
             len(set(states) - self.shut) == self.count[n], "the states of a node are not listed as they are")
        return n

    def run(self, steps):
        steps = iter(steps)
        bound = self.log(steps, True)
        need(next(steps, None) is None, "the log goes on after its end")
        return bound

    def log(self, steps, first=False):
        """Goes through one log, and those within it, to its end; the bound it arrives at."""
        bound, parts, outside, nodes, within = -INF, None, self.pairs, self.scope, self.within
        derived = len(self.derived)
        for name, *x in steps:
            need(name in ("part", "sum") or parts is None, "only parts and their sum come after a part")
            need(not self.pairs or name not in ("dominated", "joint", "part", "pairs", "empty", "sum"), "not among pairs")
            if name == "suppose":
                need(self.known(x) and len({self.node[s] for s in x}) == 1, "a supposition is about one node")
                mark, regions = len(self.trail), len(self.pairs.regions) if self.pairs else 0
                for s in self.nodes[self.node[x[0]]]:
                    if s not in x:
                        self.close(s)
                bound = max(bound, self.log(steps))
                self.undo(mark)
                if self.pairs:  # regions of a log are gone with it
                    self.pairs.regions[regions:] = [None] * (len(self.pairs.regions) - regions)
                for s in x:
                    self.close(s)
            elif name == "part":
                mine, mark = {self.node[s] for s in self.known(x)}, len(self.trail)
                need(mine <= set(nodes), "a part takes a node of another")
                taken = {f for f in within if mine & set(self.undecided(f))}
                self.scope, self.within = sorted(mine), taken
                parts = (parts or 0.0) + self.log(steps)
                self.undo(mark)
                nodes, within = [n for n in nodes if n not in mine], within - taken
                self.scope, self.within = nodes, within
            elif name == "strike":
                self.worth(x[0])
                struck = [(self.pairs or self).with_state(s) for s in self.known(x[1:]) if s not in self.shut]
                bound = max([bound] + struck)
                for s in x[1:]:
                    self.close(s)
            elif name == "eliminate":
                need(self.pairs is not outside, "there are no pairs")
                self.pairs.eliminate(*x)
            elif name == "region":
                need(self.pairs, "there are no pairs")
                self.pairs.add_region(x)
            elif name in ("bound", "ray", "empty", "sum"):
                end = self.evaluate(NO_PRICE) + (parts or 0.0) if name == "sum" else self.end(name, *x)
                self.pairs = outside
                for row in self.derived[derived:]:  # they hold here and not outside: no side to price
                    row.upper = INF
                return max(bound, -INF if math.isnan(end) else end)
            else:
                need(name in ("close", "dominated", "cut", "derive", "line", "joint", "price", "pairs"), "unknown step")
                need(first or name != "joint", "a joint node is made at the beginning")
                getattr(self, "step_" + name)(*x)
        raise Refused("the log has no end")

    def end(self, name, x):
        if name == "bound":
            return self.worth(x)
        if name == "ray":
            need(self.worth(x, False) < -1e-9, "a ray does not point below 0")
        elif 0 not in self.count:
            where = range(len(self.nodes)) if x == -1 else [self.node[self.known([x])[0]]]
            need(any(all(self.closes(s) for s in self.open(n)) for n in where) or (x == -1 and any(
                f.cost == INF and self.best(i) == -INF for i, f in enumerate(self.factors))),
                "something is allowed where nothing should be")
        return -INF

    def step_close(self, *states):
        for s in self.known(states):
            if s not in self.shut:
                need(0 in self.count or (self.pairs or self).closes(s), f"no single rule closes state {s}")
                self.close(s)

    def step_dominated(self, t, *states):
        for s in self.known(states) or self.nodes[self.node[self.known([t])[0]]]:
            if s not in self.shut and s != t:
                need(0 in self.count or self.dominates(t, s), f"state {t} does not dominate {s}")
                self.close(s)

    def step_cut(self, *states):
        for s, t in itertools.combinations(self.known(states), 2):
            need(self.excludes(s, t), "two states of a cut do not exclude each other")
        self.cuts.append(Row({s: 1.0 for s in states}, -INF, 1, None, self.node))

    def step_derive(self, f, part, side, k, *states):  # what follows from one side of a row, for what is open
        row = self.row_of(f, part)
        room = row.upper if side == 1 else -row.lower
        need(side in (1, -1) and type(k) is int and k >= -1 and math.isfinite(room), "no row to derive from")
        need(len(set(self.known(states))) == len(states), "a derived row lists a state twice")
        least = {n: min((side * row.c.get(s, 0.0) for s in self.open(n)), default=INF) for n in row.nodes}
        more = {self.node[s]: INF for s in states}  # what a node takes above its least with a listed state
        for s in states:
            n = self.node[s]
            if s not in self.shut:
                more[n] = min(more[n], side * row.c.get(s, 0.0) - least.get(n, 0.0))
        if k >= 0:
            need(len(more) <= k or sum(least.values()) + sum(sorted(more.values())[:k + 1]) > room + slack(room),
                 "more of a derived row's states are allowed")
            made = Row({s: 1.0 for s in states}, -INF, k, row.broken, self.node)
        else:
            upper = room - sum(x for n, x in least.items() if n not in more)
            need(math.isfinite(upper), "a row is derived where nothing is allowed")
            made = Row({s: side * c for s, c in row.c.items() if self.node[s] in more}, -INF, upper, row.broken, self.node)
        self.cuts.append(made)
        self.derived.append(made)

    def row_of(self, f, part):
        of = self.rows.get(f, []) if f >= 0 else self.cuts[-2 - f:][:1] if f <= -2 and part == 0 else []
        need(0 <= part < len(of), "a price of a row that does not exist")
        return of[part]

    def step_line(self, *spans):
        self.known([s for s, _, _ in spans])
        ordered = sorted(spans, key=lambda x: x[1])
        for i, (s, b, e) in enumerate(ordered):
            for t, c, d in itertools.takewhile(lambda x: x[1] < e, ordered[i + 1:]):
                need(not (b < d and c < e) or self.excludes(s, t), "overlapping states do not exclude each other")
        self.made.append(spans)

    def step_price(self, line, rows, keeps, shares, pairs, like=-1):
        numbers = [x[-1] for x in rows + keeps] + [x for y in shares for x in y[1:]] + [x for y in pairs for x in y[2:]]
        need(all(math.isfinite(x) for x in numbers), "a price is no finite number")
        need(line == -1 or line in self.lines or 0 <= -2 - line < len(self.made), "no such intervals")
        line = None if line == -1 else self.lines[line] if line >= 0 else self.made[-2 - line]
        priced = []
        for f, part, mu in rows:
            priced.append((self.row_of(f, part), mu))
        self.known([s for s, _ in keeps])
        for f, *x in shares:
            need(0 <= f < len(self.factors) and len(x) == len(self.factors[f].links), "shares of another size")
        scored = [x[0] for x in shares if self.factors[x[0]].scored]
        need(len(set(scored)) == len(scored), "a factor's own score counts twice")
        lists, moves, shifts = self.pairs.lists if self.pairs else [], {}, []
        for i, j, *x in pairs:
            if self.pairs and i >= len(lists):
                need(len(x) == self.pairs.choices_at(i, j), "a region's numbers are not as many as its choices")
                shifts.append((i, j, x))
                continue
            need(0 <= min(i, j) and max(i, j) < len(lists) and i != j and len(x) == len(lists[i]) + len(lists[j]) and
                 (min(i, j), max(i, j)) not in moves, "a price of a pair that does not exist, or twice")
            moves[min(i, j), max(i, j)] = dict(zip(lists[i] + lists[j], x))
        if like != -1:  # an earlier price, where this one does not name a pair
            need(0 <= like < len(self.prices) and self.prices[like][5] is self.pairs, "like no price")
            moves = {**self.prices[like][4], **moves}
        size = sum(map(abs, numbers)) + sum(abs(x) for m in moves.values() for x in m.values())
        self.prices.append((line, priced, {self.node[s]: x for s, x in keeps}, [(x[0], x[1:]) for x in shares], moves,
                            self.pairs, size, shifts))

    def step_joint(self, f, first, second):
        """A factor over two nodes becomes a node of their pairs, and rows that tie it to them."""
        need(f in self.within, "no joint node here")
        a, b = self.listed(first), self.listed(second)
        need(a != b and set(self.undecided(f)) <= {a, b}, "a joint node leaves out an undecided one")
        new = [[self.next_state + i * len(second) + j for j in range(len(second))] for i in range(len(first))]
        self.next_state += len(first) * len(second)
        worth = [-INF if s in self.shut or t in self.shut else self.own(f, s, t) for s in first for t in second]
        self.new_node([s for row in new for s in row], worth)
        for s in self.nodes[-1]:
            if self.score[s] == -INF:
                self.close(s)
        self.scope.append(len(self.nodes) - 1)
        self.within.discard(f)
        for m in self.whole.pop(f):
            self.at_whole[m].remove(f)
        for own, partners in list(zip(first, new)) + list(zip(second, zip(*new))):
            self.cuts.append(self.new_row({own: -1.0, **{s: 1.0 for s in partners}}, 0.0, 0.0, None))

    def step_pairs(self, *lists):
        nodes = [self.listed(states) for states in lists]
        need(len(set(nodes)) == len(nodes) and set(nodes) <= set(self.scope), "nodes of pairs out of scope, or twice")
        self.pairs = Pairs(self, [list(x) for x in lists])


NO_PRICE = (None, [], {}, [], {}, None, 0.0, [])


class Pairs:
    """Nodes and tables between them, into which the rules over one or two of them went."""

    def __init__(self, m, lists):
        self.m, self.lists, self.gone, self.tables, self.regions, self.seen = m, lists, set(), {}, [], None
        self.at = {m.node[states[0]]: i for i, states in enumerate(lists)}
        self.unary = {s: -INF if s in m.shut else m.score[s] for states in lists for s in states}
        keep = m.scope, m.within
        m.scope, m.within = [n for n in m.scope if n not in self.at], {f for f in m.within if not self.take(f)}
        self.base = m.evaluate(NO_PRICE)
        m.scope, m.within = keep
        for row in {id(r): r for n in self.at for r in m.at_rows[n]}.values():
            self.add_row(row)
        for line in {id(x): x for n in self.at for x in m.at_lines[n]}.values():
            for (s, b, e), (t, c, d) in itertools.combinations(line, 2):
                if b < d and c < e and m.node[s] != m.node[t]:
                    self.forbid(s, t)

    def get(self, i, s, j, t):
        return self.tables.get((min(i, j), max(i, j)), {}).get((s, t) if i < j else (t, s), 0.0)

    def add(self, i, s, j, t, x):
        table, key = self.tables.setdefault((min(i, j), max(i, j)), {}), (s, t) if i < j else (t, s)
        table[key] = table.get(key, 0.0) + x

    def take(self, f):  # a whole factor, into a table or a node
        m, left = self.m, self.m.undecided(f)
        if not left or len(left) > 2 or any(n not in self.at for n in left):
            return False
        for s in m.open(left[0]):
            if len(left) == 1:
                self.unary[s] += m.own(f, s)
            for t in m.open(left[1]) if len(left) == 2 else ():
                self.add(self.at[left[0]], s, self.at[left[1]], t, m.own(f, s, t))
        return True

    def forbid(self, s, t):  # never both: where one is decided, the other is impossible
        m, (a, b) = self.m, (self.m.node[s], self.m.node[t])
        if s in m.shut or t in m.shut:
            return
        if a in self.at and b in self.at:
            self.add(self.at[a], s, self.at[b], t, -INF)
        elif a in self.at and m.count[b] == 1:
            self.unary[s] = -INF
        elif b in self.at and m.count[a] == 1:
            self.unary[t] = -INF

    def add_row(self, row):
        """What no choice of the other nodes can mend: single states, and pairs of them."""
        m, nodes = self.m, [n for n in row.nodes if self.m.count[n] != 1]
        if row.broken is not None and m.count[m.node[row.broken]] != 1:
            nodes.append(m.node[row.broken])
        if not m.row_allows(row):
            self.base = -INF
        if not nodes or any(n not in self.at for n in nodes):
            return
        for n in nodes:
            for s in m.open(n):
                if not m.row_allows(row, s):
                    self.unary[s] = -INF
        for a, b in itertools.combinations(nodes, 2):
            for s, t in itertools.product(m.open(a), m.open(b)):
                if self.unary[s] > -INF < self.unary[t] and not m.row_allows(row, s, t):
                    self.add(self.at[a], s, self.at[b], t, -INF)

    def eliminate(self, i):
        need(0 <= i < len(self.lists) and i not in self.gone and not self.regions, "a node cannot be maximised out")
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

    def add_region(self, lists):
        nodes = [self.at.get(self.m.listed(states)) for states in lists]
        need(len(set(nodes)) == len(nodes) > 1 and not {None, *self.gone} & set(nodes), "no region of nodes")
        self.regions.append(dict(zip(nodes, lists)))
        if len(nodes) == 2:
            self.tables.setdefault((min(nodes), max(nodes)), {})

    def within(self, j):  # the nodes of a node or a region
        need(0 <= j < len(self.lists) + len(self.regions), "no such node or region")
        region = {j: None} if j < len(self.lists) else self.regions[j - len(self.lists)]
        need(region is not None, "a region that is gone")
        return region

    def choices_at(self, i, j):
        large, small = self.within(i), self.within(j)
        need(len(large) > 2 and i != j and set(small) <= set(large), "not within its region")
        return math.prod(len(large[n]) for n in small)

    def shift(self, shifts, w):
        """Of tables and regions what they give away; the regions' open choices with what these make."""
        gone, taken, worth = {}, {}, {}
        for i, j, x in shifts:
            large, small = self.within(i), tuple(self.within(j))
            given = dict(zip(itertools.product(*(large[n] for n in small)), x))
            taken.setdefault(i, []).append((small, given))
            if j < len(self.lists):
                for (s,), v in given.items():
                    w[s] -= v
            elif len(small) > 2:
                taken.setdefault(j, [])
            key = j if len(small) > 2 else tuple(sorted(small))
            if j >= len(self.lists):
                for both, v in given.items():
                    both = both if len(small) > 2 or small[0] < small[1] else both[::-1]
                    gone[key, both] = gone.get((key, both), 0.0) + v
        for i, into in taken.items():
            nodes = list(self.within(i))
            places = [([nodes.index(n) for n in small], given) for small, given in into]
            inner = [p for p in itertools.combinations(range(len(nodes)), 2)
                     if tuple(sorted((nodes[p[0]], nodes[p[1]]))) in self.tables]
            worth[i] = {}
            for c in itertools.product(*([s for s in self.lists[n] if s not in self.m.shut] for n in nodes)):
                if all(self.get(nodes[a], c[a], nodes[b], c[b]) > -INF for a, b in inner):
                    worth[i][c] = sum(given[tuple(c[k] for k in at)] for at, given in places) - gone.get((i, c), 0.0)
        return gone, worth

    def evaluate(self, moves, shifts=()):
        w, total, self.seen = dict(self.unary), self.base, {} if shifts else None
        gone, worth = self.shift(shifts, w)
        for i, x in worth.items():
            most = max(x.values(), default=-INF)
            total += most
            for k, n in enumerate(self.within(i)):
                self.see(n, [(c[k], y) for c, y in x.items()], most)
        for pair, move in moves.items():
            self.tables.setdefault(pair, {})
            for s, x in move.items():
                w[s] -= x
        for pair, table in self.tables.items():
            move = moves.get(pair, {})
            a, b = ([s for s in self.lists[k] if s not in self.m.shut] for k in pair)
            x = {(s, t): table.get((s, t), 0.0) + move.get(s, 0.0) + move.get(t, 0.0) -
                 (gone.get((pair, (s, t)), 0.0) if gone else 0.0) for s in a for t in b}
            if (len(a) == 1) != (len(b) == 1) and a and b:  # one is decided: the other's states have it all
                for both, y in x.items():
                    w[both[len(a) == 1]] += y
            else:
                most = max(x.values(), default=-INF)
                total += most
                if shifts:
                    for k, n in enumerate(pair):
                        self.see(n, [(both[k], y) for both, y in x.items()], most)
        self.weight, self.top = w, {}
        for i, states in enumerate(self.lists):
            if i not in self.gone:
                self.top[i] = max((w[s] for s in states if s not in self.m.shut), default=-INF)
                total += self.top[i]
        self.total = INF if math.isnan(total) else total
        return self.total

    def see(self, n, worths, most):  # how much less a table or region is worth with each state of node n
        best = {}
        for s, y in worths:
            best[s] = max(best.get(s, -INF), y)
        for s in self.lists[n]:
            less = best.get(s, -INF) - most
            self.seen[s] = self.seen.get(s, 0.0) + less

    def with_state(self, s):
        i = self.at.get(self.m.node[s])
        if i is None or i in self.gone:
            return INF
        rest = -INF if self.total == -INF else self.total - self.top[i] + self.weight[s]
        rest += self.seen.get(s, 0.0) if self.seen else 0.0
        return INF if math.isnan(rest) else rest

    def closes(self, s):
        i = self.at.get(self.m.node[s])
        return i is not None and i not in self.gone and (self.unary[s] == -INF or any(
            all(t in self.m.shut or self.unary[t] == -INF or self.get(i, s, k, t) == -INF for t in self.lists[k])
            for k in [b if a == i else a for a, b in self.tables if i in (a, b)]))


# ------------------------------------------------------------------------------ forests
def forest_bound(problem, steps):
    """What a log of potentials proves of forests that share indicators."""
    n, fixed, splits, reached = problem.get("indicators", 0), {}, [], score_or_null(problem.get("floor"))
    forests = [(f["goal"], [(e[0], score_or_null(e[1]), *(e[2:] + [[], []])[:2]) for e in f["edges"]])
               for f in problem["forests"]]
    for k, (name, *operands) in enumerate(steps):
        if name == "suppose":
            need(operands[0] in range(n) and operands[0] not in fixed, "a split by no indicator")
            fixed[operands[0]] = True
            splits.append(operands[0])
            continue
        prices, potentials = operands
        need(name == "bound" and len(potentials) == len(forests) and len(prices) in (0, len(forests)), "no bound")
        potentials = [[score_or_null(x) for x in pi] for pi in potentials]
        total = 0.0
        for (goal, edges), pi, price in zip(forests, potentials, prices or [[0.0] * n] * len(forests)):
            need(len(price) == n, "another number of prices")
            for head, score, tails, marks in edges:  # added in this order: potentials hold to the last digit
                for x in [price[i] for i in marks] + [pi[t] for t in tails]:
                    score += x
                need(score <= pi[head], "an edge is worth more than its step")
            total += pi[goal]
        for i, at in enumerate(zip(*prices)):
            need(sum(at) == 0 or i in fixed, "prices of an indicator do not cancel")
            total -= sum(at) if fixed.get(i) else 0.0
        large = max(abs(x) for xs in prices + potentials for x in xs + [0.0] if x > -INF)
        need(large <= 1e6 * max(1, abs(total) if math.isfinite(total) else 1), "potentials are too large")
        reached = max(reached, total)
        while splits and not fixed[splits[-1]]:
            del fixed[splits.pop()]
        if not splits:
            need(k == len(steps) - 1, "the log goes on after its end")
            return reached
        fixed[splits[-1]] = False
    raise Refused("the log has no end")


def forest_value(problem, derivations):
    if not derivations:
        return score_or_null(problem.get("floor"))
    value, counts = 0.0, []
    need(len(derivations) == len(problem["forests"]), "not as many derivations as forests")
    for forest, edges in zip(problem["forests"], derivations):
        left, on = [forest["goal"]], []
        for e in edges:
            need(left and e >= 0 and forest["edges"][e][0] == left.pop(), "no derivation")
            head, score, tails, marks = (forest["edges"][e] + [[], []])[:4]
            value, left, on = value + score_or_null(score), left + tails[::-1], on + marks
        need(not left and len(set(on)) == len(on), "a derivation stops early or switches an indicator on twice")
        counts.append(set(on))
    need(all(c == counts[0] for c in counts), "the derivations do not agree")
    return value


def graph_value(p, on, value):
    if on is None and not (p.score == [] and value > -INF):
        return -INF
    at = {n: v for v, n in enumerate(p.names)}
    worth = p.evaluate({at[n] for n in on or []})
    need(worth > -INF, "the assignment breaks a rule or a fixed value")
    return worth


def check(problem, certificate, tolerance=1e-6):
    """(verdict, is it an optimum or a proof that there is none)."""
    value, bound = (INF if x == "infinity" else score_or_null(x) for x in (certificate["value"], certificate["bound"]))
    try:
        if "forests" in problem:
            worth = forest_value(problem, certificate["derivations"])
            reached = max(forest_bound(problem, certificate["steps"]), worth)
        else:
            p = Problem(problem)
            worth = graph_value(p, certificate["assignment"], value)
            reached = max(Log(p, certificate["choices"]).run(certificate["steps"]), worth)
        need(worth == value or abs(worth - value) <= 1e-9 * max(1, abs(value)), "not worth what is claimed")
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
