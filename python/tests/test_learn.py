import itertools

import numpy as np
import pytest

import entente
from entente import learn


def test_hinge_is_the_best_violation_and_its_gradient():
    r = np.random.default_rng(1)
    spans = np.array([[0, 0], [0, 2], [1, 3], [4, 5]])
    for _ in range(20):
        scores = r.normal(size=(2, 4))
        gold = [1, 3]
        loss = learn.hinge(lambda s: entente.decode_roles(s, spans), scores, gold)

        def best(s):
            top = -np.inf
            for a, b in itertools.product(range(4), repeat=2):
                x, y = spans[a], spans[b]
                if a and b and x[0] < y[1] and y[0] < x[1]:
                    continue
                top = max(top, s[0, a] + s[1, b] + (a != 1) + (b != 3))
            return top

        right = best(scores) - scores[0, 1] - scores[1, 3]
        assert loss.value == pytest.approx(right, abs=1e-9) and loss.value >= 0
        step = r.normal(size=scores.shape)
        moved = scores + 1e-7 * step
        assert best(moved) - moved[0, 1] - moved[1, 3] - right == pytest.approx(1e-7 * (loss.gradient * step).sum(), abs=1e-10)


def test_hinge_of_graphs_and_trees():
    g = entente.Graph()
    xs = [g.variable(s) for s in (1.0, 0.8, -0.2)]
    g.at_most_one(xs[:2])
    before = g.scores.copy()
    loss = learn.graph_hinge(g, [0, 1, 0])
    # 1, 0, 0 scores 1 and differs twice; gold scores 0.8; 1, 0, 1: 0.8 and three times
    assert loss.value == pytest.approx(0.8 + 3 - 0.8) and loss.gradient.tolist() == [1, -1, 1]
    assert (g.scores == before).all()
    with pytest.raises(entente.Error, match="breaks a rule"):
        learn.graph_hinge(g, [1, 1, 0])
    scores = np.random.default_rng(2).normal(size=(4, 4))
    loss = learn.tree_hinge(scores, [-1, 0, 1, 1])
    assert loss.value >= 0 and loss.gradient.sum() == 0
    assert learn.tree_hinge(10 * learn.indicator([-1, 0, 1, 1], (4, 4)).T, [-1, 0, 1, 1]).value == 0


def test_samples_follow_the_scores():
    drawn = learn.samples(lambda s: entente.decode_sequence(s, np.zeros((2, 2))), [[0.0, 1.0]], 2000, seed=3)
    assert drawn.mean() == pytest.approx(np.e / (1 + np.e), abs=0.04)
    again = learn.samples(lambda s: entente.decode_sequence(s, np.zeros((2, 2))), [[0.0, 1.0]], 2000, seed=3)
    assert (drawn == again).all()


def test_sparsemap_is_sparsemax_and_its_jacobian():
    g = entente.Graph()
    g.group([0.5, 0.1, -2.0])
    layer = learn.SparseMap(g)
    assert layer.forward() == pytest.approx([0.7, 0.3, 0.0], abs=1e-7) and layer.converged
    assert layer.backward([1.0, 0.0, 5.0]) == pytest.approx([0.5, -0.5, 0.0], abs=1e-7)
    assert layer.forward([2.0, 0.0, 0.0]) == pytest.approx([1, 0, 0], abs=1e-7)
    with pytest.raises(entente.Error, match="expected 3"):
        layer.backward([1.0])


def test_sparsemap_learns():
    g = entente.Graph()
    xs = list(g.group([0.0] * 3)) + list(g.group([0.0] * 3))
    g.not_both(xs[0], xs[3])
    layer, scores, goal = learn.SparseMap(g), np.zeros(6), np.array([1, 0, 0, 0, 1, 0.0])
    for _ in range(60):
        u = layer.forward(scores)
        scores -= 0.5 * layer.backward(u - goal)
    assert abs(layer.forward(scores) - goal).max() < 0.05


def test_torch_where_it_is_installed():
    torch = pytest.importorskip("torch")
    g = entente.Graph()
    g.group([0.0, 0.0])
    s = torch.tensor([0.5, 0.1], requires_grad=True)
    learn.torch_sparsemap(g)(s)[0].backward()
    assert s.grad.tolist() == pytest.approx([0.5, -0.5])


def test_torch_hinge_where_it_is_installed():
    torch = pytest.importorskip("torch")
    spans = np.array([[0, 0], [0, 2], [1, 3]])
    gold = np.array([1, 0])
    decode = lambda x: entente.decode_roles(x, spans)  # noqa: E731
    scores = np.array([[0.0, 0.3, 0.6], [0.0, 0.5, -0.2]])
    s = torch.tensor(scores, requires_grad=True)
    loss = learn.torch_hinge(decode, gold)(s)
    plain = learn.hinge(decode, scores, gold)
    assert loss.item() == pytest.approx(plain.value)
    (2 * loss).backward()
    assert s.grad.numpy() == pytest.approx(2 * plain.gradient)
