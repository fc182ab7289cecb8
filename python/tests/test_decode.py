import itertools
import math
import random

import numpy as np
import pytest

import entente


def random_roles(r, dtype=np.float64):
    roles, n = r.randint(1, 3), r.randint(1, 4)
    spans = [[0, 0]]
    for _ in range(n - 1):
        begin = r.randrange(5)
        spans.append([begin, begin + r.randint(1, 3)])
    scores = np.array([[0.0] + [r.uniform(-1, 2) for _ in range(n - 1)] for _ in range(roles)], dtype)
    pairs = lambda: [sorted(r.sample(range(roles), 2)) for _ in range(r.randrange(2))] if roles > 1 else []
    return scores, np.array(spans, np.int32), pairs(), pairs()


def brute_roles(scores, spans, excludes, requires):
    best = -math.inf
    for choice in itertools.product(range(scores.shape[1]), repeat=scores.shape[0]):
        chosen = [spans[c] for c in choice if spans[c][0] < spans[c][1]]
        if any(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(chosen, 2)):
            continue
        if any(choice[a] and choice[b] for a, b in excludes) or any(bool(choice[a]) != bool(choice[b]) for a, b in requires):
            continue
        best = max(best, sum(float(scores[i, c]) for i, c in enumerate(choice)))
    return best


def roles_by_hand(scores, spans, excludes, requires):
    g = entente.Graph()
    groups = g.groups(scores)
    g.disjoint([v for group in groups for v in group], np.tile(spans, (len(groups), 1)))
    for a, b in excludes:
        g.at_least_one([groups[a][0], groups[b][0]])
    for a, b in requires:
        g.equal(groups[a][0], groups[b][0])
    return g.solve().value


def test_roles():
    r = random.Random(1)
    problems = [random_roles(r, r.choice([np.float32, np.float64])) for _ in range(60)]
    values = []
    for scores, spans, excludes, requires in problems:
        found = entente.decode_roles(scores, spans, excludes, requires)
        right = brute_roles(scores, spans, excludes, requires)
        assert found.status == "optimal" and found.value == pytest.approx(right, abs=1e-6)
        assert found.bound == pytest.approx(right, abs=1e-6)
        assert sum(scores[i, c] for i, c in enumerate(found.choice)) == pytest.approx(right, abs=1e-6)
        assert roles_by_hand(scores, spans, excludes, requires) == pytest.approx(right, abs=1e-6)
        values.append(right)
    pairs = lambda k: np.array([p for q in problems for p in q[k]], np.int32).reshape(-1, 2)
    for threads in (1, 3):
        batch = entente.decode_roles_batch(
            np.concatenate([p[0].reshape(-1).astype(np.float64) for p in problems]), [p[0].shape[0] for p in problems],
            np.concatenate([p[1] for p in problems]), [len(p[1]) for p in problems], pairs(2), [len(p[2]) for p in problems],
            pairs(3), [len(p[3]) for p in problems], threads=threads)
        assert batch.optimal and batch.values == pytest.approx(values, abs=1e-6)
        assert len(batch.choice) == sum(p[0].shape[0] for p in problems)


def test_cost_augmented_roles():
    spans = np.array([[0, 0], [0, 2]])
    scores = np.array([[0, 0.5]])
    assert entente.decode_roles(scores, spans).choice.tolist() == [1]
    assert entente.decode_roles(scores, spans, cost=[[1, 0]]).choice.tolist() == [0]


def test_spans():
    r = random.Random(2)
    all_spans, all_scores, counts, values = [], [], [], []
    for _ in range(40):
        n, types = r.randint(0, 5), 2
        spans = [(b, b + r.randint(1, 3)) for b in (r.randrange(5) for _ in range(n))]
        scores = np.array([[r.uniform(-1, 2) for _ in range(types)] for _ in range(n)], np.float32).reshape(n, types)
        best = -math.inf
        for choice in itertools.product(range(-1, types), repeat=n):
            chosen = [spans[i] for i in range(n) if choice[i] >= 0]
            if any(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(chosen, 2)):
                continue
            best = max(best, sum(float(scores[i, c]) for i, c in enumerate(choice) if c >= 0))
        found = entente.decode_spans(np.array(spans, np.int32).reshape(n, 2), scores)
        assert found.value == pytest.approx(best, abs=1e-6)
        assert sum(float(scores[i, c]) for i, c in enumerate(found.choice) if c >= 0) == pytest.approx(best, abs=1e-6)
        all_spans += spans
        all_scores.append(scores)
        counts.append(n)
        values.append(best)
    batch = entente.decode_spans_batch(np.array(all_spans), np.concatenate(all_scores), counts, threads=2)
    assert batch.values == pytest.approx(values, abs=1e-6)


