#!/usr/bin/env python3
"""A second checker of certificates, which shares nothing with the engine.

    check_certificate.py problem.json certificate.json
    check_certificate.py problems.jsonl certificates.jsonl     (one of each a line)
    check_certificate.py proofs.jsonl                          (a problem, then its certificate, and so on)

Reads what docs/formats.md and docs/certificates.md describe and goes through the log once, with textbook
code for the best of a single factor. Exit code as of `entente verify`: 0 if every certificate is accepted and
proves an optimum (or that there is none), 1 if not, 2 if the input cannot be read. Standard library only.
"""
import collections
import itertools
import json
import math
import sys

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
        """Every sum that can be had, with its best; where they are too many the linear relaxation, at its best price."""
        c, lower, upper = self.row
        done = sum(x for x, v in zip(c, clamp) if v)
        lower, upper = lower - slack(lower) - done, upper + slack(upper) - done
        sums = {0.0: 0.0}
        for k, i in enumerate(free):
            new, rest = dict(sums), [c[j] for j in free[k + 1:]]
            for s, x in sums.items():
                new[s + c[i]] = max(new.get(s + c[i], -INF), x + w[i])
            most, least = sum(x for x in rest if x > 0), sum(x for x in rest if x < 0)
            sums = {s: x for s, x in new.items() if s + least <= upper and s + most >= lower}
            if len(sums) > 20000:
                prices = [mu for mu in [0.0] + [w[j] / c[j] for j in free if c[j]]
                          if mu == 0 or math.isfinite(upper if mu > 0 else lower)]
                return min((mu * (upper if mu > 0 else lower) if mu else 0.0) +
                           sum(max(0.0, w[j] - mu * c[j]) for j in free) for mu in prices)
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


# ------------------------------------------------------------------------------ rules as the log knows them
class Row:
    """lower <= sum c[s] * [s] <= upper, unless the state `broken` is chosen."""

    def __init__(self, m, c, lower, upper, broken=None, exact=None):
        self.c, self.lower, self.upper, self.broken, self.exact = c, lower, upper, broken, exact
        self.low, self.high = lower - slack(lower), upper + slack(upper)
        self.nodes = {}
        for s in list(c) + ([] if broken is None else [broken]):
            self.nodes.setdefault(m.node[s], []).append(s)

    def reach(self, m, chosen=()):  # the least and the most that the sum may be
        least, most, at = 0.0, 0.0, {m.node[s]: s for s in chosen}
        for n, states in self.nodes.items():
            values = [self.c.get(at[n], 0.0)] if n in at else [self.c.get(s, 0.0) for s in states if s not in m.shut]
            if n not in at and (len(values) < m.count[n] or not values):
                values.append(0.0)
            least, most = least + min(values), most + max(values)
        return least, most

    def kept(self, m, chosen=()):  # must the row hold?
        return self.broken is None or (self.broken not in chosen and (self.broken in m.shut or self.broken + 1 in chosen))

    def allows(self, m, *chosen):
        least, most = self.reach(m, chosen)
        return not self.kept(m, chosen) or (least <= self.high and most >= self.low and not (
            self.exact is not None and m.best(self.exact, None, chosen) == -INF))

    def prefers(self, m, t, s):
        (least, most), change = self.reach(m, (t,)), self.c.get(t, 0.0) - self.c.get(s, 0.0)
        if t == self.broken or (self.broken is not None and self.broken + 1 in m.shut):
            return True
        if self.broken not in (None, s, s - 1) and self.broken not in m.shut and m.score[self.broken] >= 0:
            return True  # breaking it costs nothing
        return (most <= self.high or (change <= 0 and s != self.broken)) and (
            least >= self.low or (change >= 0 and s != self.broken))


class Line:
    """States with intervals (state, begin, end): those that overlap exclude each other."""

    def __init__(self, m, spans):
        self.spans, self.nodes = spans, {}
        for span in spans:
            self.nodes.setdefault(m.node[span[0]], []).append(span)

    def allows(self, m, *chosen):  # False: some node has only states that overlap a chosen one
        at = {m.node[s]: [s] for s in chosen}
        taken = [(m.node[s], b, e) for s, b, e in self.spans if s in chosen]
        for n, spans in self.nodes.items() if taken else ():
            hit = {s for s, b, e in spans if any(k != n and b < end and begin < e for k, begin, end in taken)}
            if hit and all(s in hit for s in at.get(n) or m.open(n)):
                return False
        return True

    def prefers(self, m, t, s):  # what t takes, s takes too, or nothing open wants it
        own = self.nodes[m.node[t]]
        return all(any(x == s and b <= begin and end <= e for x, b, e in own) or not any(
            m.node[x] != m.node[t] and x not in m.shut and b < end and begin < e for x, b, e in self.spans)
            for y, begin, end in own if y == t)


