import itertools
import math
import pickle

import numpy as np
import pytest

import entente

SCHEMA = {
    "entities": {"person": {}, "place": {}},
    "relations": {"born_in": {"head": ["person"], "tail": ["place"], "max_per_head": 1}},
}


def brute(spans, span_scores, pairs, pair_scores):
    """All types of spans; then each head may have its best allowed pair."""
    best = -math.inf
    n = len(spans)
    for types in itertools.product((-1, 0, 1), repeat=n):
        chosen = [spans[i] for i in range(n) if types[i] >= 0]
        if any(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(chosen, 2)):
            continue
        value = sum(float(span_scores[i, t]) for i, t in enumerate(types) if t >= 0)
        for head in range(n):
            allowed = [float(pair_scores[k, 0]) for k, (h, t) in enumerate(pairs)
                       if h == head and types[h] == 0 and types[t] == 1]
            value += max([0.0] + allowed)
        best = max(best, value)
    return best


def random_text(r, n):
    spans = np.array([[b, b + r.integers(1, 3)] for b in r.permutation(2 * n)[:n]], np.int32).reshape(n, 2)
    pairs = np.array([[i, j] for i in range(n) for j in range(n) if i != j], np.int32).reshape(-1, 2)
    return spans, r.normal(size=(n, 2)).astype(np.float32), pairs, r.normal(size=(len(pairs), 1)).astype(np.float32)


def test_decoding_is_that_of_enumeration():
    schema = entente.Schema(SCHEMA)
    assert schema.types == ["person", "place"] and schema.relations == ["born_in"]
    r = np.random.default_rng(1)
    texts = [random_text(r, int(r.integers(1, 5))) for _ in range(40)]
    values = []
    for text in texts:
        found = schema.decode(*text, explain=True, k_best=2)
        assert found.status == "optimal" and found.value == pytest.approx(brute(*text), abs=1e-5)
        assert sum(e.weight for e in found.entities) + sum(x.weight for x in found.relations) == pytest.approx(found.value)
        assert found.k_best[0][0] == pytest.approx(found.value)
        for x in found.relations:
            assert tuple(text[2][x.pair]) == (x.head, x.tail)
        values.append(found.value)
    for threads in (1, 3):
        batch = schema.decode_batch(*(np.concatenate([t[k] for t in texts]) for k in range(4)),
                                    [len(t[0]) for t in texts], [len(t[2]) for t in texts], threads=threads)
        assert [e.value for e in batch] == pytest.approx(values)


def test_arrays_of_any_layout():
    schema = entente.Schema(SCHEMA)
    r = np.random.default_rng(2)
    spans, scores, pairs, pair_scores = random_text(r, 4)
    right = schema.decode(spans, scores, pairs, pair_scores).value
    assert schema.decode(spans, np.asfortranarray(scores), pairs, pair_scores.astype(np.float64)).value == pytest.approx(right)
    wide = np.zeros((4, 5), np.float32)
    wide[:, 1:5:2] = scores
    assert schema.decode(spans.astype(np.int64), wide[:, 1:5:2], pairs, pair_scores).value == pytest.approx(right)
    assert schema.decode(spans, 1 / (1 + np.exp(-scores.astype(float))), pairs, 1 / (1 + np.exp(-pair_scores.astype(float))),
                         scores="probability").value == pytest.approx(right, abs=1e-5)


def test_errors_and_pickles(tmp_path):
    schema = pickle.loads(pickle.dumps(entente.Schema(SCHEMA)))
    assert schema.types == ["person", "place"]
    with pytest.raises(entente.Error, match="expected 1 x 2 span scores"):
        schema.decode([[0, 1]], [[1.0]])
    with pytest.raises(entente.Error, match="there are 1"):
        schema.decode([[0, 1]], [[1.0, 1.0]], [[0, 3]], [[1.0]])
    with pytest.raises(entente.Error, match="unknown scale"):
        schema.decode([[0, 1]], [[1.0, 1.0]], scores="percent")
    path = tmp_path / "bad.json"
    path.write_text('{"entities": {"a": {}},\n "relations": {"r": {"hed": "a"}}}')
    with pytest.raises(entente.Error) as caught:
        entente.Schema.load(str(path))
    assert caught.value.file == str(path) and caught.value.line == 2


def test_json_as_the_command_has_it():
    found = entente.Schema(SCHEMA).decode_json(
        {"scale": "log_odds", "spans": [{"start": 0, "end": 3, "scores": {"person": 2.0}}]})
    assert found["status"] == "optimal" and found["entities"][0]["type"] == "person"


def test_objects_that_have_a_dict():
    class Gliner:
        def to_dict(self):
            return SCHEMA

    assert entente.Schema(Gliner()).relations == ["born_in"]