def test_sequences_and_their_marginals():
    r = np.random.default_rng(3)
    labels = 3
    transitions = r.normal(size=(labels, labels))
    transitions[0, 2] = -np.inf
    padded = r.normal(size=(20, 5, labels)).astype(np.float32)
    lengths = r.integers(1, 6, size=20)
    batch = entente.decode_sequence_batch(padded, transitions, lengths=lengths, threads=2)
    sums = entente.sequence_marginals(padded, transitions, lengths=lengths, threads=2)
    ragged = np.concatenate([padded[i, :n] for i, n in enumerate(lengths)])
    twin = entente.decode_sequence_batch(ragged, transitions, counts=lengths)
    for i, n in enumerate(lengths):
        paths = list(itertools.product(range(labels), repeat=int(n)))
        scores = np.array([sum(float(padded[i, t, p[t]]) for t in range(n)) +
                           sum(transitions[p[t - 1], p[t]] for t in range(1, n)) for p in paths])
        assert batch.values[i] == pytest.approx(scores.max(), abs=1e-5)
        assert tuple(batch.choice[i, :n]) == paths[int(scores.argmax())] and (batch.choice[i, n:] == -1).all()
        weights = np.exp(scores)
        assert sums.log_sums[i] == pytest.approx(math.log(weights.sum()), abs=1e-6)
        for t in range(n):
            for label in range(labels):
                right = sum(w for p, w in zip(paths, weights) if p[t] == label) / weights.sum()
                assert sums.marginals[i, t, label] == pytest.approx(right, abs=1e-6)
    assert twin.values == pytest.approx(batch.values)
    one = entente.decode_sequence(padded[0, :lengths[0]], transitions)
    assert one.value == pytest.approx(batch.values[0])


def trees(nodes):
    for heads in itertools.product(range(nodes), repeat=nodes - 1):
        if sum(h == 0 for h in heads) != 1:
            continue
        ok = True
        for m in range(1, nodes):
            seen, at = set(), m
            while at and at not in seen:
                seen.add(at)
                at = heads[at - 1]
            ok = ok and at == 0
        if ok:
            yield heads


def test_trees_and_their_marginals():
    r = np.random.default_rng(4)
    padded = r.normal(size=(12, 5, 5))
    lengths = r.integers(2, 6, size=12)
    batch = entente.decode_tree_batch(padded, lengths, threads=2)
    sums = entente.tree_marginals(padded, lengths, threads=2)
    for i, n in enumerate(lengths):
        every = list(trees(int(n)))
        scores = np.array([sum(padded[i, h, m + 1] for m, h in enumerate(heads)) for heads in every])
        assert batch.values[i] == pytest.approx(scores.max())
        assert tuple(batch.choice[i, 1:n]) == every[int(scores.argmax())]
        assert sums.log_sums[i] == pytest.approx(math.log(np.exp(scores).sum()))
        for m in range(1, n):
            assert sums.marginals[i, :n, m].sum() == pytest.approx(1)
    projective = entente.decode_tree(padded[0, :lengths[0], :lengths[0]], projective=True)
    assert projective.value <= batch.values[0] + 1e-9


def test_what_does_not_fit():
    with pytest.raises(entente.Error, match="spans"):
        entente.decode_roles([[0, 1]], [[0, 0]])
    with pytest.raises(entente.Error, match="n x 2"):
        entente.decode_spans([[0, 1, 2]], [[1.0]])
    with pytest.raises(entente.Error, match="whole numbers"):
        entente.decode_spans([[0.5, 1]], [[1.0]])
    with pytest.raises(entente.Error, match="no role 7"):
        entente.decode_roles([[0, 1]], [[0, 0], [1, 2]], excludes=[[0, 7]])
    with pytest.raises(entente.Error, match="NaN"):
        entente.decode_sequence([[math.nan, 1]], np.zeros((2, 2)))
    with pytest.raises(entente.Error, match="transitions"):
        entente.decode_sequence([[0, 1]], np.zeros((3, 3)))
    with pytest.raises(entente.Error, match="nodes x nodes"):
        entente.decode_tree(np.zeros((2, 3)))
    with pytest.raises(entente.Error, match="below 2"):
        entente.decode_spans([[0, 1 << 40]], [[1.0]])


def test_padded_batches_and_masks():
    r = np.random.default_rng(4)
    lengths = np.array([3, 0, 5])
    spans = np.zeros((3, 5, 2), np.int32)
    scores = r.normal(size=(3, 5, 2))
    begin = r.integers(0, 6, (3, 5))
    spans[..., 0], spans[..., 1] = begin, begin + r.integers(1, 4, (3, 5))
    mask = np.arange(5) < lengths[:, None]
    for given in (lengths, mask):
        found = entente.decode_spans_batch(spans, scores, lengths=given)
        for i, n in enumerate(lengths):
            one = entente.decode_spans(spans[i, :n], scores[i, :n])
            assert found.values[i] == pytest.approx(one.value) and found.choice[i, :n].tolist() == one.choice.tolist()
            assert (found.choice[i, n:] == -1).all()
    steps = r.normal(size=(2, 2))
    assert entente.decode_sequence_batch(scores, steps, lengths=mask).values == pytest.approx(
        entente.decode_sequence_batch(scores, steps, lengths=lengths).values)
    # roles x spans, span 0 is none
    tables, where = r.normal(size=(3, 4, 5)), spans.copy()
    where[:, 0] = 0
    roles, counts = np.array([2, 4, 1]), np.array([5, 3, 2])
    found = entente.decode_roles_batch(tables, np.arange(4) < roles[:, None], where, counts)
    for i in range(3):
        one = entente.decode_roles(tables[i, :roles[i], :counts[i]], where[i, :counts[i]])
        assert found.values[i] == pytest.approx(one.value) and found.choice[i, :roles[i]].tolist() == one.choice.tolist()
    for bad, message in ((mask[:, ::-1], "up to the end"), (mask[:2], "expected 3 x 5"), (lengths + 4, "at most 5"), (lengths * 1.0, "whole numbers")):
        with pytest.raises(entente.Error, match=message):
            entente.decode_spans_batch(spans, scores, lengths=bad)
    with pytest.raises(entente.Error, match="counts"):
        entente.decode_spans_batch(spans[0], scores[0])
