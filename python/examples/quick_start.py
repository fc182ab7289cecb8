"""A problem by hand, its proof, and the same kind of problem from arrays."""
import numpy as np

import entente

g = entente.Graph()
role = g.group([0.0, 2.1, 1.9], name="role", states=["none", "A", "B"])
x = g.variable(0.7, "x")
g.implies(x, role["A"], rule="x needs A")
g.not_both(x, role["B"], cost=0.5)
s = g.solve(time_limit=0.1)
print(s.status, s.value, s["role"], s.margins)
assert entente.verify(g, s.certificate).optimal

# Which span fills which role: roles x spans, span 0 is "none"; chosen spans do not overlap.
scores = np.array([[0.0, 2.0, 1.5], [0.0, 1.9, -1.0]], np.float32)
spans = np.array([[0, 0], [0, 3], [2, 5]])
print(entente.decode_roles(scores, spans))

schema = entente.Schema({"entities": {"person": {}, "place": {}},
                         "relations": {"born_in": {"head": ["person"], "tail": ["place"]}}})
found = schema.decode(spans=[[0, 2], [4, 5]], span_scores=[[2.0, -1.0], [-2.0, 1.0]], pairs=[[0, 1]],
                      pair_scores=[[0.5]], explain=True)
print([(e.span, e.type) for e in found.entities], [(r.type, r.head, r.tail) for r in found.relations])
assert found.status == "optimal" and len(found.relations) == 1
