#!/usr/bin/env python3
"""A second checker of certificates, which shares nothing with the engine.

    check_certificate.py problem.json certificate.json
    check_certificate.py problems.jsonl certificates.jsonl     (one of each a line)
    check_certificate.py proofs.jsonl                          (a problem, then its certificate, and so on)

Reads what docs/formats.md and docs/certificates.md describe and goes through the log once. Here are the claim, the
logs within logs and the bounds; certificate_problem.py reads problems, certificate_rules.py has what a single rule
says. What few certificates need is imported by those: certificate_structures.py (sequences, automata, trees),
certificate_steps.py (derived rows, intervals, joint nodes, symmetry, multiples), certificate_pairs.py and
certificate_forests.py. Standard library only. Exit code as of `entente verify`: 0 if every certificate is accepted
and proves an optimum (or that there is none), 1 if not, 2 if the input cannot be read.
"""
import collections
import itertools
import json
import math
import sys

from certificate_problem import INF, Problem, score_or_null
from certificate_rules import Nodes, Refused, Row, need

# line: states with intervals (state, begin, end); keeps: of nodes, while such states bid; moves: of certificate_pairs.
Price = collections.namedtuple("Price", "line rows keeps shares moves pairs size")
NO_PRICE = Price([], [], {}, [], {}, None, 0.0)


class Frame:
    """A log that has not ended: the whole, a supposition or a part. scope: its nodes; within: its factors that
    are neither rows nor hard intervals; pairs: the tables since the step of this name."""

    def __init__(self, kind, states, mark, scope, within, pairs):
        self.kind, self.states, self.mark = kind, states, mark
        self.scope, self.within, self.pairs = scope, within, pairs
        self.bound, self.parts, self.grid, self.made = -INF, None, None, []


