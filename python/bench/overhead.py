"""What Python costs: role tables like those of `entente bench decode --family arguments`, made by the same recipe.

  PYTHONPATH=build/python python3 python/bench/overhead.py

One batch call, single calls, Graph calls in a Python loop, and (where python3-pulp is installed) pulp with CBC on the same
problems; then schema.decode of 28 spans and 232 pairs. Processor times, the best of three runs.
"""
import os
import time

import numpy as np

import entente


def spans_of(r, positions):
    out, seen = [(0, 0)], set()
    while len(out) < 10 + r.integers(0, 30):
        begin = int(r.integers(0, positions))
        end = min(positions, begin + 1 + int(r.geometric(0.35)))
        if (begin, end) not in seen:
            seen.add((begin, end))
            out.append((begin, end))
    return np.array(out, np.int32)


def make(r):
    spans = spans_of(r, int(r.integers(20, 51)))
    roles = 3 + int(18 * r.random() ** 1.8)
    scores = np.zeros((roles, len(spans)))
    mean = np.minimum(r.normal(-2.8, 2.0, roles), -2.0)
    scores[:, 1:] = r.normal(mean[:, None], 0.8, (roles, len(spans) - 1))
    for role in r.permutation(roles)[:r.integers(1, 4)]:
        scores[role, r.integers(1, len(spans))] = r.uniform(3, 6)
    pairs = lambda p: [sorted(r.permutation(roles)[:2].tolist())] if r.random() < p else []
    return scores, spans, pairs(0.25), pairs(0.08)


def spent():
    """Processor time, children's included (pulp runs CBC as one): other processes do not matter much."""
    t = os.times()
    return time.process_time() + t.children_user + t.children_system


def best_of(f, runs=3):
    times = []
    for _ in range(runs):
        begin = spent()
        out = f()
        times.append(spent() - begin)
    return min(times), out


def by_graph(problem):
    scores, spans, excludes, requires = problem
    g = entente.Graph()
    groups = g.groups(scores)
    g.disjoint([v for group in groups for v in group], np.tile(spans, (len(groups), 1)))
    for a, b in excludes:
        g.at_least_one([groups[a][0], groups[b][0]])
    for a, b in requires:
        g.equal(groups[a][0], groups[b][0])
    return g.solve().value


def by_pulp(problem):
    import pulp

    scores, spans, excludes, requires = problem
    p = pulp.LpProblem("roles", pulp.LpMaximize)
    x = [[pulp.LpVariable("x_%d_%d" % (i, j), cat="Binary") for j in range(len(spans))] for i in range(len(scores))]
    p += pulp.lpSum(float(scores[i, j]) * x[i][j] for i in range(len(scores)) for j in range(len(spans)))
    for row in x:
        p += pulp.lpSum(row) == 1
    for at in range(int(spans.max())):
        over = [j for j in range(1, len(spans)) if spans[j][0] <= at < spans[j][1]]
        if over:
            p += pulp.lpSum(row[j] for row in x for j in over) <= 1
    for a, b in excludes:
        p += x[a][0] + x[b][0] >= 1
    for a, b in requires:
        p += x[a][0] == x[b][0]
    p.solve(pulp.COIN_CMD(msg=False))  # Debian: coinor-cbc
    return pulp.value(p.objective)


def main():
    r = np.random.default_rng(1)
    problems = [make(r) for _ in range(4458)]
    flat = np.concatenate([p[0].reshape(-1) for p in problems])
    pairs = lambda k: np.array([q for p in problems for q in p[k]], np.int32).reshape(-1, 2)
    arguments = (flat, np.array([len(p[0]) for p in problems], np.int32), np.concatenate([p[1] for p in problems]),
                 np.array([len(p[1]) for p in problems], np.int32), pairs(2),
                 np.array([len(p[2]) for p in problems], np.int32), pairs(3),
                 np.array([len(p[3]) for p in problems], np.int32))
    batch, found = best_of(lambda: entente.decode_roles_batch(*arguments))
    assert found.optimal
    print("decode_roles_batch, 4458 problems: %.1f ms, %.2f us each" % (1e3 * batch, 1e6 * batch / 4458))
    single, _ = best_of(lambda: [entente.decode_roles(*p) for p in problems[:500]], 1)
    print("decode_roles, one a call:          %.1f us each" % (1e6 * single / 500))
    graphs, values = best_of(lambda: [by_graph(p) for p in problems[:500]], 1)
    print("Graph calls in a loop:             %.1f us each" % (1e6 * graphs / 500))
    assert np.allclose(values, found.values[:500])
    try:
        import pulp

        if not pulp.COIN_CMD().available():
            raise ImportError
    except ImportError:
        print("python3-pulp or coinor-cbc is not installed")
    else:
        some = problems[:20]
        cbc, others = best_of(lambda: [by_pulp(p) for p in some], 1)
        assert np.allclose(others, found.values[:20], atol=1e-5)
        print("pulp with CBC:                     %.1f us each; Graph calls are %.0f times faster" %
              (1e6 * cbc / 20, cbc / 20 / (graphs / 500)))
    schema = entente.Schema({
        "entities": {t: {} for t in ("person", "place", "company")},
        "relations": {"born_in": {"head": ["person"], "tail": ["place"], "max_per_head": 1},
                      "works_for": {"head": ["person"], "tail": ["company"]}}})
    spans = np.array([[3 * i, 3 * i + 2 + i % 3] for i in range(28)], np.int32)
    pair_list = np.array([[i, j] for i in range(28) for j in range(28) if i != j], np.int32)
    pair_list = pair_list[r.permutation(len(pair_list))[:232]]
    data = (spans, r.normal(size=(28, 3)).astype(np.float32), pair_list, r.normal(-1, 1, (232, 2)).astype(np.float32))
    schema.decode(*data)
    t, _ = best_of(lambda: [schema.decode(*data) for _ in range(50)])
    print("schema.decode, 28 spans and 232 pairs: %.3f ms" % (1e3 * t / 50))


main()
