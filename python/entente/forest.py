"""Forests: everything a chart holds, packed. A derivation takes one edge for the goal and one for every tail, down to
edges without tails.

    f = Forest(heads=[0, 1, 2], tails=[[], [], [0, 1]])      # two leaves and a root; nodes from the leaves up
    f.best(scores), f.marginals(scores), f.samples(scores, 100), f.k_best(scores, 5)

Scores are of edges, and add up; -inf strikes one out. Every pass is linear in the edges.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


class Derivation(NamedTuple):
    edges: "np.ndarray[Any, Any]"  # from the goal down, each followed by those of its tails; empty: there is none
    value: float  # -inf: there is none


class ForestMarginals(NamedTuple):
    edges: "np.ndarray[Any, Any]"  # probability of each edge
    nodes: "np.ndarray[Any, Any]"
    log_sum: float


class Forest:
    """heads[e] is the node that edge e makes, tails[e] the nodes it is made of; goal: the last node, if not said."""

    def __init__(self, heads: "ArrayLike", tails: Sequence["ArrayLike"], goal: Optional[int] = None,
                 nodes: Optional[int] = None) -> None:
        import numpy as np

        h = np.asarray(heads, dtype=np.int32)
        lists = [np.asarray(t, dtype=np.int32).reshape(-1) for t in tails]
        if len(lists) != len(h):
            raise _core.Error("tails: expected a list for each of %d edges, found %d" % (len(h), len(lists)))
        count = nodes if nodes is not None else int(h.max()) + 1 if len(h) else 1
        self._arguments: Tuple[Any, ...] = (count, h, np.array([len(t) for t in lists], np.int32),
                                            np.concatenate(lists) if lists else np.zeros(0, np.int32),
                                            count - 1 if goal is None else int(goal))
        self._core = _core.Forest(*self._arguments)

    @property
    def node_count(self) -> int:
        return self._core.nodes

    @property
    def edge_count(self) -> int:
        return self._core.edges

    def best(self, scores: "ArrayLike", cost: Optional["ArrayLike"] = None) -> Derivation:
        """The best derivation; ``cost`` is added to the scores (cost-augmented)."""
        import numpy as np

        return Derivation(*self._core.best(scores if cost is None else np.asarray(scores) + np.asarray(cost)))

    def marginals(self, scores: "ArrayLike") -> ForestMarginals:
        """How likely each edge and node is where a derivation has the probability exp(score)."""
        return ForestMarginals(*self._core.marginals(scores))

    def expectation(self, scores: "ArrayLike", values: "ArrayLike") -> Tuple[float, "np.ndarray[Any, Any]"]:
        """The mean over derivations of the sum of their edges' values, and its gradient by the scores."""
        mean, gradient = self._core.expectation(scores, values)
        return float(mean), gradient

    def samples(self, scores: "ArrayLike", count: int, seed: int = 1) -> List["np.ndarray[Any, Any]"]:
        """Derivations drawn with probability exp(score), exactly."""
        return self._core.samples(scores, count, seed)

    def k_best(self, scores: "ArrayLike", count: int) -> List[Derivation]:
        return [Derivation(e, v) for e, v in self._core.k_best(scores, count)]

    def __getstate__(self) -> Dict[str, Any]:
        return {"arguments": self._arguments}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._arguments = state["arguments"]
        self._core = _core.Forest(*self._arguments)

    def __repr__(self) -> str:
        return "Forest(%d nodes, %d edges)" % (self.node_count, self.edge_count)