class Log(Nodes):
    """What is open, and what steps made. run(steps) is the bound it arrives at: nothing is worth more."""

    def __init__(self, problem, choices):
        super().__init__(problem, choices)
        self.problem, self.prices, self.outer = problem, [], []
        self.next_state = 2 * (self.variables + len(self.factors))
        whole = {f for f, rule in self.rules.items() if not rule.rows and f not in self.lines}
        self.now = Frame("whole", [], len(self.trail), list(range(len(self.states))), whole, None)

    # -------------------------------------------------------------------------- logs within logs
    def run(self, steps):
        for i, (name, *x) in enumerate(steps):
            need(self.now.parts is None or name in ("part", "bound"), "only parts and their sum after a part")
            need(name not in ("part", "dominated", "empty") or not self.now.pairs, "not among pairs")
            if name in ("suppose", "part"):
                self.begin(name, x)
            elif name in ("bound", "empty"):
                bound = self.end(name, *x)
                if not self.outer:
                    need(i == len(steps) - 1, "the log goes on after its end")
                    return bound
                self.leave(bound)
            else:
                self.step(name, x)
        raise Refused("the log has no end")

    def step(self, name, x):
        if name in ("close", "dominated", "strike", "cut", "price"):
            return getattr(self, "step_" + name)(*x)
        if name in ("pairs", "eliminate", "region"):
            import certificate_pairs as steps
        else:
            import certificate_steps as steps
        need(name in steps.STEPS, "unknown step")
        return getattr(steps, name)(self, *x)

    def begin(self, kind, states):
        now, nodes = self.now, {self.node[s] for s in self.known(states)}
        inner = Frame(kind, states, len(self.trail), now.scope, now.within, now.pairs)
        if kind == "suppose":
            need(len(nodes) == 1, "a supposition is about one node")
            self.close(set(self.states[nodes.pop()]) - set(states))
        else:
            need(nodes <= set(now.scope), "a part takes a node of another")
            inner.scope = sorted(nodes)
            inner.within = {f for f in now.within if nodes & self.rules[f].undecided(self)}
            now.scope, now.within = [n for n in now.scope if n not in nodes], now.within - inner.within
            now.parts = now.parts or 0.0
        self.outer.append(now)
        self.now = inner

    def end(self, name, x):
        """The bound of the log at hand: of what was struck and supposed, and of what is left."""
        left = -INF
        if name == "bound":
            left = self.worth(x) + (self.now.parts or 0.0)
        else:  # at the node of x, or somewhere, nothing is allowed
            where = range(len(self.states)) if x == -1 else [self.node[self.known([x])[0]]]
            need(any(self.empty(n) for n in where) or x == -1 and any(
                not rule.allows(self) for rule in self.rules.values()), "something is allowed")
        bound = max(self.now.bound, -INF if math.isnan(left) else left)
        return self.now.grid(bound) if self.now.grid else bound

    def leave(self, bound):
        inner, self.now = self.now, self.outer.pop()
        self.undo(inner.mark)
        for forget in inner.made:  # what held within and not outside
            forget()
        if inner.kind == "part":
            self.now.parts += bound
        else:
            self.now.bound = max(self.now.bound, bound)
            self.close(inner.states)

    # -------------------------------------------------------------------------- bounds
    def evaluate(self, price):
        """The maxima at these prices, added up; then with_state() tells what a state would leave."""
        total, now = 0.0, self.now
        w = self.weight = {s: self.score[s] for n in now.scope for s in self.states[n]}
        for row, mu in price.rows:
            total += self.price_row(row, mu, w)
        for f, x in price.shares:
            total += self.share(f, x, w)
        for f in now.within - {f for f, _ in price.shares}:
            left = self.rules[f].undecided(self)
            if len(left) == 1 and left <= set(now.scope):  # part of its states' worth
                for s in self.open(*left):
                    w[s] += self.rules[f].own(self, s)
            else:
                total += self.rules[f].best(self, {})
        if now.pairs:
            total += now.pairs.best(price, w)
        self.spans, self.top = {s: (b, e) for s, b, e in price.line}, {}
        for n in now.scope:
            best = max((w[s] for s in self.open(n)), default=-INF)
            if n in price.keeps:  # and states with intervals bid for the rest
                plain = [w[s] for s in self.open(n) if s not in self.spans]
                best = max([best + min(0.0, price.keeps[n])] + plain)
            self.top[n] = best
            total += best
        bids = [x for x in price.line if x[0] in w and x[0] not in self.shut]
        self.forward, self.backward = schedule([(b, e, w[s] - self.top[self.node[s]]) for s, b, e in bids])
        total += max(self.forward.values(), default=0.0)
        self.total = INF if math.isnan(total) else total
        lows = {n: min((self.score[s] for s in self.open(n)), default=INF) for n in now.scope}
        self.low = lows if not now.within and not now.pairs else None
        return self.unless_none(self.total, sum(lows.values()))

    def unless_none(self, bound, least):
        """A bound that is less than any choice is worth says that there is none."""
        none = self.low is not None and bound < least - 1e-6 * (1 + abs(least)) < INF
        return -INF if none else bound

    def price_row(self, row, mu, w):
        """What the row's side is worth at this price, which its states pay."""
        side = row.upper if mu > 0 else row.lower
        need(math.isfinite(side), "a row is priced on a side it does not have")
        need(row.broken is None or row.broken in w or row.broken in self.shut, "a row beyond its part")
        for s, c in row.c.items():
            if s in w:
                w[s] -= mu * c
            elif s not in self.shut:
                need(self.count[self.node[s]] == 1, "a row is priced that reaches beyond its part")
                side -= c
        if row.broken in w:  # broken, the sum may be as far off as it can
            least, most = row.reach(self)
            w[row.broken] += abs(mu) * max(0.0, most - row.upper if mu > 0 else row.lower - least)
        return mu * side

    def share(self, f, x, w):
        """A factor's best with shares of its variables' scores."""
        if f in self.choices:
            return 0.0
        links, broken = self.factors[f].links, self.broken(f)
        need(not self.factors[f].scored or f in self.now.within or broken in w, "its score counts elsewhere")
        need(all(2 * v in w for v, _ in links), "a share reaches beyond its part")
        for (v, _), y in zip(links, x):
            w[2 * v] -= y
        if broken in w:  # the cost is in the factor's best
            w[broken] -= self.score[broken]
        return self.rules[f].best(self, {2 * v: y for (v, _), y in zip(links, x)})

    def with_state(self, s):
        need(self.node[s] in self.top, "a state out of scope is struck")
        if self.total == -INF:
            return -INF
        rest = self.total - self.top[self.node[s]] + self.weight[s]
        if s in self.spans:  # in its place in the schedule, not on top of it
            begin, end = self.spans[s]
            rest += self.forward[begin] + self.backward[end] - max(self.forward.values())
        if self.now.pairs:
            rest += self.now.pairs.change(s)
        return INF if math.isnan(rest) else rest

    def worth(self, p):
        need(-1 <= p < len(self.prices), "no such price")
        price = self.prices[p] if p >= 0 else NO_PRICE
        need(not price.moves or price.pairs is self.now.pairs, "a price of other pairs")
        bound = self.evaluate(price)
        large = 1e8 * max(1.0, abs(bound) if math.isfinite(bound) else 1.0)
        need(price.size <= large, "prices are too large to be added up exactly enough")
        return bound

    # -------------------------------------------------------------------------- steps
    def known(self, states):
        need(all(type(s) is int and s in self.node for s in states), "a state that does not exist")
        return states

    def listed(self, states):  # the node of these states, if all that are open are among them
        n = self.node[self.known(states)[0]] if states else None
        need(states and len(set(states)) == len(states) and all(self.node[s] == n for s in states) and
             len(set(states) - self.shut) == self.count[n], "the states of a node are not listed as they are")
        return n

    def new_row(self, c, lower, upper, broken=None):
        row = Row(self, c, lower, upper, broken)
        self.rows[-2 - sum(f < 0 for f, _ in self.rows), 0] = row
        return row

    def step_close(self, *states):
        for s in self.known(states):
            need(s in self.shut or 0 in self.count or self.closes(s) or (
                self.now.pairs and self.now.pairs.closes(s)), f"no single rule closes state {s}")
            self.close([s])

    def step_dominated(self, t, *states):
        for s in self.known(states) or self.states[self.node[self.known([t])[0]]]:
            if s not in self.shut and s != t:
                need(0 in self.count or self.dominates(t, s), f"state {t} does not dominate {s}")
                self.close([s])

    def step_strike(self, p, *states):
        self.worth(p)
        lows = self.low or {}
        least = {s: sum(lows.values()) - lows.get(self.node[s], 0.0) + self.score[s] for s in self.known(states)}
        left = [self.unless_none(self.with_state(s), least[s]) for s in states if s not in self.shut]
        self.now.bound = max([self.now.bound] + left)
        self.close(states)

    def step_cut(self, *states):
        for s, t in itertools.combinations(self.known(states), 2):
            need(self.excludes(s, t), "two states of a cut do not exclude each other")
        self.new_row({s: 1.0 for s in states}, -INF, 1)

    def step_price(self, line, rows, keeps, shares, pairs, like=-1):
        numbers = [x[-1] for x in rows + keeps] + [x for y in shares for x in y[1:]] + [
            x for y in pairs for x in y[2:]]
        need(all(math.isfinite(x) for x in numbers), "a price is no finite number")
        need(line == -1 or line in self.lines, "no such intervals")
        need(all((f, part) in self.rows for f, part, _ in rows), "a price of a row that does not exist")
        self.known([s for s, _ in keeps])
        for f, *x in shares:
            need(0 <= f < len(self.factors) and len(x) == len(self.factors[f].links), "not its shares")
        scored = [x[0] for x in shares if self.factors[x[0]].scored]
        need(len(set(scored)) == len(scored), "a factor's own score counts twice")
        need(self.now.pairs or not (pairs or like != -1), "there are no pairs")
        moves = self.now.pairs.moves(pairs, like) if pairs or like != -1 else {}
        moved = [y for x in moves.values() for _, _, given in x for y in given.values()]
        self.prices.append(Price(
            self.lines[line] if line != -1 else [], [(self.rows[f, k], mu) for f, k, mu in rows],
            {self.node[s]: x for s, x in keeps}, [(x[0], x[1:]) for x in shares], moves, self.now.pairs,
            sum(map(abs, numbers + moved))))