class Whole:
    """A factor with scores of its own, or one that is no row."""

    def __init__(self, m, f):
        self.f, self.links, self.intervals = f, m.factors[f].links, m.factors[f].f.get("intervals")
        self.nodes = {m.node[2 * v]: None for v, _ in self.links}

    def allows(self, m, *chosen):
        return m.factors[self.f].cost < INF or m.best(self.f, None, chosen) > -INF

    def prefers(self, m, t, s):
        others = [n for n in m.undecided(self.f) if n != m.node[t]]
        if len(others) <= 1:  # with none it is part of the states' worth
            return not others or all(m.own(self.f, t, x) >= m.own(self.f, s, x) for x in m.open(others[0]))
        # Of intervals fewer are never worse, empty ones say nothing; else nothing may change.
        spans = self.intervals or [None] * len(self.links)
        return not any(m.node[2 * x[0]] == m.node[t] and m.value(x, (t,)) != m.value(x, (s,)) and (
            span is None or (m.value(x, (t,)) and span[0] < span[1])) for x, span in zip(self.links, spans))


# ------------------------------------------------------------------------------ the log
Price = collections.namedtuple("Price", "line rows keeps shares moves shifts pairs size")
NO_PRICE = Price(None, [], {}, [], {}, [], None, 0.0)


