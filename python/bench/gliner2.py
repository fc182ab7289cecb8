"""Exact extraction beside GLiNER2's beam (gliner2_rival.py: its decoder, written from its documented behaviour).

  PYTHONPATH=build/python python3 python/bench/gliner2.py [sentences]

Sentences of 28 spans and 232 pairs with scores like a model's, under GLiNER2's meaning of a schema without and with types
that may nest. For each: processor time of schema.decode and of a beam of 32 states, and what the answers are worth.
"""
import random
import statistics
import sys
import time

import gliner2_rival as rival
import numpy as np

import entente

TYPES = ("person", "firm", "place")
RELATIONS = {"works_for": {"head": ["person"], "tail": ["firm"], "max_per_head": 1},
             "lives_in": {"head": ["person"], "tail": ["place"]},
             "based_in": {"head": ["firm"], "tail": ["place"], "max_per_head": 1},
             "knows": {"head": ["person"], "tail": ["person"], "directed": False}}


def schema_of(nested):
    return {"entities": {t: {"allow_nested": True} if nested and t == "place" else {} for t in TYPES}, "relations": RELATIONS,
            "constraints": [{"type": "AcyclicRelation", "relation": "knows"}]}


def sentence(r):
    """28 spans of a text of 60 words, 232 pairs of them; some are meant, and score higher."""
    spans = set()
    while len(spans) < 28:
        start = r.randrange(57)
        spans.add((start, start + 1 + r.randrange(3)))
    spans = sorted(spans)
    truth = [r.choice(TYPES) if r.random() < 0.5 else None for _ in spans]
    span_scores = np.array([[r.gauss(1.5 if t == k else -1.5, 1.8) for k in TYPES] for t in truth], np.float32)
    pairs = r.sample([(a, b) for a in range(28) for b in range(28) if a != b], 232)
    pair_scores = np.full((232, len(RELATIONS)), np.nan, np.float32)
    for p, (a, b) in enumerate(pairs):
        k = r.randrange(len(RELATIONS))
        spec = list(RELATIONS.values())[k]
        fits = truth[a] in spec["head"] and truth[b] in spec["tail"]
        pair_scores[p, k] = r.gauss(1.5 if fits and r.random() < 0.5 else -1.0, 1.8)
    return spans, span_scores, np.array(pairs, np.int32), pair_scores


def problem(spans, span_scores, pairs, pair_scores):
    scores = {(t, *spans[s]): float(span_scores[s, k]) for s in range(len(spans)) for k, t in enumerate(TYPES)}
    edges = []
    for p, (h, t) in enumerate(pairs):
        for k, (name, spec) in enumerate(RELATIONS.items()):
            if np.isnan(pair_scores[p, k]):
                continue
            edges += [rival.Edge(name, (a, *spans[h]), (b, *spans[t]), float(pair_scores[p, k]), 1000 * p + 10 * i + j)
                      for i, a in enumerate(spec["head"]) for j, b in enumerate(spec["tail"])]
    return scores, edges


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    for nested in (False, True):
        plain = schema_of(nested)
        schema = entente.Schema(plain, mode="gliner2")
        r = random.Random(7 + nested)
        exact, beam, worse = [], [], 0
        for _ in range(count):
            spans, span_scores, pairs, pair_scores = sentence(r)
            where = np.array(spans, np.int32)
            schema.decode(where, span_scores, pairs, pair_scores)
            begin = time.process_time()
            for _ in range(20):
                found = schema.decode(where, span_scores, pairs, pair_scores)
            exact.append((time.process_time() - begin) / 20)
            scores, edges = problem(spans, span_scores, pairs, pair_scores)
            begin = time.process_time()
            answer = rival.decode(plain, scores, edges)
            beam.append(time.process_time() - begin)
            value = rival.worth(answer, scores)
            assert found.status == "optimal" and found.value >= value - 1e-4
            worse += found.value > value + 1e-4
        print("%s: exact %.3f ms, beam %.0f ms a sentence (medians; %.0f times), the beam's answer worth less in %d of %d" % (
            "places may nest" if nested else "no overlap", 1e3 * statistics.median(exact), 1e3 * statistics.median(beam),
            statistics.median(beam) / statistics.median(exact), worse, count))


if __name__ == "__main__":
    main()