def schedule(bids):
    """Weighted intervals (begin, end, worth): at each point the best of those that end by it, and that begin there."""
    points, by_end, by_begin = sorted({x for bid in bids for x in bid[:2]}), {}, {}
    for bid in bids:
        by_begin.setdefault(bid[0], []).append(bid)
        by_end.setdefault(bid[1], []).append(bid)
    forward, backward, best = {}, {}, 0.0
    for point in points:
        best = forward[point] = max([best] + [forward[b] + x for b, _, x in by_end.get(point, ())])
    best = 0.0
    for point in reversed(points):
        best = backward[point] = max([best] + [backward[e] + x for _, e, x in by_begin.get(point, ())])
    return forward, backward


# ------------------------------------------------------------------------------ certificates
def graph_claim(p, certificate):
    """What the assignment is worth, and the bound that the log proves."""
    on, worth = certificate["assignment"], -INF
    if on is not None or (not p.score and certificate["value"] is not None):
        worth = p.evaluate({p.at[n] for n in on or []})
        need(worth > -INF, "the assignment breaks a rule or a fixed value")
    return worth, max(worth, Log(p, certificate["choices"]).run(certificate["steps"]))


def compare(worth, reached, certificate, tolerance=1e-6):
    """The claim must not be better than that."""
    value, bound = (INF if x == "infinity" else score_or_null(x)
                    for x in (certificate["value"], certificate["bound"]))
    need(worth == value or abs(worth - value) <= 1e-9 * max(1, abs(value)), "not worth what is claimed")
    need(bound >= value - 1e-7 * max(1, abs(value)), "the bound is below the value")
    need(bound >= reached - tolerance * max(1, abs(reached)), "the log arrives at a bound above the one claimed")


