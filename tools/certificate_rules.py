"""What is open, and what single rules say of it, for check_certificate.py.

States: "variable v is 1" is 2v, "it is 0" 2v + 1 where v is in no group; broken and kept of a soft rule f written
as rows are 2(V + f) and one more. Nodes are sets of states of which one is chosen.
"""
import itertools
import math

from certificate_problem import INF, slack


class Refused(Exception):
    pass


def need(holds, why):
    if not holds:
        raise Refused(why)


class Row:
    """lower <= sum c[s] * [s] <= upper, unless the state `broken` is chosen."""

    def __init__(self, m, c, lower, upper, broken=None):
        self.c, self.lower, self.upper, self.broken, self.nodes = c, lower, upper, broken, {}
        for s in [*c] + [broken] * (broken is not None):
            self.nodes.setdefault(m.node[s], []).append(s)

    def reach(self, m):  # the least and the most that the sum may be
        least = most = 0.0
        for n, states in self.nodes.items():
            values = [self.c.get(s, 0.0) for s in states if s not in m.shut]
            values += [0.0] * (len(values) < m.count[n] or not values)  # of states that are not in the row
            least, most = least + min(values), most + max(values)
        return least, most

    def prefers(self, m, t, s):
        """Whatever the others do, is the row kept with t where it is with s?"""
        if self.broken is not None and (t == self.broken or self.broken + 1 in m.shut or (
                s != self.broken and self.broken not in m.shut and m.score[self.broken] == 0)):
            return True  # it is broken, or can be for nothing
        more = self.c.get(t, 0.0) - self.c.get(s, 0.0)
        if more == 0 and s != self.broken:
            return True
        (least, most), broken = self.reach(m), s == self.broken
        return (most <= self.upper + slack(self.upper) or (more < 0 and not broken)) and (
            least >= self.lower - slack(self.lower) or (more > 0 and not broken))


class Rule:
    """A factor as the log knows it; links: (state, is it negated). A row among others may be `broken`."""

    def __init__(self, m, factor, links, broken=None, rows=(), spans=None):
        self.factor, self.links, self.broken, self.rows, self.spans = factor, links, broken, rows, spans
        self.nodes = {m.node[s] for s, _ in links} | ({m.node[broken]} if broken is not None else set())
        # Literals of one node side by side are read as a run, of which one state at most is chosen.
        order = sorted(factor.order, key=lambda k: m.node[links[k][0]]) if len(rows) == 1 else factor.order
        self.runs = [list(run) for _, run in itertools.groupby(order, key=lambda k: m.node[links[k][0]])]

    def overlap(self, s, t):  # has s an interval that overlaps one of t?
        return s in self.spans and t in self.spans and any(
            b < end and begin < e for b, e in self.spans[s] for begin, end in self.spans[t])

    def undecided(self, m):  # its nodes, of which more than one state is open
        return {m.node[s] for s, _ in self.links if m.chosen(s, {}) is None}

    def own(self, m, *chosen):
        at = {m.node[s]: s for s in chosen}
        return self.factor.own([bool(m.chosen(s, at)) != negated for s, negated in self.links])

    def best(self, m, w, chosen=(), most=20000):
        """The best of what open states are worth (by w) together with its own score, or more."""
        at, cost = {m.node[s]: s for s in chosen}, self.factor.cost
        if cost < INF:
            left = [m.open(n) for n in self.undecided(m) if n not in at]
            if not self.rows and math.prod(map(len, left)) <= 1024:
                return max(self.own(m, *chosen, *x) + sum(w.get(s, 0.0) for s, _ in self.links if m.chosen(
                    s, {**at, **{m.node[y]: y for y in x}})) for x in itertools.product(*left))
            values = [(w.get(s, 0.0), m.chosen(s, at)) for s, _ in self.links]
            broken = sum(max(0.0, x) if on is None else x * on for x, on in values) - cost
            return max(broken, self.kept(m, w, at, most))
        return self.kept(m, w, at, most)

    def kept(self, m, w, at, most):
        clamp = [m.chosen(s, at) for s, _ in self.links]
        if self.factor.tree:
            return sum(w.get(s, 0.0) for s, negated in self.links if negated) + self.factor.tree(
                [-w.get(s, 0.0) if negated else w.get(s, 0.0) for s, negated in self.links],
                [x if x is None else x != negated for x, (_, negated) in zip(clamp, self.links)])
        found = {} if self.factor.start is None else {self.factor.start: 0.0}
        for run in self.runs:
            n = m.node[self.links[run[0]][0]]
            one = n not in at and sum(self.links[k][0] not in m.shut for k in run) >= m.count[n]  # is chosen
            found = {(memory, False): x for memory, x in found.items()}  # and whether one of the run is
            for k in run:
                (s, negated), came, found = self.links[k], found, {}
                for (memory, some), x in came.items():
                    for on in (False, True) if clamp[k] is None else (clamp[k],):
                        after, gain = self.factor.read(memory, k, on != negated)
                        y, key = x + gain + (w.get(s, 0.0) if on else 0.0), (after, some or on)
                        if after is not None and not (some and on) and y > found.get(key, -INF):
                            found[key] = y
            came, found = found, {}
            for (memory, some), x in came.items():
                if some or not one:
                    found[memory] = max(x, found.get(memory, -INF))
            if self.rows and len(found) > most:  # too many sums: neighbours become one
                came, sums, found = found, sorted(found), {}
                for a, b in zip(sums[::2], sums[1::2] + sums[-1:]):
                    found[a[0], max(a[1], b[1])] = max(came[a], came[b])
        return max(found.values(), default=-INF)

    def allows(self, m, *chosen):
        """May these states be chosen together, with what is open? In doubt yes."""
        if self.factor.cost < INF and (self.broken is None or self.broken in chosen or not (
                self.broken in m.shut or self.broken + 1 in chosen)):
            return True  # it can be broken
        return self.kept(m, {}, {m.node[s]: s for s in chosen}, 2000) > -INF

    def prefers(self, m, t, s):
        """Whatever the others do, is it no harder on state t than on s of the same node? In doubt no."""
        if self.rows:
            return all(row.prefers(m, t, s) for row in self.rows)
        if self.spans is not None:  # what overlaps with t overlaps with s
            return t not in self.spans or all(self.overlap(s, x) for x in self.spans if m.node[x] != m.node[s] and
                                              x not in m.shut and self.overlap(t, x))
        others = [m.open(n) for n in self.undecided(m) if n != m.node[t]]
        if math.prod(map(len, others)) <= 10000:
            return all(self.own(m, t, *x) >= self.own(m, s, *x) for x in itertools.product(*others))
        here = [(x == t) != negated for x, negated in self.links if x in (s, t)]
        return not (any(here) if self.factor.spans else here)  # but fewer intervals nothing may change


