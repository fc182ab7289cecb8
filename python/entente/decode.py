"""Common shapes straight from arrays: many problems a call, threads, no Python in the loop.

A batch is ragged (rows of all problems one after the other, with counts: np.diff(offsets)) or padded (one more dimension,
with lengths, or a mask that is true up to the end of each).
``cost=`` adds to the scores before decoding, as structured hinge losses want it.
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

STATUSES = ("optimal", "feasible", "infeasible", "unknown")


class Decoded(NamedTuple):
    """One problem: what was chosen, what it is worth, what nothing can beat."""

    choice: "np.ndarray[Any, Any]"
    value: float
    bound: float
    status: str


class Batch(NamedTuple):
    """Many: ``choice`` has the rows of all problems one after the other (padded input: padded, -1 beyond the end)."""

    choice: "np.ndarray[Any, Any]"
    values: "np.ndarray[Any, Any]"
    bounds: "np.ndarray[Any, Any]"
    statuses: "np.ndarray[Any, Any]"  # indices into STATUSES

    @property
    def optimal(self) -> bool:
        return bool((self.statuses == 0).all())


def _limit(time_limit: Optional[float]) -> float:
    return math.inf if time_limit is None else float(time_limit)


def _with_cost(scores: "ArrayLike", cost: Optional["ArrayLike"]) -> "ArrayLike":
    if cost is None:
        return scores
    import numpy as np

    a, b = np.asarray(scores), np.asarray(cost)
    if a.shape != b.shape:
        raise _core.Error("cost: expected the scores' shape %s, found %s" % (a.shape, b.shape))
    return a + b


def _blocks(counts: "ArrayLike") -> Tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
    import numpy as np

    c = np.asarray(counts, dtype=np.int32)
    return (np.cumsum(c, dtype=np.int32) - c).astype(np.int32), c


def _lengths(value: Optional["ArrayLike"], batch: int, most: int) -> "np.ndarray[Any, Any]":
    """How long each of a padded batch is, from numbers or a mask."""
    import numpy as np

    if value is None:
        return np.full(batch, most, np.int32)
    n = np.asarray(value)
    if n.dtype == bool:
        if n.shape != (batch, most):
            raise _core.Error("mask: expected %d x %d, found %s" % (batch, most, n.shape))
        if (n[:, 1:] & ~n[:, :-1]).any():
            raise _core.Error("mask: expected true up to the end of each, and false from there on")
        n = n.sum(1)
    if n.dtype.kind not in "iu":
        raise _core.Error("lengths: expected whole numbers or a mask, found %s" % n.dtype)
    if n.shape != (batch,) or (n < 0).any() or (n > most).any():
        raise _core.Error("lengths: expected %d numbers of at most %d" % (batch, most))
    return n.astype(np.int32)


def _one(found: Tuple[Any, ...]) -> Decoded:
    return Decoded(found[0], float(found[1][0]), float(found[2][0]), STATUSES[found[3][0]])


# ---- roles and spans


def decode_roles(scores: "ArrayLike", spans: "ArrayLike", excludes: Optional["ArrayLike"] = None,
                 requires: Optional["ArrayLike"] = None, cost: Optional["ArrayLike"] = None,
                 time_limit: Optional[float] = None) -> Decoded:
    """Which span fills which role: scores are roles x spans; span 0 is "none" (begin == end). Chosen spans do not
    overlap; of two roles that exclude each other one at most has a span; of two that require each other both or
    neither. choice: the span of each role."""
    import numpy as np

    table = np.asarray(_with_cost(scores, cost))
    if table.ndim != 2:
        raise _core.Error("scores: expected roles x spans, found %d dimensions" % table.ndim)
    where = np.asarray(spans)
    if where.shape != (table.shape[1], 2):
        raise _core.Error("spans: expected %d x 2, found %s" % (table.shape[1], where.shape))

    def pairs(value: Optional["ArrayLike"]) -> Tuple[Any, Any]:
        if value is None or len(np.asarray(value)) == 0:
            return None, None
        return value, [len(np.asarray(value))]

    e, e_count = pairs(excludes)
    r, r_count = pairs(requires)
    return _one(_core.decode_roles(table.reshape(-1), [table.shape[0]], where, [table.shape[1]], e, e_count, r, r_count,
                                   _limit(time_limit), 1))


def decode_roles_batch(scores: "ArrayLike", roles: "ArrayLike", spans: "ArrayLike", span_counts: "ArrayLike",
                       excludes: Optional["ArrayLike"] = None, exclude_counts: Optional["ArrayLike"] = None,
                       requires: Optional["ArrayLike"] = None, require_counts: Optional["ArrayLike"] = None,
                       time_limit: Optional[float] = None, threads: int = 1) -> Batch:
    """Many role tables: all scores in one row (roles x spans of the first problem, of the second, ...), how many roles
    and spans each problem has, and the pairs of all problems with how many each has. Padded scores (batch x roles x
    spans, with spans batch x spans x 2) will do as well: roles and span_counts are then lengths or masks, and choice is
    padded."""
    import numpy as np

    table = np.asarray(scores)
    if table.ndim == 3:
        batch, most_roles, most_spans = table.shape
        r, s = _lengths(roles, batch, most_roles), _lengths(span_counts, batch, most_spans)
        where = np.asarray(spans)
        if where.shape != (batch, most_spans, 2):
            raise _core.Error("spans: expected %s, found %s" % ((batch, most_spans, 2), where.shape))
        role_there, span_there = np.arange(most_roles) < r[:, None], np.arange(most_spans) < s[:, None]
        found = decode_roles_batch(table[role_there[:, :, None] & span_there[:, None, :]], r, where[span_there], s, excludes,
                                   exclude_counts, requires, require_counts, time_limit, threads)
        choice = np.full((batch, most_roles), -1, np.int32)
        choice[role_there] = found.choice
        return found._replace(choice=choice)
    return Batch(*_core.decode_roles(scores, roles, spans, span_counts, excludes, exclude_counts, requires,
                                     require_counts, _limit(time_limit), threads))


def decode_spans(spans: "ArrayLike", scores: "ArrayLike", cost: Optional["ArrayLike"] = None,
                 time_limit: Optional[float] = None) -> Decoded:
    """Spans with scores of types that must not overlap: choice is the type of each, -1 where it has none (worth 0)."""
    import numpy as np

    return _one(_core.decode_spans(spans, _with_cost(scores, cost), [0], [len(np.asarray(spans))], _limit(time_limit), 1))


def decode_spans_batch(spans: "ArrayLike", scores: "ArrayLike", counts: Optional["ArrayLike"] = None,
                       cost: Optional["ArrayLike"] = None, time_limit: Optional[float] = None, threads: int = 1,
                       lengths: Optional["ArrayLike"] = None) -> Batch:
    """Ragged (spans n x 2, scores n x types, and counts) or padded (batch x spans x 2, batch x spans x types, and
    lengths or a mask)."""
    import numpy as np

    table, where = np.asarray(_with_cost(scores, cost)), np.asarray(spans)
    if table.ndim != 3:
        if counts is None:
            raise _core.Error("counts: expected how many spans each text has")
        begins, n = _blocks(counts)
        return Batch(*_core.decode_spans(where, table, begins, n, _limit(time_limit), threads))
    if where.shape != table.shape[:2] + (2,):
        raise _core.Error("spans: expected %s, found %s" % (table.shape[:2] + (2,), where.shape))
    n = _lengths(lengths, *table.shape[:2])
    there = np.arange(table.shape[1]) < n[:, None]
    begins, n = _blocks(n)
    found = _core.decode_spans(where[there], table[there], begins, n, _limit(time_limit), threads)
    choice = np.full(table.shape[:2], -1, np.int32)
    choice[there] = found[0]
    return Batch(choice, *found[1:])


# ---- sequences


def _rows(scores: "ArrayLike", counts: Optional["ArrayLike"], lengths: Optional["ArrayLike"],
          dimensions: int) -> Tuple[Any, Any, Any, Optional[Tuple[int, ...]]]:
    """The matrix of all rows, begins, counts, and the padded shape if it was padded."""
    import numpy as np

    a = np.asarray(scores)
    if a.ndim == 3:
        n = _lengths(lengths, a.shape[0], a.shape[1])
        begins = (np.arange(a.shape[0]) * a.shape[1]).astype(np.int32)
        return a.reshape(-1, a.shape[2]), begins, n, a.shape
    if a.ndim != 2:
        raise _core.Error("scores: expected a matrix, or a padded batch of them, found %d dimensions" % a.ndim)
    begins, c = _blocks([a.shape[0]] if counts is None else counts)
    return a, begins, c, None


def decode_sequence(scores: "ArrayLike", transitions: "ArrayLike", cost: Optional["ArrayLike"] = None) -> Decoded:
    """The best labels: scores are positions x labels, transitions labels x labels [from, to]; -inf forbids."""
    import numpy as np

    table = np.asarray(_with_cost(scores, cost))
    rows, begins, counts, _ = _rows(table, [len(table)], None, 2)
    return _one(_core.decode_sequences(rows, transitions, begins, counts, 1))


def decode_sequence_batch(scores: "ArrayLike", transitions: "ArrayLike", counts: Optional["ArrayLike"] = None,
                          lengths: Optional["ArrayLike"] = None, cost: Optional["ArrayLike"] = None,
                          threads: int = 1) -> Batch:
    """Ragged (rows of all sequences and counts) or padded (batch x positions x labels, and lengths or a mask)."""
    rows, begins, n, shape = _rows(_with_cost(scores, cost), counts, lengths, 2)
    found = _core.decode_sequences(rows, transitions, begins, n, threads)
    return Batch(found[0] if shape is None else found[0].reshape(shape[:2]), *found[1:])


class ChainMarginals(NamedTuple):
    marginals: "np.ndarray[Any, Any]"  # like the scores
    transitions: "np.ndarray[Any, Any]"  # problems x labels x labels: how often each step is expected
    log_sums: "np.ndarray[Any, Any]"


def sequence_marginals(scores: "ArrayLike", transitions: "ArrayLike", counts: Optional["ArrayLike"] = None,
                       lengths: Optional["ArrayLike"] = None, threads: int = 1) -> ChainMarginals:
    """How likely each label is under exp(score), by forward and backward sums."""
    rows, begins, n, shape = _rows(scores, counts, lengths, 2)
    marginals, steps, sums = _core.marginals_of_sequences(rows, transitions, begins, n, threads)
    return ChainMarginals(marginals if shape is None else marginals.reshape(shape), steps, sums)


# ---- trees


def decode_tree(scores: "ArrayLike", projective: bool = False, single_root: bool = True,
                cost: Optional["ArrayLike"] = None) -> Decoded:
    """The best tree: scores[head, modifier], node 0 the root. choice[m] is the head of m, choice[0] is -1."""
    import numpy as np

    table = np.asarray(_with_cost(scores, cost))
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise _core.Error("scores: expected nodes x nodes, found %s" % (table.shape,))
    return _one(_core.decode_trees(table, [0], [len(table)], projective, single_root, 1))


def decode_tree_batch(scores: "ArrayLike", lengths: Optional["ArrayLike"] = None, projective: bool = False,
                      single_root: bool = True, cost: Optional["ArrayLike"] = None, threads: int = 1) -> Batch:
    """Padded: batch x nodes x nodes; lengths count nodes, the root included."""
    rows, begins, n, shape = _rows(_with_cost(scores, cost), None, lengths, 3)
    found = _core.decode_trees(rows, begins, n, projective, single_root, threads)
    return Batch(found[0] if shape is None else found[0].reshape(shape[:2]), *found[1:])


class TreeMarginals(NamedTuple):
    marginals: "np.ndarray[Any, Any]"  # like the scores: probability of each arc
    log_sums: "np.ndarray[Any, Any]"


def tree_marginals(scores: "ArrayLike", lengths: Optional["ArrayLike"] = None, single_root: bool = True,
                   threads: int = 1) -> TreeMarginals:
    """How likely each arc is in a tree drawn with probability exp(its score): the matrix-tree theorem."""
    rows, begins, n, shape = _rows(scores, None, lengths, 3)
    marginals, sums = _core.marginals_of_trees(rows, begins, n, single_root, threads)
    return TreeMarginals(marginals if shape is None else marginals.reshape(shape), sums)