def check(problem, certificate, tolerance=1e-6):
    """(verdict, is it an optimum or a proof that there is none)."""
    try:
        if "forests" in problem:
            from certificate_forests import forest_claim
            worth, reached = forest_claim(problem, certificate)
        else:
            worth, reached = graph_claim(Problem(problem), certificate)
        compare(worth, reached, certificate, tolerance)
    except Refused as why:
        return f"refused: {why}", False
    if worth == -INF:
        return ("infeasible", True) if reached == -INF else ("accepted, but not optimal", False)
    optimal = reached - worth <= tolerance * max(1, abs(worth))
    verdict = "optimal" if optimal else "accepted, but not optimal"
    return f"{verdict}: value {worth:.9g}, bound {reached:.9g}", optimal


def read(text):
    def finite(x):
        if not math.isfinite(float(x)):
            raise ValueError(f"{x} is no number")
        return float(x)
    return json.loads(text, parse_float=finite, parse_constant=finite)


def is_lines(lines):
    """JSON lines, whatever the file is called: what stands in the first is a whole value."""
    try:
        json.loads(lines[0])
        return True
    except (LookupError, ValueError, RecursionError):
        return False


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        texts = []
        for path in arguments:
            with open(path, encoding="utf-8") as file:
                lines = [line for line in file if line.strip()]
                texts.append(lines if is_lines(lines) else ["".join(lines)])
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
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as why:
        print(f"{' '.join(arguments)}: cannot be read: {why!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.modules["check_certificate"] = sys.modules[__name__]  # which certificate_forests imports
    sys.exit(main(sys.argv[1:]))
