"""Extraction of entities and relations under a schema, from scores of spans and pairs.

    schema = Schema.load("news.schema.json")
    found = schema.decode(spans, span_scores, pairs, pair_scores)
    [(found.entities[0].span, found.entities[0].type)]
"""
from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


class Entity(NamedTuple):
    span: int
    type: str
    weight: float
    margin: float  # explain: what the total loses without it


class Relation(NamedTuple):
    type: str
    head: int
    tail: int
    pair: int  # row of the pairs; -1: added by a rule
    weight: float
    margin: float
    head_type: str  # as which its ends were chosen
    tail_type: str


class Reason(NamedTuple):
    """Why a candidate was chosen or not. ``margin``: kept: what the answer would lose without it (inf: it must be
    there); not kept: what the best answer with it loses (inf: it cannot be there); nan: time ran out. ``because``:
    "score", "one type" (the span is of another), and the rules that break if in the answer it alone is changed."""

    type: str
    head: int  # the span of an entity
    tail: int  # -1: an entity
    weight: float
    kept: bool
    margin: float
    because: List[str]


Fact = Union[Tuple[str, Sequence[int]], Tuple[str, Sequence[int], float], Dict[str, Any]]


def _fact(fact: Fact) -> Tuple[str, int, int, float]:
    parts: List[Any] = [fact["name"], fact["args"], fact.get("score", math.inf)] if isinstance(fact, dict) else list(fact)
    spans = [int(s) for s in parts[1]]
    if len(spans) not in (1, 2):
        raise _core.Error("facts: expected one span or two, found %d" % len(spans))
    return str(parts[0]), spans[0], spans[1] if len(spans) == 2 else -1, float(parts[2]) if len(parts) > 2 else math.inf


class Extraction:
    """``entities``, ``relations``, ``status``, ``value``, ``bound``; with explain also the rules that mattered."""

    status: str
    value: float
    bound: float
    entities: List[Entity]
    relations: List[Relation]
    active_rules: List[str]
    paid_rules: List[str]
    conflict: List[str]
    k_best: List[Tuple[float, List[Entity], List[Relation]]]
    reasons: List[Reason]

    def __init__(self, schema: "Schema", plain: Dict[str, Any]) -> None:
        self.__dict__.update(plain)
        self.entities = schema._entities(plain["entities"])
        self.relations = schema._relations(plain["relations"])
        self.k_best = [(v, schema._entities(e), schema._relations(r)) for v, e, r in plain["k_best"]]
        self.reasons = [schema._reason(*r) for r in plain["reasons"]]

    def __repr__(self) -> str:
        return "Extraction(%s, value=%g, %d entities, %d relations)" % (
            self.status, self.value, len(self.entities), len(self.relations))


