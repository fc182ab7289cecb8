"""Forests against all of their derivations."""
import itertools
import pickle
import random

import numpy as np
import pytest

import entente


def random_forest(r):
    """Nodes from the leaves up, edges in any order; the numbers of edges are those given."""
    nodes = r.randint(1, 6)
    edges = []
    for v in range(nodes):
        for _ in range(r.randint(1, 2)):
            edges.append((v, [r.randrange(v) for _ in range(r.randint(0, min(2, v)))] if v else []))
    r.shuffle(edges)
    return entente.Forest([h for h, _ in edges], [t for _, t in edges], goal=nodes - 1, nodes=nodes), edges, nodes - 1


def derivations(edges, node):
    for e, (head, tails) in enumerate(edges):
        if head != node:
            continue
        for parts in itertools.product(*(list(derivations(edges, t)) for t in tails)):
            yield [e] + [x for p in parts for x in p]


def test_every_pass_against_all_derivations():
    r = random.Random(3)
    for _ in range(150):
        forest, edges, goal = random_forest(r)
        all_of_them = list(derivations(edges, goal))
        if len(all_of_them) > 300:
            continue
        s = np.array([r.gauss(0, 1) for _ in edges])
        values = np.array([s[d].sum() for d in all_of_them])
        p = np.exp(values - values.max())
        p /= p.sum()
        assert forest.best(s).value == pytest.approx(values.max())
        assert s[forest.best(s).edges].sum() == pytest.approx(values.max())
        found = forest.marginals(s.astype(np.float32).astype(float))
        expected = np.zeros(len(edges))
        for d, w in zip(all_of_them, p):
            np.add.at(expected, d, w)
        assert found.edges == pytest.approx(expected, abs=1e-5)
        assert forest.marginals(s).log_sum == pytest.approx(np.log(np.exp(values).sum()))
        worth = np.array([r.gauss(0, 1) for _ in edges])
        mean, gradient = forest.expectation(s, worth)
        of = lambda x: (lambda v: (np.exp(v - v.max()) / np.exp(v - v.max()).sum() * np.array(  # noqa: E731
            [worth[d].sum() for d in all_of_them])).sum())(np.array([x[d].sum() for d in all_of_them]))
        assert mean == pytest.approx(of(s))
        for e in range(len(edges)):
            step = np.zeros(len(edges))
            step[e] = 1e-5
            assert gradient[e] == pytest.approx((of(s + step) - of(s - step)) / 2e-5, abs=1e-6)
        best = forest.k_best(s, 400)
        assert [d.value for d in best] == pytest.approx(sorted(values, reverse=True))
        again = pickle.loads(pickle.dumps(forest))
        assert again.best(s).edges.tolist() == forest.best(s).edges.tolist()


def test_samples_follow_the_distribution():
    forest = entente.Forest([0, 0, 1], [[], [], [0]])
    drawn = forest.samples([0.0, np.log(3.0), 0.0], 4000)
    share = sum(1 in d for d in drawn) / len(drawn)
    assert share == pytest.approx(0.75, abs=0.03)


def test_hinge_is_above_the_cost_and_its_gradient_is_right():
    r = random.Random(9)
    for _ in range(40):
        forest, edges, goal = random_forest(r)
        all_of_them = list(derivations(edges, goal))
        if len(all_of_them) > 200:
            continue
        s = np.array([r.gauss(0, 1) for _ in edges])
        gold = r.choice(all_of_them)
        loss = entente.learn.forest_hinge(forest, s, gold)
        wrong = lambda d: sum(e not in gold for e in d)  # noqa: E731
        assert loss.value == pytest.approx(max(max(s[d].sum() + wrong(d) for d in all_of_them) - s[gold].sum(), 0), abs=1e-9)
        assert loss.value >= wrong(forest.best(s).edges.tolist()) - 1e-9


def test_errors_say_what_is_wrong():
    for heads, tails, message in (([0], [[0]], "from the leaves up"), ([0, 1], [[]], "for each of 2"), ([0], [[5]], "no node 5")):
        with pytest.raises(entente.Error, match=message):
            entente.Forest(heads, tails)
    forest = entente.Forest([0], [[]])
    with pytest.raises(entente.Error, match="one of each of 1"):
        forest.best([1.0, 2.0])
    with pytest.raises(entente.Error, match="no number"):
        forest.best([np.nan])
    assert forest.best([-np.inf]).value == -np.inf