class Log:
    """What is open, and the steps of the log."""

    def __init__(self, problem, chosen):
        self.p, self.factors, self.chosen = problem, problem.factors, set(chosen)
        self.node, self.states, self.score, self.rules = {}, [], {}, []  # states' nodes and scores; nodes' states and rules
        self.shut, self.count, self.sizes, self.trail = set(), [], [], []  # closed states; how many each node has open, and has
        self.rows, self.lines, self.whole = {}, {}, {}  # of factors, and from -2 down those that steps made
        self.next_row, self.next_line = itertools.count(-2, -1), itertools.count(-2, -1)
        self.prices, self.pairs, self.derived, self.grid = [], None, [], None
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
            self.close(*(s for s in self.states[self.node[2 * v]] if (s != 2 * v) == x))
        self.scope, self.within = list(range(len(self.states))), set(self.whole)  # nodes, whole factors

    def new_node(self, states, scores):
        for s, x in zip(states, scores):
            need(s not in self.node, "two nodes share a variable")
            self.node[s], self.score[s] = len(self.states), x
        self.states.append(states)
        self.count.append(len(states))
        self.sizes.append(len(states))
        self.rules.append([])

    def new_rule(self, rule):
        for n in rule.nodes:
            self.rules[n].append(rule)
        return rule

    def add_factor(self, f, factor):
        states = [self.state(x) for x in factor.links]
        if factor.kind == "disjoint" and factor.cost == INF:
            spans = [(s, b, e) for s, (b, e) in zip(states, factor.f["intervals"]) if b < e]
            self.lines[f] = self.new_rule(Line(self, [x for x in spans if x[0] is not None]))
            if len(self.lines[f].spans) == len(spans):
                return
        if factor.whole or factor.kind == "disjoint":
            self.whole[f] = self.new_rule(Whole(self, f))
            return
        broken = 2 * (self.variables + f) if factor.cost < INF else None
        if factor.cost < INF:
            self.new_node([broken, broken + 1], [-factor.cost, 0.0])
        others = len(factor.links) - 1  # or: output <= sum of the others, each of the others <= output
        sums = [factor.row] if factor.row else [([1.0] * others + [-1.0], 0, INF)] + [
            ([-1.0 if j == i else 0.0 for j in range(others)] + [1.0], 0, INF) for i in range(others)]
        for part, (c, lower, upper) in enumerate(sums):
            entries = {}
            for s, (v, _), x in zip(states, factor.links, c):
                if s is None:  # "not in this state" of a group: 1 - [state]
                    s, x, lower, upper = 2 * v, -x, lower - x, upper - x
                if x or factor.row:
                    entries[s] = x
            exact = f if factor.kind == "linear" and factor.cost == INF else None
            self.rows[f, part] = self.new_rule(Row(self, entries, lower, upper, broken, exact))

    def state(self, link):  # that says the literal is true
        s = 2 * link[0] + link[1]
        return s if s in self.node else None

    def open(self, n):
        return [s for s in self.states[n] if s not in self.shut]

    def close(self, *states):
        for s in states:
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

    # -------------------------------------------------------------------------- what single rules say
    def closes(self, s):
        return any(not rule.allows(self, s) for rule in self.rules[self.node[s]]) or (
            self.pairs is not None and self.pairs.closes(s))

    def excludes(self, s, t):  # whatever is open
        if s == t or self.node[s] == self.node[t]:
            return s != t
        now = self.shut, self.count
        self.shut, self.count = set(), self.sizes
        both = [r for r in self.rules[self.node[s]] if self.node[t] in r.nodes]
        found = any(not rule.allows(self, s, t) for rule in both)
        self.shut, self.count = now
        return found

    def dominates(self, t, s):
        rules = self.rules[self.node[s]]
        alone = [r.f for r in rules if isinstance(r, Whole) and not set(self.undecided(r.f)) - {self.node[s]}]
        worth, less = (self.score[x] + sum(self.own(f, x) for f in alone) for x in (t, s))
        return self.node[t] == self.node[s] and t != s and t not in self.shut and (
            less == -INF or worth >= less - 1e-12 * (1 + abs(less))) and all(r.prefers(self, t, s) for r in rules)

    # -------------------------------------------------------------------------- bounds
    def evaluate(self, price):
        """The maxima at these prices, added up; then with_state() tells what a state would leave."""
        total, inside = 0.0, set(self.scope)
        w = self.weight = {s: self.score[s] for n in self.scope for s in self.states[n]}
        for row, mu in price.rows:
            side = row.upper if mu > 0 else row.lower
            need(math.isfinite(side), "a row is priced on a side it does not have")
            for s, c in row.c.items():
                if s in w:
                    w[s] -= mu * c
                elif s not in self.shut:
                    need(self.count[self.node[s]] == 1, "a row is priced that reaches beyond its part")
                    side -= c
            total += mu * side
            need(row.broken is None or row.broken in w or row.broken in self.shut, "a row beyond its part")
            if row.broken in w:  # broken, the sum may be as far off as it can
                least, most = row.reach(self)
                w[row.broken] += abs(mu) * max(0.0, most - row.upper if mu > 0 else row.lower - least)
        for f, x in price.shares:
            if f in self.chosen:
                continue
            for (v, _), y in zip(self.factors[f].links, x):
                need(2 * v in w, "a share reaches beyond its part")
                w[2 * v] -= y
            total += self.best(f, x)
            broken = 2 * (self.variables + f)
            if broken in w:
                w[broken] -= self.score[broken]  # what rows gave it stays
        for f in self.within - {f for f, _ in price.shares}:
            left = self.undecided(f)
            if len(left) == 1 and left[0] in inside:
                for s in self.open(left[0]):
                    w[s] += self.own(f, s)
            else:
                total += self.best(f)
        if self.pairs:
            total += self.pairs.best(price, w)
        self.spans, self.top = {s: (b, e) for s, b, e in price.line or []}, {}
        for n in self.scope:
            states = self.open(n)
            best = max((w[s] for s in states), default=-INF)
            if n in price.keeps:
                best = max([best + min(0.0, price.keeps[n])] + [w[s] for s in states if s not in self.spans])
            self.top[n] = best
            total += best
        bids = [(b, e, w[s] - self.top[self.node[s]]) for s, b, e in price.line or [] if s in w and s not in self.shut]
        self.forward, self.backward, self.place = schedule(bids)
        total += self.forward[-1] if bids else 0.0
        self.total = INF if math.isnan(total) else total
        if not self.within and not self.pairs:
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
        rest += self.pairs.change(s) if self.pairs else 0.0
        return INF if math.isnan(rest) else rest

    def worth(self, p):
        need(-1 <= p < len(self.prices), "no such price")
        price = self.prices[p] if p >= 0 else NO_PRICE
        need(not (price.moves or price.shifts) or price.pairs is self.pairs, "a price of other pairs")
        b = self.evaluate(price)
        need(price.size * 1e-15 <= 1e-7 * max(1.0, abs(b) if math.isfinite(b) else 1.0), "prices are too large")
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
        sys.setrecursionlimit(1000000)  # logs within logs
        bound = self.log(steps, True)
        need(next(steps, None) is None, "the log goes on after its end")
        return bound

    def log(self, steps, first=False):
        """Goes through one log, and those within it, to its end; the bound it arrives at."""
        bound, parts, outside = -INF, None, (self.pairs, self.scope, self.within, self.grid)
        derived, self.grid = len(self.derived), None
        for name, *x in steps:
            need(name in ("part", "bound") or parts is None, "only parts and their sum come after a part")
            need(not self.pairs or name not in ("dominated", "joint", "part", "pairs", "empty", "grid", "alike"),
                 "not among pairs")
            if name == "suppose":
                need(self.known(x) and len({self.node[s] for s in x}) == 1, "a supposition is about one node")
                mark, regions = len(self.trail), len(self.pairs.regions) if self.pairs else 0
                self.close(*set(self.states[self.node[x[0]]]) - set(x))
                bound = max(bound, self.log(steps))
                self.undo(mark)
                if self.pairs:  # regions of a log are gone with it
                    self.pairs.regions[regions:] = [None] * (len(self.pairs.regions) - regions)
                self.close(*x)
            elif name == "part":
                mine, mark = {self.node[s] for s in self.known(x)}, len(self.trail)
                need(mine <= set(self.scope), "a part takes a node of another")
                taken = {f for f in self.within if mine & set(self.undecided(f))}
                rest = [n for n in self.scope if n not in mine], self.within - taken
                self.scope, self.within = sorted(mine), taken
                parts = (parts or 0.0) + self.log(steps)
                self.undo(mark)
                self.scope, self.within = rest
            elif name == "strike":
                self.worth(x[0])
                bound = max([bound] + [self.with_state(s) for s in self.known(x[1:]) if s not in self.shut])
                self.close(*x[1:])
            elif name == "eliminate":
                need(self.pairs is not outside[0], "there are no pairs")
                self.pairs.eliminate(*x)
            elif name in ("bound", "empty"):
                end = -INF
                if name == "bound":
                    end = self.worth(*x) + (parts or 0.0)
                else:
                    self.check_empty(*x)
                bound = self.down(max(bound, -INF if math.isnan(end) else end))
                self.pairs, self.scope, self.within, self.grid = outside
                for row in self.derived[derived:]:  # they hold here and not outside: no side to price
                    row.upper = INF
                return bound
            else:
                need(name in ("close", "dominated", "cut", "derive", "line", "joint", "price", "pairs", "region", "grid", "alike"),
                     "unknown step")
                need(first or name != "joint", "a joint node is made at the beginning")
                getattr(self, "step_" + name)(*x)
        raise Refused("the log has no end")

    def step_alike(self, *columns):
        """Columns that may change places: any answer has a twin whose columns stand in the order of the first places."""
        listed = [s for c in columns for s in c]
        need(len(columns) > 1 and len(set(listed)) == len(listed), "no columns, or a state in two of them")
        for a, b in zip(columns, columns[1:]):
            need(len(a) == len(b), "columns of other lengths")
            need(all(s % 2 == 0 and s < 2 * self.variables for s in self.known(a + b)), "columns of other than variables")
            for s, t in zip(a, b):
                need(self.score[s] == self.score[t] and (self.node[s] in self.scope) == (self.node[t] in self.scope) and
                     all((x in self.node, x in self.shut) == (y in self.node, y in self.shut)
                         for x, y in ((s, t), (s + 1, t + 1))), "columns that are not open alike")
            to = {s // 2: t // 2 for s, t in zip(a + b, b + a)}
            need(self.said({}, to) == self.said(to, to), "columns that change the problem when they change places")
        for i in range(min(len(columns) - 1, len(columns[0]))):
            if len({self.node[c[i]] for c in columns}) > 1:
                break
            self.close(*(c[i] for c in columns[i + 1:]))

    def said(self, to, touched):
        """All that rules say of these variables, in one order, with others in their places."""
        said = [sorted(to.get(v, v) for v in g) for g in self.p.groups if not touched.keys().isdisjoint(g)]
        for i, f in enumerate(self.factors):
            if touched.keys().isdisjoint(v for v, _ in f.links):
                continue
            need(not f.whole and f.kind != "disjoint", "columns under a rule that is no row")
            broken = 2 * (self.variables + i)
            need(f.cost == INF or not self.shut & {broken, broken + 1}, "columns under a rule that is broken or kept")
            c, *sides = f.row or ([1.0] * (len(f.links) - 1) + [-1.0], 0, INF)
            said.append([f.cost, bool(f.row), *sides, *sorted((to.get(v, v), n, x) for (v, n), x in zip(f.links, c))])
        return sorted(said, key=repr)

    def step_grid(self, step):
        """What is in scope is worth base + k * step, k whole, but for `off`."""
        need(math.isfinite(step) and step > 0, "no grid")
        base, off = 0.0, 0.0
        for n in self.scope:
            first, *others = [self.score[s] for s in self.open(n)] or [0.0]
            base, off = base + first, off + max([abs(math.remainder(x - first, step)) for x in others], default=0.0)
            off += 1e-15 * abs(base)
        for f in self.factors:
            need(f.kind not in ("sequence", "head_automaton"), "no grid with a structured factor's scores")
            own = [x for x in f.scores if x > -INF] if f.kind == "table" else []
            off += max((abs(math.remainder(x, step)) for x in own), default=0.0)
            off += abs(math.remainder(f.cost, step)) if f.cost < INF else 0.0
        need(math.isfinite(base), "no grid")
        self.grid = (step, base, off)

    def down(self, bound):  # what is worth at most this is worth at most that; the slack: what the bound may be off by
        if self.grid and math.isfinite(bound):
            step, base, off = self.grid
            slack = 1e-6 * max(1, abs(bound)) + off
            if slack <= step / 4:
                return min(bound, base + math.floor((bound - base + slack) / step) * step + off)
        return bound

    def check_empty(self, x):
        where = range(len(self.states)) if x == -1 else [self.node[self.known([x])[0]]]
        need(0 in self.count or any(all(self.closes(s) for s in self.open(n)) for n in where) or (x == -1 and any(
            f.cost == INF and self.best(i) == -INF for i, f in enumerate(self.factors))),
            "something is allowed where nothing should be")

    def step_close(self, *states):
        for s in self.known(states):
            need(s in self.shut or 0 in self.count or self.closes(s), f"no single rule closes state {s}")
            self.close(s)

    def step_dominated(self, t, *states):
        for s in self.known(states) or self.states[self.node[self.known([t])[0]]]:
            if s not in self.shut and s != t:
                need(0 in self.count or self.dominates(t, s), f"state {t} does not dominate {s}")
                self.close(s)

    def step_cut(self, *states):
        for s, t in itertools.combinations(self.known(states), 2):
            need(self.excludes(s, t), "two states of a cut do not exclude each other")
        self.rows[next(self.next_row), 0] = Row(self, {s: 1.0 for s in states}, -INF, 1)

    def step_derive(self, f, part, side, k, *states):  # what follows from one side of a row, for what is open
        need((f, part) in self.rows, "a row is derived from one that does not exist")
        row = self.rows[f, part]
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
            made = Row(self, {s: 1.0 for s in states}, -INF, k, row.broken)
        else:
            upper = room - sum(x for n, x in least.items() if n not in more)
            need(math.isfinite(upper), "a row is derived where nothing is allowed")
            made = Row(self, {s: side * c for s, c in row.c.items() if self.node[s] in more}, -INF, upper, row.broken)
        self.rows[next(self.next_row), 0] = made
        self.derived.append(made)

    def step_line(self, *spans):
        self.known([s for s, _, _ in spans])
        ordered = sorted(spans, key=lambda x: x[1])
        for i, (s, b, e) in enumerate(ordered):
            for t, c, d in itertools.takewhile(lambda x: x[1] < e, ordered[i + 1:]):
                need(not (b < d and c < e) or self.excludes(s, t), "overlapping states do not exclude each other")
        self.lines[next(self.next_line)] = Line(self, spans)

    def step_joint(self, f, first, second):
        """A factor over two nodes becomes a node of their pairs, and rows that tie it to them."""
        need(f in self.within, "no joint node here")
        a, b = self.listed(first), self.listed(second)
        need(a != b and set(self.undecided(f)) <= {a, b}, "a joint node leaves out an undecided one")
        both = dict(enumerate(itertools.product(first, second), self.next_state))
        self.next_state += len(both)
        self.new_node(list(both), [-INF if self.shut & set(x) else self.own(f, *x) for x in both.values()])
        self.close(*(s for s in both if self.score[s] == -INF))
        self.scope.append(len(self.states) - 1)
        self.within.discard(f)
        rule = self.whole.pop(f)
        for n in rule.nodes:
            self.rules[n].remove(rule)
        for own in first + second:
            c = {own: -1.0, **{s: 1.0 for s, x in both.items() if own in x}}
            self.rows[next(self.next_row), 0] = self.new_rule(Row(self, c, 0.0, 0.0))

    def step_price(self, line, rows, keeps, shares, pairs, like=-1):
        numbers = [x[-1] for x in rows + keeps] + [x for y in shares for x in y[1:]] + [x for y in pairs for x in y[2:]]
        need(all(math.isfinite(x) for x in numbers), "a price is no finite number")
        need(line == -1 or line in self.lines, "no such intervals")
        need(all((f, part) in self.rows for f, part, _ in rows), "a price of a row that does not exist")
        self.known([s for s, _ in keeps])
        for f, *x in shares:
            need(0 <= f < len(self.factors) and len(x) == len(self.factors[f].links), "shares of another size")
        scored = [x[0] for x in shares if self.factors[x[0]].scored]
        need(len(set(scored)) == len(scored), "a factor's own score counts twice")
        need(self.pairs or not pairs, "there are no pairs")
        if self.pairs:
            self.pairs.priced = True
        moves, shifts = {}, []
        for i, j, *x in pairs:
            need(len(x) == self.pairs.numbers(i, j) and (min(i, j), max(i, j)) not in moves, "no numbers of a pair")
            if i < len(self.pairs.lists):
                moves[min(i, j), max(i, j)] = (i, j, x)
            else:
                shifts.append((i, j, x))
        if like != -1:  # an earlier price, where this one does not name a pair
            need(0 <= like < len(self.prices) and self.prices[like].pairs is self.pairs, "like no price")
            moves = {**self.prices[like].moves, **moves}
        size = sum(map(abs, numbers)) + sum(abs(y) for _, _, x in moves.values() for y in x)
        self.prices.append(Price(self.lines[line].spans if line != -1 else None, [(self.rows[f, k], mu) for f, k, mu in rows],
                                 {self.node[s]: x for s, x in keeps}, [(x[0], x[1:]) for x in shares],
                                 moves, shifts, self.pairs, size))

    def step_pairs(self, *lists):
        nodes = [self.listed(states) for states in lists]
        need(len(set(nodes)) == len(nodes) and set(nodes) <= set(self.scope), "nodes of pairs out of scope, or twice")
        self.pairs = Pairs(self, lists)

    def step_region(self, *lists):
        need(self.pairs, "there are no pairs")
        nodes = [self.listed(states) for states in lists]
        need(len(set(nodes)) == len(nodes) > 1 and set(nodes) <= self.pairs.nodes, "no region of nodes")
        self.pairs.regions.append(dict(zip(nodes, lists)))


class Pairs:
    """Tables over two of the listed nodes, or one, into which their rules went: {choice: worth}, by rising node, 0 where an
    entry is missing. Regions are tables over more nodes, without a worth of their own."""

    def __init__(self, m, lists):
        self.m, self.lists, self.regions, self.tables, self.priced = m, lists, [], {}, False
        self.nodes = {m.node[states[0]] for states in lists}
        taken = {f for f in m.within if 0 < len(m.undecided(f)) <= 2 and set(m.undecided(f)) <= self.nodes}
        for f in taken:
            for choice in itertools.product(*map(m.open, m.undecided(f))):
                self.add(choice, m.own(f, *choice))
        m.scope, m.within = list(m.scope), m.within - taken
        for rule in {id(r): r for n in self.nodes for r in m.rules[n] if not isinstance(r, Whole)}.values():
            self.add_rule(rule)

    def add(self, choice, x):
        choice = tuple(sorted(choice, key=self.m.node.get))
        table = self.tables.setdefault(tuple(self.m.node[s] for s in choice), {})
        table[choice] = table.get(choice, 0.0) + x

    def entry(self, choice):
        choice = tuple(sorted(choice, key=self.m.node.get))
        return self.tables.get(tuple(self.m.node[s] for s in choice), {}).get(choice, 0.0)

    def add_rule(self, rule):
        """What no choice of the other nodes can mend: single states, and pairs of them."""
        left = [n for n in rule.nodes if self.m.count[n] != 1]
        if isinstance(rule, Row) and not set(left) <= self.nodes:
            return  # some of it is elsewhere
        for k in range(3):
            for nodes in itertools.combinations([n for n in left if n in self.nodes], k):
                for choice in self.choices(nodes):
                    if not rule.allows(self.m, *choice):
                        self.add(choice, -INF)

    def choices(self, nodes, state=None):  # of open states; with this one
        return itertools.product(*([state] if self.m.node.get(state) == n else [
            s for s in self.m.open(n) if self.entry((s,)) > -INF] for n in nodes))

    def eliminate(self, i):
        need(0 <= i < len(self.lists) and not self.priced, "a node cannot be maximised out")
        n = self.m.node[self.lists[i][0]]
        mine = [key for key in self.tables if n in key]
        others = sorted({k for key in mine for k in key} - {n})
        need(n in self.nodes and len(others) <= 2, "a node cannot be maximised out")
        best = {choice: -INF for choice in self.choices(others)}
        for *choice, s in self.choices(others + [n]):
            state = {n: s, **dict(zip(others, choice))}
            x = self.m.score[s] + sum(self.tables[key].get(tuple(state[k] for k in key), 0.0) for key in mine)
            best[tuple(choice)] = max(best[tuple(choice)], x)
        for key in mine:
            del self.tables[key]
        self.nodes.remove(n)
        self.m.scope.remove(n)
        for choice, x in best.items():
            self.add(choice, x)

    def within(self, j):  # the nodes of a node or a region, with their states
        need(0 <= j < len(self.lists) + len(self.regions), "no such node or region")
        region = {self.m.node[self.lists[j][0]]: self.lists[j]} if j < len(self.lists) else self.regions[j - len(self.lists)]
        need(region is not None and set(region) <= self.nodes, "a node or region that is gone")
        return region

    def numbers(self, i, j):  # how many a price moves between them
        large, small = self.within(i), self.within(j)
        if i < len(self.lists):
            need(i != j < len(self.lists), "a price of a pair that does not exist")
            return len(self.lists[i]) + len(self.lists[j])
        need(len(large) > 2 and i != j and set(small) <= set(large), "not within its region")
        return math.prod(len(large[n]) for n in small)

    def best(self, price, w):
        """The best of every table and region at this price, added up; w loses what is moved away from states. Where all
        but one node is decided, that one's states have it all."""
        given = {}  # to each table (by its nodes) or region (by its number): (nodes, sign, numbers)

        def move(to, source, nodes, numbers):
            for key, sign in ((to, 1), (source, -1)):
                given.setdefault(key, []).append((nodes, sign, numbers))

        def key(nodes, number):
            return tuple(sorted(nodes)) if len(nodes) < 3 else number

        for i, j, x in price.moves.values():
            for k, numbers in ((i, x[:len(self.lists[i])]), (j, x[len(self.lists[i]):])):
                node = tuple(self.within(k))
                move(key([*self.within(i), *self.within(j)], None), node, node, dict(zip(((s,) for s in self.lists[k]), numbers)))
        for i, j, x in price.shifts:
            large, small = self.within(i), tuple(self.within(j))
            move(key(large, i), key(small, j), small, dict(zip(itertools.product(*(large[n] for n in small)), x)))
        self.worths, total = {}, 0.0
        for k in {**self.tables, **given}:
            nodes = k if isinstance(k, tuple) else tuple(self.within(k))
            worth = self.worth(k, nodes, given.get(k, ()))
            left = [i for i, n in enumerate(nodes) if self.m.count[n] != 1]
            if len(left) == 1 or len(nodes) == 1:
                for choice, x in worth.items():
                    w[choice[left[0] if left else 0]] += x
            else:
                most = max(worth.values(), default=-INF)
                total += most
                for i, n in enumerate(nodes):
                    self.worths.setdefault(n, []).append((i, worth, most))
        return total

    def worth(self, key, nodes, given):
        """Of each open choice, with what prices move there. A region excludes what tables within it do."""
        pairs = [] if key == nodes else [p for p in itertools.combinations(range(len(nodes)), 2)
                                         if tuple(sorted(nodes[k] for k in p)) in self.tables]
        places = [([nodes.index(n) for n in small], sign, numbers) for small, sign, numbers in given]
        worth = {}
        for c in self.choices(nodes) if len(nodes) != 1 else ((s,) for s in self.m.open(nodes[0])):
            x = self.tables.get(key, {}).get(c, 0.0) if key == nodes else 0.0
            if any(self.entry((c[a], c[b])) == -INF for a, b in pairs):
                x = -INF
            worth[c] = x + sum(sign * numbers.get(tuple([c[k] for k in at]), 0.0) for at, sign, numbers in places)
        return worth

    def change(self, s):  # how much less tables and regions are worth with this state
        return sum(max((x for c, x in worth.items() if c[i] == s), default=-INF) - most
                   for i, worth, most in self.worths.get(self.m.node[s], ()))

    def closes(self, s):
        return any(all(table.get(c, 0.0) == -INF for c in self.choices(key, s))
                   for key, table in self.tables.items() if self.m.node[s] in key)


# ------------------------------------------------------------------------------ forests
def forest_bound(problem, steps, graphs=()):
    """What a log of potentials proves of forests (or a forest and a graph) that share indicators."""
    n, fixed, splits, reached = problem.get("indicators", 0), {}, [], score_or_null(problem.get("floor"))
    shared, graphs = problem.get("shared", []), iter(graphs)
    need(bool(shared) == ("graph" in problem), "a graph and what it shares, or neither")
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
        for i, at in enumerate(zip(*prices) if not shared else ()):
            need(sum(at) == 0 or i in fixed, "prices of an indicator do not cancel")
            total -= sum(at) if fixed.get(i) else 0.0
        if shared:  # the graph has the prices with the other sign, so that they cancel
            graph = Problem(problem["graph"])
            need(len(forests) == 1 and len(shared) == n, "a graph is shared by one forest")
            for i, v in enumerate(shared):
                graph.score[v] -= prices[0][i] if prices else 0.0
            graph.fixed.update({shared[i]: on for i, on in fixed.items()})
            total += graph_claim(graph, next(graphs, None))[1]
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


def forest_value(problem, derivations, assignment=()):
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
    if "graph" not in problem:
        return value
    need({i for i, v in enumerate(problem["shared"]) if v in assignment} == counts[0], "the assignment does not agree")
    worth = Problem(problem["graph"]).evaluate(set(assignment))
    need(worth > -INF, "the assignment breaks a rule or a fixed value")
    return value + worth


def claims(certificate):
    return [INF if x == "infinity" else score_or_null(x) for x in (certificate["value"], certificate["bound"])]


def graph_claim(p, certificate, tolerance=1e-6):
    """What the assignment is worth, and the bound that the log proves, where the claim is no better."""
    value, bound = claims(certificate)
    on, at, worth = certificate["assignment"], {n: v for v, n in enumerate(p.names)}, -INF
    if on is not None or (not p.score and value > -INF):
        worth = p.evaluate({at[n] for n in on or []})
        need(worth > -INF, "the assignment breaks a rule or a fixed value")
    reached = max(Log(p, certificate["choices"]).run(certificate["steps"]), worth)
    compare(worth, reached, value, bound, tolerance)
    return worth, reached


def compare(worth, reached, value, bound, tolerance):
    need(worth == value or abs(worth - value) <= 1e-9 * max(1, abs(value)), "not worth what is claimed")
    need(bound >= value - 1e-7 * max(1, abs(value)), "the bound is below the value")
    need(bound >= reached - tolerance * max(1, abs(reached)), "the proof arrives at a bound above the one claimed")


def check(problem, certificate, tolerance=1e-6):
    """(verdict, is it an optimum or a proof that there is none)."""
    try:
        if "forests" in problem:
            worth = forest_value(problem, certificate["derivations"], certificate.get("assignment"))
            reached = max(forest_bound(problem, certificate["steps"], certificate.get("graphs", ())), worth)
            compare(worth, reached, *claims(certificate), tolerance)
        else:
            worth, reached = graph_claim(Problem(problem), certificate, tolerance)
    except Refused as why:
        return f"refused: {why}", False
    if worth == -INF:
        return ("infeasible", True) if reached == -INF else ("accepted, but not optimal", False)
    optimal = reached - worth <= tolerance * max(1, abs(worth))
    return f"{'optimal' if optimal else 'accepted, but not optimal'}: value {worth:.9g}, bound {reached:.9g}", optimal


def finite(text):
    if not math.isfinite(float(text)):
        raise ValueError(f"{text} is no number")
    return float(text)


def read(text):
    sys.setrecursionlimit(1000)  # a text that only opens brackets must not use up the stack
    return json.loads(text, parse_float=finite, parse_constant=finite)


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
        if not texts[0]:
            raise ValueError("expected problems and certificates, found none")
        good = True
        for i, (problem, certificate) in enumerate(zip(*texts), 1):
            verdict, proved = check(read(problem), read(certificate))
            good = good and proved
            if not proved or len(texts[0]) == 1:
                print(verdict if len(texts[0]) == 1 else f"{arguments[-1]}:{i}: {verdict}")
        if len(texts[0]) > 1 and good:
            print(f"{len(texts[0])} certificates, all optimal or infeasible")
        return 0 if good else 1
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        print(f"{' '.join(arguments)}: cannot be read: {error!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