class Schema:
    """Types of entities, relations between them, and rules (docs/schema.md)."""

    def __init__(self, schema: Union[str, Dict[str, Any], Any], name: str = "schema", mode: str = "") -> None:
        """A schema as a dict or as JSON. mode: "entente", "gliner2" or "gliner2_unchecked" (docs/schema.md), empty: as
        the schema says. GLiNER2's schema objects are taken through their to_dict(), and mean what they mean there."""
        if not isinstance(schema, (str, dict)):
            if not hasattr(schema, "to_dict"):
                raise TypeError("expected a dict, JSON or an object with to_dict(), found %s" % type(schema).__name__)
            schema = schema.to_dict()
            mode = mode or "gliner2"
        text = schema if isinstance(schema, str) else json.dumps(schema)
        self._core = _core.Schema.parse(text, name, mode)
        self._types: List[str] = self._core.types
        self._relation_names: List[str] = self._core.relations

    @classmethod
    def load(cls, path: Any, mode: str = "") -> "Schema":
        out = cls.__new__(cls)
        out._core = _core.Schema.load(str(path), mode)
        out._types = out._core.types
        out._relation_names = out._core.relations
        return out

    @property
    def types(self) -> List[str]:
        """The columns of span_scores."""
        return list(self._types)

    @property
    def relations(self) -> List[str]:
        """The columns of pair_scores."""
        return list(self._relation_names)

    @property
    def rules(self) -> List[str]:
        return self._core.rules

    @property
    def facts(self) -> List[str]:
        """What facts= may name."""
        return self._core.facts

    def _entities(self, plain: List[Tuple[Any, ...]]) -> List[Entity]:
        return [Entity(s, self._types[t], w, m) for s, t, w, m in plain]

    def _relations(self, plain: List[Tuple[Any, ...]]) -> List[Relation]:
        types = self._types
        return [Relation(self._relation_names[r], h, t, p, w, m, types[ht], types[tt]) for p, r, h, t, ht, tt, w, m in plain]

    def _reason(self, relation: bool, type: int, head: int, tail: int, weight: float, kept: bool, margin: float,
                because: List[str]) -> Reason:
        names = self._relation_names if relation else self._types
        return Reason(names[type], head, tail, weight, kept, margin, because)

    def decode(self, spans: "ArrayLike", span_scores: "ArrayLike", pairs: Optional["ArrayLike"] = None,
               pair_scores: Optional["ArrayLike"] = None, scores: str = "log_odds", time_limit: Optional[float] = None,
               explain: bool = False, k_best: int = 0, span_cost: Optional["ArrayLike"] = None,
               pair_cost: Optional["ArrayLike"] = None, facts: Sequence[Fact] = ()) -> Extraction:
        """The best entities and relations that keep every rule.

        spans: N x 2 half-open offsets; span_scores: N x types; pairs: M x 2 numbers of spans (head, tail); pair_scores:
        M x relations. NaN and -inf mean "not proposed". scores: log_odds, probability or log_probability. The costs,
        if given, are added to log-odds (cost-augmented decoding). facts: what is known from elsewhere, for the schema's
        rules: ("same_as", (0, 3)) is certain, ("same_as", (0, 3), 2.0) may be given up for 2.0.
        """
        import numpy as np

        pairs = np.zeros((0, 2), np.int32) if pairs is None else pairs
        if pair_scores is None:
            pair_scores = np.zeros((0, len(self._relation_names)), np.float32)
        if span_cost is not None:
            span_scores = np.asarray(span_scores) + np.asarray(span_cost)
        if pair_cost is not None:
            pair_scores = np.asarray(pair_scores) + np.asarray(pair_cost)
        return self._decode(spans, span_scores, pairs, pair_scores, [len(np.asarray(spans))], [len(np.asarray(pairs))],
                            scores, time_limit, explain, k_best, 1, [facts] if facts else [])[0]

    def decode_batch(self, spans: "ArrayLike", span_scores: "ArrayLike", pairs: "ArrayLike", pair_scores: "ArrayLike",
                     span_counts: "ArrayLike", pair_counts: "ArrayLike", scores: str = "log_odds",
                     time_limit: Optional[float] = None, explain: bool = False, k_best: int = 0,
                     threads: int = 1, facts: Sequence[Sequence[Fact]] = ()) -> List[Extraction]:
        """Many texts: their rows one after the other, and how many of them each has. pairs and facts count spans within
        their own text; facts: a list for each text."""
        return self._decode(spans, span_scores, pairs, pair_scores, span_counts, pair_counts, scores, time_limit,
                            explain, k_best, threads, facts)

    def _decode(self, spans: Any, span_scores: Any, pairs: Any, pair_scores: Any, span_counts: Any, pair_counts: Any,
                scores: str, time_limit: Optional[float], explain: bool, k_best: int, threads: int,
                facts: Sequence[Sequence[Fact]]) -> List[Extraction]:
        limit = math.inf if time_limit is None else float(time_limit)
        found = _core.decode_schema(self._core, spans, span_scores, pairs, pair_scores, span_counts, pair_counts, scores,
                                    limit, explain, k_best, threads, [[_fact(f) for f in text] for text in facts])
        return [Extraction(self, plain) for plain in found]

    def decode_json(self, candidates: Union[str, Dict[str, Any]], explain: bool = False, k_best: int = 0) -> Dict[str, Any]:
        """One line of candidates (docs/schema.md), as `entente extract` reads and answers it."""
        line = candidates if isinstance(candidates, str) else json.dumps(candidates)
        return dict(json.loads(_core.decode_schema_json(self._core, line, explain, k_best)))

    def __getstate__(self) -> Dict[str, Any]:
        return {"json": self._core.json, "mode": self._core.mode}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(state["json"], mode=state["mode"])  # type: ignore[misc]

    def __repr__(self) -> str:
        return "Schema(types=%r, relations=%r)" % (self._types, self._relation_names)
