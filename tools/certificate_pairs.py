"""Steps among pairs, for check_certificate.py: nodes and the tables between them, into which all rules over one or
two of them went. Prices move numbers from tables to others that have their nodes and more. m is the log."""
import collections
import itertools
import math

from certificate_problem import INF
from certificate_rules import need

STEPS = ("pairs", "eliminate", "region")


def pairs(m, *lists):
    need(not m.now.pairs, "pairs within pairs")
    nodes = [m.listed(states) for states in lists]
    need(len(set(nodes)) == len(nodes) and set(nodes) <= set(m.now.scope), "nodes out of scope, or twice")
    m.now.pairs = Pairs(m, [{n: states} for n, states in zip(nodes, lists)])


def eliminate(m, i):
    need(m.now.pairs and not (m.outer and m.outer[-1].pairs), "there are no pairs")
    m.now.pairs.eliminate(i)


def region(m, *lists):
    need(m.now.pairs, "there are no pairs")
    nodes, areas = [m.listed(states) for states in lists], m.now.pairs.areas
    need(len(set(nodes)) == len(nodes) > 1 and set(nodes) <= m.now.pairs.nodes, "no region of nodes")
    number = len(areas)
    areas.append(dict(zip(nodes, lists)))
    m.now.made.append(lambda: areas.__setitem__(number, None))


class Pairs:
    """tables: of one or two nodes, by their rising numbers, {states: worth}, 0 where an entry is missing. areas:
    what prices name, {node: its states}: the listed nodes, then regions, which are tables with no worth of their own."""

    def __init__(self, m, areas):
        self.m, self.areas, self.listed, self.tables, self.priced = m, areas, len(areas), {}, False
        self.nodes = {n for area in areas for n in area}
        mine = {f: m.rules[f].undecided(m) for f in m.now.within}
        taken = {f for f, nodes in mine.items() if 0 < len(nodes) <= 2 and nodes <= self.nodes}
        for f in taken:
            for choice in itertools.product(*map(m.open, sorted(mine[f]))):
                self.add(choice, m.rules[f].own(m, *choice))
        m.now.scope, m.now.within = list(m.now.scope), m.now.within - taken
        for rule in {id(r): r for n in self.nodes for r in m.at_node[n]}.values():
            left = sorted(n for n in rule.nodes if m.count[n] != 1)
            if (rule.rows or rule.factor.spans) and (set(left) <= self.nodes or not rule.rows):
                self.add_rule(rule, [n for n in left if n in self.nodes])

    def add_rule(self, rule, nodes):
        """What no choice of the other nodes can mend: single states, and pairs of them."""
        for k in range(3):
            for some in itertools.combinations(nodes, k):
                for choice in self.choices(some):
                    if not rule.allows(self.m, *choice):
                        self.add(choice, -INF)

    def add(self, choice, x):
        table = self.tables.setdefault(tuple(self.m.node[s] for s in choice), {})
        table[choice] = table.get(choice, 0.0) + x

    def choices(self, nodes, state=None):  # of open states; with this one
        return itertools.product(*([state] if self.m.node.get(state) == n else [
            s for s in self.m.open(n) if self.tables.get((n,), {}).get((s,), 0.0) > -INF] for n in nodes))

    def eliminate(self, i):
        """Node i has at most two neighbours: their table gets its best."""
        need(0 <= i < self.listed and not self.priced, "a node cannot be maximised out")
        (n,) = self.areas[i]
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
        self.m.now.scope.remove(n)
        for choice, x in best.items():
            self.add(choice, x)

    def area(self, i):
        need(0 <= i < len(self.areas) and self.areas[i] and set(self.areas[i]) <= self.nodes,
             "no such node or region, or one that is gone")
        return self.areas[i]

    def key(self, i):  # of a table: its nodes, or the number of a region of more than two
        return tuple(sorted(self.area(i))) if len(self.area(i)) <= 2 else i

    def moves(self, given, like):
        """What a price says: {(i, j): [(table, nodes, what it gets for their states), ...]}."""
        self.priced, moves = True, {}
        for i, j, *x in given:
            large, small = self.area(i), self.area(j)
            both = i < self.listed  # two nodes give to their table; else j gives to region i
            name = (min(i, j), max(i, j)) if both else (i, j)
            need(i != j and name not in moves, "a pair that has a price")
            if both:
                need(j < self.listed, "a price of a pair that does not exist")
                table, parts = tuple(sorted({**large, **small})), [(i, tuple(large)), (j, tuple(small))]
            else:
                need(len(large) > 2 and set(small) <= set(large), "not within its region")
                table, parts = i, [(j, tuple(small))]
            moved = moves[name] = []
            for k, nodes in parts:
                choices = list(itertools.product(*((self.areas[k] if both else large)[n] for n in nodes)))
                numbers = dict(zip(choices, x))
                moved += [(table, nodes, numbers), (self.key(k), nodes, {c: -y for c, y in numbers.items()})]
                x = x[len(choices):] if len(x) >= len(choices) else [None]
            need(not x, "not as many numbers as states")
        if like != -1:  # an earlier price, for pairs of nodes that this one does not name
            need(0 <= like < len(self.m.prices) and self.m.prices[like].pairs is self, "like no price")
            moves = {**{k: x for k, x in self.m.prices[like].moves.items() if k[0] < self.listed}, **moves}
        return moves

    def best(self, price, w):
        """The best of every table and region at this price, added up; w, the worths of states, loses what they
        give. Where all but one node is decided, that one's states have it all."""
        given = collections.defaultdict(list)
        for (i, j), moved in price.moves.items():
            need(self.area(i) and self.area(j), "a region that is gone")
            for key, nodes, numbers in moved:
                given[key].append((nodes, numbers))
        total, self.worths = 0.0, collections.defaultdict(list)  # of nodes: their place in a table, it, its best
        for key in {**self.tables, **given}:
            nodes = key if isinstance(key, tuple) else tuple(self.areas[key])
            worth = self.worth(key, nodes, given.get(key, ()))
            left = [i for i, n in enumerate(nodes) if self.m.count[n] != 1]
            if len(left) == 1 or len(nodes) == 1:
                for choice, x in worth.items():
                    w[choice[left[0] if left else 0]] += x
            else:
                most = max(worth.values(), default=-INF)
                total += most
                for i, n in enumerate(nodes):
                    self.worths[n].append((i, worth, most))
        return total

    def worth(self, key, nodes, given):
        """Of each open choice, with what prices give. A region excludes what tables within it do."""
        two = itertools.permutations(range(len(nodes)), 2) if key != nodes else ()
        tables = [(i, j, self.tables[nodes[i], nodes[j]]) for i, j in two if (nodes[i], nodes[j]) in self.tables]
        given = [([nodes.index(n) for n in some], numbers) for some, numbers in given]
        own, worth = self.tables.get(key, {}), {}
        for c in self.choices(nodes) if len(nodes) != 1 else ((s,) for s in self.m.open(nodes[0])):
            x = own.get(c, 0.0)
            if any(table.get((c[i], c[j])) == -INF for i, j, table in tables):
                x = -INF
            worth[c] = x + sum(numbers.get(tuple([c[k] for k in at]), 0.0) for at, numbers in given)
        return worth

    def change(self, s):  # how much less tables and regions are worth with this state
        return sum(max((x for c, x in worth.items() if c[i] == s), default=-INF) - most
                   for i, worth, most in self.worths[self.m.node[s]])

    def closes(self, s):
        return any(all(table.get(c, 0.0) == -INF for c in self.choices(key, s))
                   for key, table in self.tables.items() if self.m.node[s] in key)
