"""Losses and layers over structures: hinge, marginals, samples, LP-SparseMAP, forests."""
import numpy as np

import entente
from entente import learn

r = np.random.default_rng(1)

# A tagger of two labels learned by exact structured hinge: the right label is the sign of a noisy input.
inputs = r.normal(size=(40, 6))
gold = (inputs > 0).astype(int)
weight, steps = 0.0, np.zeros((2, 2))
for x, y in zip(inputs, gold):
    scores = np.stack([np.zeros(6), weight * x], 1)
    loss = learn.hinge(lambda s: entente.decode_sequence(s, steps), scores, y)
    weight -= 0.1 * float((loss.gradient[:, 1] * x).sum())
right = np.mean([(entente.decode_sequence(np.stack([np.zeros(6), weight * x], 1), steps).choice == y).mean() for x, y in zip(inputs, gold)])
print("weight %.2f, %.0f%% right" % (weight, 100 * right))
assert right > 0.95

# How likely: labels of a chain, arcs of a tree, edges of a forest.
print(entente.sequence_marginals(r.normal(size=(3, 2)), steps).marginals.round(2))
print(entente.tree_marginals(r.normal(size=(1, 4, 4))).marginals[0].sum(0).round(2))  # every word has one head
forest = entente.Forest(heads=[0, 0, 1, 1], tails=[[], [], [0], [0, 0]])
print(forest.marginals([0.1, 0.2, 0.0, 1.0]).edges.round(2), forest.best([0.1, 0.2, 0.0, 1.0]))

# LP-SparseMAP of any Graph: forward, and the Jacobian's product backward.
g = entente.Graph()
g.group([0.0, 0.0, 0.0])
layer = learn.SparseMap(g)
u = layer.forward([1.0, 0.8, -2.0])
print(u, layer.backward([1.0, 0.0, 0.0]))
assert u[2] == 0  # sparse
