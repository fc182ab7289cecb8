"""Entities and relations under a schema: from arrays, with reasons, with outside facts, and as GLiNER2 means it."""
import numpy as np

import entente

# Scores of an encoder: spans x types and pairs x relations, as log-odds.
spans = np.array([[0, 2], [1, 3], [5, 6]], np.int32)
span_scores = np.array([[2.0, -1.0], [1.5, 0.2], [-0.5, 1.0]], np.float32)
pairs = np.array([[0, 2], [1, 2]], np.int32)
pair_scores = np.array([[0.7], [1.1]], np.float32)

schema = entente.Schema({"entities": ["person", "place"], "relations": {"born_in": {"head": "person", "tail": "place"}},
                         "facts": ["same_as"], "rules": {"alike": "forall x, y: same_as(x, y) and person(x) implies person(y)"}})
found = schema.decode(spans, span_scores, pairs, pair_scores, explain=True)
print(found, [(e.span, e.type) for e in found.entities], [(r.type, r.head, r.tail) for r in found.relations])
for why in found.reasons:
    what = "%s(%d)" % (why.type, why.head) if why.tail < 0 else "%s(%d, %d)" % (why.type, why.head, why.tail)
    print("  %-14s %-8s by %.2f because of %s" % (what, "kept" if why.kept else "dropped", why.margin, ", ".join(why.because)))

# Knowing that spans 0 and 2 are the same changes the answer; or costs 0.05 to give up.
certain = schema.decode(spans, span_scores, pairs, pair_scores, facts=[("same_as", (0, 2))])
likely = schema.decode(spans, span_scores, pairs, pair_scores, facts=[("same_as", (0, 2), 0.05)], explain=True)
assert [e.span for e in certain.entities] == [1, 2]
assert [e.span for e in likely.entities] == [0, 2] and likely.paid_rules == ["fact same_as"]
print("certain: %.2f, likely: %.2f, unknown: %.2f" % (certain.value, likely.value, found.value))

# GLiNER2's words with GLiNER2's meaning: where any type may nest, one span may be two entities.
nested = {"entities": {"person": {"allow_nested": True}, "place": {}}, "relations": {}, "constraints": []}
both = entente.Schema(nested, mode="gliner2").decode([[0, 2]], [[1.0, 2.0]])
assert len(both.entities) == 2 and len(entente.Schema(nested).decode([[0, 2]], [[1.0, 2.0]]).entities) == 1
