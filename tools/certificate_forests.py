"""Forests and chains, for check_certificate.py: what dynamic programs decide, which potentials bound."""
from certificate_problem import INF, Problem, score_or_null
from certificate_rules import need
from check_certificate import compare, graph_claim


def edge(e):
    head, score, tails, marks = (e + [[], []])[:4]
    return head, score_or_null(score), tails, marks


def forest_claim(problem, certificate):
    """What the derivations are worth, and the bound that the log proves."""
    worth = forest_value(problem, certificate["derivations"], certificate.get("assignment") or ())
    return worth, max(worth, forest_bound(problem, certificate["steps"], certificate.get("graphs", ())))


def forest_bound(problem, steps, graphs=()):
    n, fixed, splits, reached = problem.get("indicators", 0), {}, [], score_or_null(problem.get("floor"))
    shared, graphs = problem.get("shared", []), iter(graphs)
    need(bool(shared) == ("graph" in problem), "a graph and what it shares, or neither")
    forests = [(f["goal"], [edge(e) for e in f["edges"]]) for f in problem["forests"]]
    for k, (name, *operands) in enumerate(steps):
        if name == "suppose":
            (i,) = operands
            need(i in range(n) and i not in fixed, "a split by no indicator")
            fixed[i] = True
            splits.append(i)
            continue
        prices, potentials = operands
        need(name == "bound" and len(potentials) == len(forests) and len(prices) in (0, len(forests)), "no bound")
        prices = prices or [[0.0] * n] * len(forests)
        potentials = [list(map(score_or_null, x)) for x in potentials]
        total = 0.0
        for (goal, edges), pi, price in zip(forests, potentials, prices):
            need(len(price) == n, "another number of prices")
            for head, score, tails, marks in edges:  # added in this order: potentials hold to the last digit
                for x in [price[i] for i in marks] + [pi[t] for t in tails]:
                    score += x
                need(score <= pi[head], "an edge is worth more than its step")
            total += pi[goal]
        if shared:  # the graph has the prices with the other sign, so that they cancel
            graph = Problem(problem["graph"])
            need(len(forests) == 1 and len(shared) == n, "a graph is shared by one forest")
            for i, v in enumerate(shared):
                graph.score[v] -= prices[0][i]
            graph.fixed.update({shared[i]: on for i, on in fixed.items()})
            certificate = next(graphs, None)
            worth, bound = graph_claim(graph, certificate)
            compare(worth, bound, certificate)
            total += bound
        for i, x in enumerate(map(sum, zip(*prices)) if not shared else ()):
            need(x == 0 or i in fixed, "prices of an indicator do not cancel")
            total -= x if fixed.get(i) else 0.0
        large = max(abs(x) for xs in prices + potentials for x in xs + [0.0] if x > -INF)
        need(large <= 1e6 * max(1, abs(total) if abs(total) < INF else 1), "potentials are too large")
        reached = max(reached, total)
        while splits and not fixed[splits[-1]]:
            del fixed[splits.pop()]
        if not splits:
            need(k == len(steps) - 1, "the log goes on after its end")
            return reached
        fixed[splits[-1]] = False
    need(False, "the log has no end")


def forest_value(problem, derivations, assignment=()):
    if not derivations:
        return score_or_null(problem.get("floor"))
    value, switched = 0.0, []
    need(len(derivations) == len(problem["forests"]), "not as many derivations as forests")
    for forest, edges in zip(problem["forests"], derivations):
        left, on = [forest["goal"]], []
        for e in edges:
            need(left and e >= 0 and forest["edges"][e][0] == left.pop(), "no derivation")
            _, score, tails, marks = edge(forest["edges"][e])
            value, left, on = value + score, left + tails[::-1], on + marks
        need(not left and len(set(on)) == len(on), "a derivation stops early, or an indicator is on twice")
        switched.append(set(on))
    need(all(x == switched[0] for x in switched), "the derivations do not agree")
    if "graph" not in problem:
        return value
    shared = {i for i, v in enumerate(problem["shared"]) if v in assignment}
    need(shared == switched[0], "the assignment does not agree")
    worth = Problem(problem["graph"]).evaluate(set(assignment))
    need(worth > -INF, "the assignment breaks a rule or a fixed value")
    return value + worth
