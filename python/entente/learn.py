"""Losses and layers for training on structures.

hinge: structured hinge loss with its subgradient, over any decode_* of this package. graph_hinge: the same of a Graph.
samples: perturb-and-MAP. SparseMap: LP-SparseMAP of a Graph, forward and backward.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Tuple

from . import _core
from .forest import Forest
from .graph import Graph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


class Loss(NamedTuple):
    value: float
    gradient: "np.ndarray[Any, Any]"  # like the scores
    prediction: "np.ndarray[Any, Any]"


def indicator(choice: "ArrayLike", shape: Tuple[int, ...]) -> "np.ndarray[Any, Any]":
    """1 at the chosen column of each row; rows with choice -1 are all 0."""
    import numpy as np

    out = np.zeros(shape)
    c = np.asarray(choice)
    rows = np.nonzero(c >= 0)[0]
    out[rows, c[rows]] = 1
    return out


def hamming(gold: "ArrayLike", shape: Tuple[int, ...], weight: float = 1.0) -> "np.ndarray[Any, Any]":
    """The cost of each choice: ``weight`` unless it is the gold one."""
    return weight * (1 - indicator(gold, shape))


def hinge(decode: Callable[["np.ndarray[Any, Any]"], Any], scores: "ArrayLike", gold: "ArrayLike",
          cost: Optional["ArrayLike"] = None) -> Loss:
    """max over structures of (score + cost) - score of gold, and its subgradient.

    ``decode(scores)`` gives something with ``choice``, a column a row: ``lambda s: decode_roles(s, spans)``. ``cost``
    is an array like the scores; without one it is the Hamming cost. Exact decoding makes the loss an upper bound of the
    cost of the prediction.
    """
    import numpy as np

    s = np.asarray(scores, dtype=float)
    g = np.asarray(gold)
    c = hamming(g, s.shape) if cost is None else np.asarray(cost, dtype=float)
    choice = np.asarray(decode(s + c).choice)
    predicted, right = indicator(choice, s.shape), indicator(g, s.shape)
    difference = predicted - right
    value = float(((s + c) * predicted).sum() - ((s + c) * right).sum() + (c * right).sum())
    return Loss(max(value, 0.0), difference, choice)


def tree_hinge(scores: "ArrayLike", heads: "ArrayLike", projective: bool = False, single_root: bool = True,
               weight: float = 1.0) -> Loss:
    """The same of a tree: scores[head, modifier], heads[m] (heads[0] is not looked at)."""
    import numpy as np

    from .decode import decode_tree

    s = np.asarray(scores, dtype=float)
    g = np.asarray(heads).copy()
    g[0] = -1
    right = indicator(g, s.shape).T
    c = weight * (1 - right)
    found = decode_tree(s, projective, single_root, cost=c)
    predicted = indicator(found.choice, s.shape).T
    value = float(((s + c) * predicted).sum() - (s * right).sum())
    return Loss(max(value, 0.0), predicted - right, found.choice)


def forest_hinge(forest: Forest, scores: "ArrayLike", gold: "ArrayLike", cost: Optional["ArrayLike"] = None) -> Loss:
    """Of a forest: gold lists the edges of the right derivation; every other edge costs 1, or what ``cost`` says."""
    import numpy as np

    s = np.asarray(scores, dtype=float)
    right = np.zeros(s.shape)
    np.add.at(right, np.asarray(gold), 1)
    c = (right == 0).astype(float) if cost is None else np.asarray(cost, dtype=float)
    found = forest.best(s, c)
    if found.value == -np.inf:
        raise _core.Error("the forest has no derivation")
    predicted = np.zeros(s.shape)
    np.add.at(predicted, found.edges, 1)
    return Loss(max(found.value - float((s * right).sum()), 0.0), predicted - right, found.edges)


def graph_hinge(graph: Graph, gold: "ArrayLike", weight: float = 1.0, **options: Any) -> Loss:
    """Of a Graph: every variable that differs from ``gold`` costs ``weight``; the gradient is that of the variables'
    scores. The graph's scores are as they were when it returns."""
    import numpy as np

    g = np.asarray(gold, dtype=float)
    before = graph.scores
    worth = graph.evaluate(np.asarray(gold, dtype=np.uint8))
    if worth == -np.inf:
        raise _core.Error("gold breaks a rule that must hold")
    graph.set_scores(before + weight * (1 - 2 * g))
    try:
        found = graph.solve(**options)
    finally:
        graph.set_scores(before)
    value = found.value + weight * float(g.sum()) - worth
    return Loss(max(value, 0.0), found.assignment.astype(float) - g, found.assignment)


