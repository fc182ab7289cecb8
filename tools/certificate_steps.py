"""Steps that few certificates have, for check_certificate.py: rows that follow from others, intervals, nodes for
factors over two, columns that may change places, values that are multiples. m is the log."""
import itertools
import math
import types

from certificate_problem import INF, row_machine, slack
from certificate_rules import Rule, need

STEPS = ("derive", "round", "line", "joint", "alike", "grid")


def derive(m, f, part, side, k, *states):
    """What follows from one side of a row, for what is open: at most k nodes are in one of these states; or
    (k = -1) the row for their nodes when the others take their least."""
    need((f, part) in m.rows, "a row is derived from one that does not exist")
    row = m.rows[f, part]
    room = row.upper if side == 1 else -row.lower
    need(side in (1, -1) and type(k) is int and k >= -1 and math.isfinite(room), "no row to derive from")
    need(len(set(m.known(states))) == len(states), "a derived row lists a state twice")
    least = {n: min((side * row.c.get(s, 0.0) for s in m.open(n)), default=INF) for n in row.nodes}
    more = {m.node[s]: INF for s in states}  # what a node takes above its least with a listed state
    for s in set(states) - m.shut:
        more[m.node[s]] = min(more[m.node[s]], side * row.c.get(s, 0.0) - least.get(m.node[s], 0.0))
    if k >= 0:
        need(len(more) <= k or sum(least.values()) + sum(sorted(more.values())[:k + 1]) > room + slack(room),
             "more of a derived row's states are allowed")
        made = m.new_row({s: 1.0 for s in states}, -INF, k, row.broken)
    else:
        upper = room - sum(x for n, x in least.items() if n not in more)
        need(math.isfinite(upper), "a row is derived where nothing is allowed")
        c = {s: side * x for s, x in row.c.items() if m.node[s] in more}
        made = m.new_row(c, -INF, upper, row.broken)
    m.now.made.append(lambda: setattr(made, "upper", INF))  # outside there is no side to price


def round(m, listed, *nothing):
    """Rows times numbers, added up and rounded: of whole [s] and of what whole rows leave; mixed-integer rounding."""
    sides, total, b, size = [], {}, 0.0, 0.0
    for f, part, side, times in listed:
        need((f, part) in m.rows and side in (1, -1, 2, -2) and math.isfinite(times), "no row to round")
        row, sign, whole = m.rows[f, part], 1 if side > 0 else -1, abs(side) == 2
        need(row.broken is None or row.broken in m.shut, "a soft row is rounded")
        room, entries = row.upper if side > 0 else -row.lower, {}
        for s, x in row.c.items():
            if s not in m.shut and m.count[m.node[s]] == 1:
                room -= sign * x
            elif s not in m.shut:
                need(not whole or x == math.floor(x), "a coefficient is not whole")
                entries[s] = sign * x
        need(math.isfinite(room), "no such side")
        room = math.floor(room + 1e-6) if whole else room
        for s, x in entries.items():
            total[s] = total.get(s, 0.0) + times * x
            size += abs(times * x)
        b, size = b + times * room, size + abs(times * room)
        sides.append((times, whole, room, entries))
    at = {m.node[s]: s for s in m.known(nothing)}
    need(len(at) == len(nothing), "two states of a node count nothing")
    for n in {m.node[s] for s in total}:
        at.setdefault(n, m.open(n)[0])
    for s in at.values():
        worth = total.get(s, 0.0)
        for t in m.open(m.node[s]) if s in total else ():
            total[t] = total.get(t, 0.0) - worth
        b -= worth
    b += 1e-9 * (1 + size)
    f = b - math.floor(b)
    need(size <= 2e6 * (1 - f), "numbers are too large to be rounded")

    def down(x):
        return math.floor(x) + max(0.0, x - math.floor(x) - f) / (1 - f)
    c, upper = {s: down(x) for s, x in total.items()}, math.floor(b)
    for times, whole, room, entries in sides:
        left = down(times) if whole else min(0.0, times) / (1 - f)
        for s, x in entries.items():
            c[s] -= left * x
        upper -= left * room
    made = m.new_row(c, -INF, upper + 1e-9 * (1 + abs(upper)) + 1e-14 * size / (1 - f))
    m.now.made.append(lambda: setattr(made, "upper", INF))


def line(m, *spans):
    m.known([s for s, _, _ in spans])
    ordered = sorted(spans, key=lambda x: x[1])
    for i, (s, begin, end) in enumerate(ordered):
        need(begin < end, "an interval without length")
        for t, _, _ in itertools.takewhile(lambda x: x[1] < end, ordered[i + 1:]):
            need(m.excludes(s, t), "overlapping states do not exclude each other")
    m.lines[-2 - sum(f < 0 for f in m.lines)] = spans


