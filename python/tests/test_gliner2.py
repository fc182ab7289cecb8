"""GLiNER2's meaning of a schema, against what its decoder does (python/bench/gliner2_rival.py)."""
import os
import pickle
import random
import sys

import numpy as np
import pytest

import entente

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
import gliner2_rival as rival  # noqa: E402

TYPES = ("person", "firm", "place")
RELATIONS = ("works_for", "employs", "knows", "near")


def random_schema(r):
    """As GLiNER2's to_dict() writes it."""
    entities = {t: ({"allow_nested": True} if r.random() < 0.5 else {}) for t in TYPES}
    relations = {}
    for name in RELATIONS:
        options = {"head": r.sample(TYPES, r.randint(1, 3)), "tail": r.sample(TYPES, r.randint(1, 3)), "directed": r.random() < 0.8}
        if r.random() < 0.2:
            options["allow_self"] = True
        for limit in ("max_per_head", "max_per_tail"):
            if r.random() < 0.3:
                options[limit] = r.randint(1, 2)
        relations[name] = options
    if r.random() < 0.5:
        relations["employs"].update(head=relations["works_for"]["tail"], tail=relations["works_for"]["head"], inverse="works_for")
    if r.random() < 0.4:
        relations["knows"].update(tail=relations["knows"]["head"], symmetric=True, directed=False)
    constraints = []
    if r.random() < 0.3:
        constraints.append({"type": "EntityOverlapPolicy", "policy": r.choice(["allow", "nested", "disallow"])})
    if r.random() < 0.3:
        constraints.append({"type": "AcyclicRelation", "relation": "near"})
    if r.random() < 0.3:
        constraints.append({"type": "MaxRelationsPerHead", "limit": 2, "relation": None})
    if r.random() < 0.2:
        constraints.append({"type": "UniqueRelationSlot", "relation": "near", "slot": r.choice(["head", "tail"])})
    if r.random() < 0.2:
        relations["near"].update(tail=relations["near"]["head"])
        constraints.append({"type": "SymmetricRelation", "relation": "near"})
    return {"entities": entities, "relations": relations, "constraints": constraints}


def random_text(r, most_spans, most_pairs):
    spans = []
    while len(spans) < r.randint(1, most_spans):
        start = r.randint(0, 8)
        span = (start, start + r.randint(1, 4))
        if span not in spans:
            spans.append(span)
    span_scores = np.array([[r.gauss(0, 2) if r.random() < 0.7 else np.nan for _ in TYPES] for _ in spans])
    pairs = sorted({(r.randrange(len(spans)), r.randrange(len(spans))) for _ in range(r.randint(0, most_pairs))})
    pair_scores = np.array([[r.gauss(0, 2) if r.random() < 0.4 else np.nan for _ in RELATIONS] for _ in pairs]).reshape(-1, len(RELATIONS))
    return spans, span_scores, np.array(pairs, np.int32).reshape(-1, 2), pair_scores


def problem(schema, spans, span_scores, pairs, pair_scores):
    """The same candidates as GLiNER2's nodes and edges."""
    scores = {(t, *spans[s]): float(span_scores[s, k]) for s in range(len(spans)) for k, t in enumerate(TYPES)
              if not np.isnan(span_scores[s, k])}
    edges = []
    for p, (h, t) in enumerate(pairs):
        for k, name in enumerate(RELATIONS):
            if np.isnan(pair_scores[p, k]):
                continue
            for ht in schema["relations"][name]["head"]:
                for tt in schema["relations"][name]["tail"]:
                    head, tail = (ht, *spans[h]), (tt, *spans[t])
                    if head in scores and tail in scores:
                        edges.append(rival.Edge(name, head, tail, float(pair_scores[p, k]), len(edges)))
    return scores, edges


def as_answer(found, spans, edges):
    """Ours in its terms; slots are those of the edges."""
    slots = {e.key: e.slot for e in edges}
    nodes = [(e.type, *spans[e.span]) for e in found.entities]
    chosen = []
    for x in found.relations:
        key = (x.type, (x.head_type, *spans[x.head]), (x.tail_type, *spans[x.tail]))
        derived = x.pair < 0
        chosen.append(rival.Edge(*key, 0.0 if derived else x.weight, None if derived else slots[key], derived))
    return rival.Answer(nodes, chosen)


@pytest.mark.parametrize("mode", ["gliner2", "gliner2_unchecked"])
def test_answers_pass_its_check_and_are_worth_no_less_than_its_beam(mode):
    r = random.Random(11)
    checked = mode == "gliner2"
    better = companions = several = twice = 0
    for _ in range(400):
        plain = random_schema(r)
        schema = entente.Schema(plain, mode=mode)
        spans, span_scores, pairs, pair_scores = random_text(r, 6, 12)
        scores, edges = problem(plain, spans, span_scores, pairs, pair_scores)
        found = schema.decode(np.array(spans, np.int32), span_scores, pairs, pair_scores)
        assert found.status == "optimal"
        answer = as_answer(found, spans, edges)
        rules = rival.Rules(plain)
        assert (rival.validate if checked else rival.validate_chosen)(rules, answer), (plain, answer)
        assert rival.worth(answer, scores) == pytest.approx(found.value, abs=1e-6)
        beam = rival.decode(plain, scores, edges, 32, checked)
        if beam is not None:
            assert found.value >= rival.worth(beam, scores) - 1e-6, (plain, beam, answer)
            better += found.value > rival.worth(beam, scores) + 1e-6
        # companions are exactly those of what was chosen
        mine = {e.key for e in answer.edges}
        theirs = rival.with_companions(rules, answer.nodes, [e for e in answer.edges if not e.derived])
        assert mine == {e.key for e in theirs.edges}
        companions += sum(e.derived for e in answer.edges)
        several += len(found.entities) > len({e.span for e in found.entities})
        twice += len(found.relations) > len({(x.type, x.head, x.tail) for x in found.relations})
    assert better > 3 and companions > 10 and several > 50 and twice > 10