def samples(decode: Callable[["np.ndarray[Any, Any]"], Any], scores: "ArrayLike", count: int, seed: int = 1,
            temperature: float = 1.0) -> "np.ndarray[Any, Any]":
    """Perturb-and-MAP: the best structures of scores with Gumbel noise, count x rows (Papandreou and Yuille 2011)."""
    import numpy as np

    s = np.asarray(scores, dtype=float)
    random = np.random.default_rng(seed)
    return np.stack([np.asarray(decode(s + temperature * random.gumbel(size=s.shape)).choice) for _ in range(count)])


class SparseMap:
    """LP-SparseMAP of a Graph as a layer (Niculae and Martins 2020).

        layer = SparseMap(graph)
        u = layer.forward(scores)          # in [0, 1], sparse
        grad_scores = layer.backward(grad_u)
    """

    def __init__(self, graph: Graph, max_iterations: int = 3000, tolerance: float = 1e-9) -> None:
        self._graph = graph
        self._core = _core.SparseMap()
        self._limits = (max_iterations, tolerance)

    def forward(self, scores: Optional["ArrayLike"] = None) -> "np.ndarray[Any, Any]":
        if scores is not None:
            self._graph.set_scores(scores)
        return self._core.forward(self._graph._core, *self._limits)

    def backward(self, gradient: "ArrayLike") -> "np.ndarray[Any, Any]":
        """J^T gradient at the last forward()."""
        return self._core.backward(gradient)

    @property
    def converged(self) -> bool:
        return self._core.converged

    @property
    def iterations(self) -> int:
        return self._core.iterations

    def __repr__(self) -> str:
        return "SparseMap(%r)" % self._graph


def _torch_function(forward: Callable[["np.ndarray[Any, Any]"], Any], backward: Callable[["np.ndarray[Any, Any]"], Any]) -> Any:
    """Arrays in and out as a differentiable function of tensors: backward() belongs to the last forward()."""
    import torch  # type: ignore[import]

    def array(tensor: Any) -> "np.ndarray[Any, Any]":
        return tensor.detach().cpu().double().numpy()  # type: ignore[no-any-return]

    class Function(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any, **_: Any) -> Any:
            return torch.as_tensor(forward(array(args[0]))).to(args[0])

        @staticmethod
        def backward(ctx: Any, *grad_outputs: Any) -> Any:
            return torch.as_tensor(backward(array(grad_outputs[0]))).to(grad_outputs[0])

    return Function.apply


def torch_sparsemap(graph: Graph) -> Callable[[Any], Any]:
    """The same as a function of a PyTorch tensor of scores, differentiable; PyTorch must be installed."""

    def apply(scores: Any) -> Any:
        layer = SparseMap(graph)
        return _torch_function(layer.forward, layer.backward)(scores)

    return apply


def torch_hinge(decode: Callable[["np.ndarray[Any, Any]"], Any], gold: "ArrayLike",
                cost: Optional["ArrayLike"] = None) -> Callable[[Any], Any]:
    """hinge() as a function of a PyTorch tensor of scores; PyTorch must be installed."""

    def apply(scores: Any) -> Any:
        gradients: List["np.ndarray[Any, Any]"] = []

        def value(s: "np.ndarray[Any, Any]") -> float:
            loss = hinge(decode, s, gold, cost)
            gradients.append(loss.gradient)
            return loss.value

        return _torch_function(value, lambda above: above * gradients[-1])(scores)

    return apply