class Nodes:
    """Nodes, states, rules, and what is open."""

    def __init__(self, problem, choices):
        self.factors, self.choices, self.variables = problem.factors, set(choices), len(problem.score)
        self.node, self.score, self.states = {}, {}, []  # of each state; of each node
        self.shut, self.trail = set(), []  # states that are closed
        self.count, self.sizes, self.at_node = [], [], []  # of each node: its open states, all, its rules
        self.rules, self.rows, self.lines = {}, {}, {}  # of factors; from -2 down those that steps made
        for f in choices:
            need(0 <= f < len(self.factors) and self.factors[f].kind.startswith("exactly_one") and
                 self.factors[f].cost == INF and not any(n for _, n in self.factors[f].links), "no choice")
        for vs in problem.groups + [[v for v, _ in self.factors[f].links] for f in choices]:
            self.new_node([2 * v for v in vs], [problem.score[v] for v in vs])
        for v, x in enumerate(problem.score):
            if 2 * v not in self.node:
                self.new_node([2 * v, 2 * v + 1], [x, 0.0])
        for f, factor in enumerate(self.factors):
            if f not in self.choices:
                self.add_factor(f, factor)
        for v, x in problem.fixed.items():
            self.close(s for s in self.states[self.node[2 * v]] if (s != 2 * v) == x)

    def new_node(self, states, scores):
        for s, x in zip(states, scores):
            need(s not in self.node, "two nodes share a variable")
            self.node[s], self.score[s] = len(self.states), x
        self.states.append(states)
        self.count.append(len(states))
        self.sizes.append(len(states))
        self.at_node.append([])

    def add_factor(self, f, factor):
        broken, rows = None, []
        if factor.rows and factor.cost < INF:
            broken = self.broken(f)
            self.new_node([broken, broken + 1], [-factor.cost, 0.0])
        states = [2 * v + n if 2 * v + n in self.node else None for v, n in factor.links]
        for part, (c, lower, upper) in enumerate(factor.rows):
            entries = {}
            for s, (v, _), x in zip(states, factor.links, c):
                if s is None:  # "not in this state" of a group: 1 - [state]
                    s, x, lower, upper = 2 * v, -x, lower - x, upper - x
                if x:
                    entries[s] = x
            rows.append(Row(self, entries, lower, upper, broken))
            self.rows[f, part] = rows[-1]
        if factor.spans is not None and factor.cost == INF:
            self.lines[f] = [(s, b, e) for s, (b, e) in zip(states, factor.spans) if s is not None and b < e]
        spans = {s: [(b, e)] for s, b, e in self.lines[f]} if f in self.lines and None not in states else None
        self.new_rule(f, Rule(self, factor, [(2 * v, n) for v, n in factor.links], broken, rows, spans))

    def new_rule(self, f, rule):
        self.rules[f] = rule
        for n in rule.nodes:
            self.at_node[n].append(rule)

    def broken(self, f):
        return 2 * (self.variables + f)

    def open(self, n):
        return [s for s in self.states[n] if s not in self.shut]

    def chosen(self, s, at):
        """Is it, where nodes are decided, or in the states that `at` gives them? None: both may be."""
        n = self.node[s]
        if n in at:
            return at[n] == s
        return False if s in self.shut else True if self.count[n] == 1 else None

    def close(self, states):
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

    def closes(self, s):
        return any(not rule.allows(self, s) for rule in self.at_node[self.node[s]])

    def excludes(self, s, t):  # whatever is open
        if s == t or self.node[s] == self.node[t]:
            return s != t
        now, self.shut, self.count = (self.shut, self.count), set(), self.sizes
        found = any(not r.allows(self, s, t) for r in self.at_node[self.node[s]] if self.node[t] in r.nodes)
        self.shut, self.count = now
        return found

    def dominates(self, t, s):
        n, rules = self.node[s], self.at_node[self.node[s]]
        # Scored factors of which all other nodes are decided are part of the states' worth.
        alone = [r for r in rules if not r.rows and r.spans is None and r.undecided(self) <= {n}]
        worth, less = (self.score[x] + sum(r.own(self, x) for r in alone) for x in (t, s))
        return self.node[t] == n and t != s and t not in self.shut and (
            less == -INF or worth >= less - 1e-12 * (1 + abs(less))) and all(
                r.prefers(self, t, s) for r in rules if r not in alone)

    def empty(self, n):
        return 0 in self.count or all(self.closes(s) for s in self.open(n))