def test_small_problems_against_every_choice():
    """The best of all sets of nodes and edges that its check accepts."""
    r = random.Random(5)
    tried = 0
    while tried < 60:
        plain = random_schema(r)
        spans, span_scores, pairs, pair_scores = random_text(r, 3, 3)
        scores, edges = problem(plain, spans, span_scores, pairs, pair_scores)
        if len(scores) > 6 or len(edges) > 6 or not edges:
            continue
        tried += 1
        rules = rival.Rules(plain)
        best = 0.0
        nodes = sorted(scores)
        for node_set in range(1 << len(nodes)):
            some = [n for i, n in enumerate(nodes) if node_set >> i & 1]
            if not all(rules.allow_node(n, some[:i]) for i, n in enumerate(some)):
                continue
            usable = [e for e in edges if e.head in some and e.tail in some]
            for edge_set in range(1 << len(usable)):
                answer = rival.with_companions(rules, some, [e for i, e in enumerate(usable) if edge_set >> i & 1])
                if rival.validate(rules, answer):
                    best = max(best, rival.worth(answer, scores))
        found = entente.Schema(plain, mode="gliner2").decode(np.array(spans, np.int32), span_scores, pairs, pair_scores)
        assert found.value == pytest.approx(best, abs=1e-6), (plain, scores, edges)


class JointSchema:
    """What matters of GLiNER2's object."""

    def to_dict(self):
        return {"entities": {"person": {"allow_nested": True}, "firm": {}}, "relations": {}, "constraints": []}


def test_a_schema_object_means_what_it_means_there():
    spans, scores = np.array([[0, 2]]), np.array([[1.0, 2.0]])
    assert len(entente.Schema(JointSchema()).decode(spans, scores).entities) == 2
    assert len(entente.Schema(JointSchema().to_dict()).decode(spans, scores).entities) == 1
    assert len(pickle.loads(pickle.dumps(entente.Schema(JointSchema()))).decode(spans, scores).entities) == 2
    with pytest.raises(entente.Error, match="unknown mode"):
        entente.Schema(JointSchema(), mode="gliner3")
    with pytest.raises(TypeError, match="to_dict"):
        entente.Schema(3)


def test_facts_hold_or_are_paid_for():
    schema = entente.Schema({"scale": "log_odds", "entities": ["person", "firm"], "facts": ["same_as"],
                             "rules": {"alike": "forall x, y: same_as(x, y) and person(x) implies person(y)"}})
    assert schema.facts == ["same_as"]
    spans, scores = np.array([[0, 1], [2, 3]]), np.array([[3.0, np.nan], [-1.0, 2.0]])

    def types(**options):
        found = schema.decode(spans, scores, **options)
        return [e.type for e in found.entities], found.value

    assert types() == (["person", "firm"], 5.0)
    assert types(facts=[("same_as", (0, 1))]) == (["person", "person"], 2.0)
    assert types(facts=[("same_as", (0, 1), 0.5)]) == (["person", "firm"], 4.5)
    assert types(facts=[{"name": "same_as", "args": [0, 1], "score": 9}]) == (["person", "person"], 2.0)
    both = schema.decode_batch(np.tile(spans, (2, 1)), np.tile(scores, (2, 1)), np.zeros((0, 2), int), np.zeros((0, 0)),
                               [2, 2], [0, 0], facts=[[], [("same_as", (0, 1))]])
    assert [b.value for b in both] == [5.0, 2.0]
    for bad in ([("same", (0, 1))], [("same_as", (0, 5))], [("same_as", ())], [("same_as", (0, 1), 0)]):
        with pytest.raises(entente.Error):
            schema.decode(spans, scores, facts=bad)


def test_reasons_say_why_and_by_how_much():
    schema = entente.Schema({"scale": "log_odds", "entities": ["person", "place"],
                             "relations": {"kill": {"head": "person", "tail": "person"}}})
    spans = np.array([[0, 2], [1, 3], [4, 5]])
    scores = np.array([[2.0, 1.0], [1.5, np.nan], [-0.5, np.nan]])
    found = schema.decode(spans, scores, np.array([[2, 0], [0, 2]]), np.array([[1.0], [0.2]]), explain=True)
    why = {(x.type, x.head, x.tail): x for x in found.reasons}
    assert why["kill", 2, 0].kept and why["kill", 2, 0].because == ["score"]
    assert why["kill", 2, 0].margin == pytest.approx(0.7)
    assert not why["person", 1, -1].kept and why["person", 1, -1].because == ["overlap"]
    assert set(why["place", 0, -1].because) == {"one type", "kill.head", "kill.tail"}
    assert why["person", 2, -1].kept and "kill.head" in why["person", 2, -1].because
    assert len(found.reasons) == 6
    assert schema.decode(spans, scores).reasons == []