def joint(m, f, *lists):
    """A factor becomes a node, of the choices of its nodes, and rows that tie it to them."""
    need(not m.outer and not m.now.pairs and f in m.now.within, "no joint node here")
    nodes = {m.listed(states) for states in lists}
    need(1 < len(nodes) == len(lists) and m.rules[f].undecided(m) <= nodes, "a joint node leaves out an undecided one")
    choices = list(itertools.product(*lists))
    states = range(m.next_state, m.next_state + len(choices))
    m.next_state += len(choices)
    m.new_node(list(states), [-INF if m.shut & set(x) else m.rules[f].own(m, *x) for x in choices])
    m.close(s for s in states if m.score[s] == -INF)
    m.now.scope = m.now.scope + [len(m.states) - 1]
    m.now.within = m.now.within - {f}
    for n in m.rules[f].nodes:
        m.at_node[n].remove(m.rules[f])
    for own in itertools.chain(*lists):
        c = {own: -1.0, **{s: 1.0 for s, x in zip(states, choices) if own in x}}
        start, order, read = row_machine(list(c.values()), 0.0, 0.0)
        tie = types.SimpleNamespace(cost=INF, spans=None, tree=None, start=start, order=order, read=read)
        m.new_rule(("tie", own), Rule(m, tie, [(s, False) for s in c], rows=[m.new_row(c, 0.0, 0.0)]))


def alike(m, *columns):
    """Columns of variables that may change places: any answer has a twin where the first places have the first ones."""
    listed = [s for c in columns for s in c]
    need(not m.now.pairs and len(columns) > 1 and len(set(listed)) == len(listed), "no columns, or not apart")
    for a, b in zip(columns, columns[1:]):
        need(len(a) == len(b), "columns of other lengths")
        need(all(s % 2 == 0 and s < 2 * m.variables for s in m.known(a + b)), "columns of no variables")
        for s, t in zip(a, b):
            seen = [[m.score[x], m.node[x] in m.now.scope, x in m.shut, x + 1 in m.node, x + 1 in m.shut] for x in (s, t)]
            need(seen[0] == seen[1], "columns that are not open alike")
        to = {s // 2: t // 2 for s, t in zip(a + b, b + a)}
        need(said(m, {}, to) == said(m, to, to), "columns that change the problem when they change places")
    for i in range(min(len(columns) - 1, len(columns[0]))):
        if len({m.node[c[i]] for c in columns}) > 1:
            break
        m.close([c[i] for c in columns[i + 1:]])


def said(m, to, touched):
    """All that rules say of these variables, in one order, with others in their places."""
    groups = [sorted(to.get(v, v) for v in g) for g in m.problem.groups if not touched.keys().isdisjoint(g)]
    rules = []
    for i, f in enumerate(m.factors):
        if not touched.keys().isdisjoint(v for v, _ in f.links):
            need(f.rows, "columns under a rule that is no row")
            need(f.cost == INF or not m.shut & {m.broken(i), m.broken(i) + 1}, "columns under a decided rule")
            c, *sides = f.rows[0]
            entries = sorted((to.get(v, v), negated, x) for (v, negated), x in zip(f.links, c))
            rules.append([f.cost, len(f.rows), *sides, *entries])
    return sorted(groups), sorted(rules)


def grid(m, step):
    """What is in scope is worth base + k * step, k whole, but for `off`: bounds go down to such a worth."""
    need(not m.now.pairs and math.isfinite(step) and step > 0, "no grid")
    base, off = 0.0, 0.0

    def deviation(x):
        return abs(math.remainder(x, step)) + 4e-16 * abs(x)
    for n in m.now.scope:
        first, *others = [m.score[s] for s in m.open(n)] or [0.0]
        base += first
        off += max((deviation(x - first) for x in others), default=0.0) + 1e-15 * abs(base)
    for f in m.factors:
        need(f.kind not in ("sequence", "head_automaton"), "no grid with a structured factor's scores")
        off += max((deviation(x) for x in f.scores if x is not None), default=0.0)
        off += deviation(f.cost) if f.cost < INF else 0.0
    need(math.isfinite(base), "no grid")

    def down(bound):  # what is worth at most this is worth at most that; slack: what the bound may be off by
        room = 1e-6 * max(1, abs(bound)) + off if math.isfinite(bound) else INF
        if room > step / 4:
            return bound
        return min(bound, base + math.floor((bound - base + room) / step) * step + off)
    m.now.grid = down
