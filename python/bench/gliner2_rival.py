"""What GLiNER2's joint decoder does, written from its documented behaviour, as a rival in benchmarks and a judge in tests.

Not GLiNER2's code, and nothing of the package needs it: GLiNER2 is not a dependency. Facts about it (versions of 2026):

- A candidate entity (node) is a type at a place, a candidate relation (edge) joins two nodes; each is worth its log-odds
  above its threshold.
- The overlap policy is for all types at once: ``allow`` if every type says allow_nested, ``nested`` if any does, else
  ``disallow``; policies among the constraints hold as well as this one. Equal places count as nested.
- Edges: types of the ends; no loops unless allow_self; not both directions where a relation is undirected (a symmetric
  one is); limits per head and tail node; no cycles; slots: one edge a slot of a relation. Edges scored as pairs have a
  slot each; companions all have the slot None.
- Beam search goes through the edges by their worth with both ends, takes or skips each, keeps the best 32, and never
  takes an edge that does not pay at once. Then nodes worth more than 0 are added greedily. The greedy answer is a
  candidate too.
- For symmetric and inverse relations the companion of each edge is added at 0. Newer releases then check the whole
  answer, companions included, and take the best that passes; older ones do not check.

``decode(schema, nodes, edges)`` answers, ``validate`` is the check, ``worth`` the sum of what was chosen.
"""
from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple

Node = Tuple[str, int, int]  # type, start, end


class Edge(NamedTuple):
    relation: str
    head: Node
    tail: Node
    score: float
    slot: Optional[int]
    derived: bool = False

    @property
    def key(self) -> Tuple[str, Node, Node]:
        return (self.relation, self.head, self.tail)


class Rules:
    """The constraints of a schema in GLiNER2's form (a dict), as its compiler lists them."""

    def __init__(self, schema: Dict[str, Any]) -> None:
        entities, relations = schema["entities"], schema.get("relations", {})
        given = schema.get("constraints", [])
        nested = [bool(options.get("allow_nested")) for options in entities.values()]
        compiled = "allow" if all(nested) else "nested" if any(nested) else "disallow"
        self.policies = [c.get("policy", "disallow") for c in given if c["type"] == "EntityOverlapPolicy"] + [compiled]
        self.types: Dict[str, List[Tuple[Set[str], Set[str]]]] = {r: [] for r in relations}
        self.no_loops, self.undirected, self.acyclic = set(), set(), set()
        self.per_head: List[Tuple[Optional[str], int]] = []
        self.per_tail: List[Tuple[Optional[str], int]] = []
        self.slots: List[Tuple[str, str]] = []
        self.companions: List[Tuple[str, str]] = []
        for name, r in relations.items():
            self._relation(name, r)
        for c in given:
            self._constraint(c, list(relations))

    def _relation(self, name: str, r: Dict[str, Any]) -> None:
        def types(side: str) -> Set[str]:
            return {r[side]} if isinstance(r.get(side), str) else set(r.get(side) or ())

        self.types[name].append((types("head"), types("tail")))
        if not r.get("allow_self"):
            self.no_loops.add(name)
        if r.get("symmetric") or r.get("directed") is False:
            self.undirected.add(name)
        if r.get("max_per_head") is not None:
            self.per_head.append((name, r["max_per_head"]))
        if r.get("max_per_tail") is not None:
            self.per_tail.append((name, r["max_per_tail"]))
        self.slots.append((name, "slot"))
        if r.get("symmetric"):
            self.companions.append((name, name))
        if r.get("inverse"):
            self.companions += [(name, r["inverse"]), (r["inverse"], name)]

    def _constraint(self, c: Dict[str, Any], relations: List[str]) -> None:
        of = [c["relation"]] if c.get("relation") else relations
        kind = c["type"]
        if kind == "TypedEndpoints":
            for r in of:
                self.types[r].append((set(c.get("head_types") or ()), set(c.get("tail_types") or ())))
        elif kind == "NoSelfLoops":
            self.no_loops.update(of)
        elif kind == "UniqueRelationPair" and not c.get("directed", True):
            self.undirected.update(of)
        elif kind == "UniqueRelationSlot":
            self.slots += [(r, c.get("slot", "head")) for r in of]
        elif kind == "MaxRelationsPerHead":
            self.per_head.append((c.get("relation"), c["limit"]))
        elif kind == "MaxRelationsPerTail":
            self.per_tail.append((c.get("relation"), c["limit"]))
        elif kind == "SymmetricRelation":
            self.companions.append((c["relation"], c["relation"]))
        elif kind == "InverseRelation":
            self.companions += [(c["relation"], c["inverse"]), (c["inverse"], c["relation"])]
        elif kind == "AcyclicRelation":
            self.acyclic.add(c["relation"])

    # ---- one more, beside what is there

    def allow_node(self, node: Node, nodes: Sequence[Node]) -> bool:
        _, start, end = node
        for other in nodes:
            _, s, e = other
            if other == node or end <= s or e <= start:
                continue
            nested = (start >= s and end <= e) or (s >= start and e <= end)
            if any(p == "disallow" or (p == "nested" and not nested) for p in self.policies):
                return False
        return True

    def allow_edge(self, edge: Edge, edges: Sequence[Edge]) -> bool:
        name = edge.relation
        for heads, tails in self.types[name]:
            if (heads and edge.head[0] not in heads) or (tails and edge.tail[0] not in tails):
                return False
        if name in self.no_loops and edge.head == edge.tail:
            return False
        for old in edges:
            if old.relation != name:
                continue
            if (old.head, old.tail) == (edge.head, edge.tail):
                return False
            if name in self.undirected and (old.head, old.tail) == (edge.tail, edge.head):
                return False
        for r, slot in self.slots:
            if r == name and any(old.relation == name and getattr(old, slot) == getattr(edge, slot) for old in edges):
                return False
        for limits, side in ((self.per_head, "head"), (self.per_tail, "tail")):
            for r, limit in limits:
                if r is not None and r != name:
                    continue
                same = sum(1 for old in edges if (r is None or old.relation == r) and getattr(old, side) == getattr(edge, side))
                if same >= limit:
                    return False
        return name not in self.acyclic or not self._closes_a_cycle(edge, edges)

    def _closes_a_cycle(self, edge: Edge, edges: Sequence[Edge]) -> bool:
        after: Dict[Node, List[Node]] = {}
        for old in edges:
            if old.relation == edge.relation:
                after.setdefault(old.head, []).append(old.tail)
        waiting, seen = [edge.tail], set()
        while waiting:
            node = waiting.pop()
            if node == edge.head:
                return True
            if node not in seen:
                seen.add(node)
                waiting += after.get(node, [])
        return False


class Answer(NamedTuple):
    nodes: List[Node]
    edges: List[Edge]


def worth(answer: Answer, scores: Dict[Node, float]) -> float:
    return sum(scores[n] for n in set(answer.nodes)) + sum(e.score for e in answer.edges if not e.derived)


def with_companions(rules: Rules, nodes: Sequence[Node], edges: Sequence[Edge]) -> Answer:
    have = {e.key for e in edges}
    more: List[Edge] = []
    for source, target in rules.companions:
        for e in edges:
            key = (target, e.tail, e.head)
            if e.relation == source and key not in have:
                have.add(key)
                more.append(Edge(target, e.tail, e.head, 0.0, None, True))
    order = lambda e: (e.relation, str(e.head), str(e.tail), e.derived)  # noqa: E731
    return Answer(list(nodes), sorted(list(edges) + more, key=order))


def validate(rules: Rules, answer: Answer) -> bool:
    """Every rule of the whole answer, companions included."""
    for i, node in enumerate(answer.nodes):
        if not rules.allow_node(node, answer.nodes[:i]):
            return False
    there = set(answer.nodes)
    for i, edge in enumerate(answer.edges):
        if edge.head not in there or edge.tail not in there or not rules.allow_edge(edge, answer.edges[:i]):
            return False
    have = {e.key for e in answer.edges}
    return all((target, e.tail, e.head) in have
               for source, target in rules.companions for e in answer.edges if e.relation == source)


def validate_chosen(rules: Rules, answer: Answer) -> bool:
    """What older releases keep to: the rules hold for what was chosen, companions are complete."""
    chosen = Answer(answer.nodes, [e for e in answer.edges if not e.derived])
    without = Rules.__new__(Rules)
    without.__dict__.update(rules.__dict__)
    without.companions = []
    have = {e.key for e in answer.edges}
    return validate(without, chosen) and all(
        (target, e.tail, e.head) in have for source, target in rules.companions for e in chosen.edges if e.relation == source)


class _State(NamedTuple):
    nodes: FrozenSet[Node]
    edges: Tuple[Edge, ...]
    score: float


def _finish(rules: Rules, scores: Dict[Node, float], state: _State) -> _State:
    nodes, score = set(state.nodes), state.score
    for node in sorted(scores, key=lambda n: (-scores[n], n)):
        if node not in nodes and scores[node] > 0 and rules.allow_node(node, list(nodes)):
            nodes.add(node)
            score += scores[node]
    return _State(frozenset(nodes), state.edges, score)


def _take(rules: Rules, scores: Dict[Node, float], state: _State, edge: Edge) -> Optional[_State]:
    new = [n for n in dict.fromkeys((edge.head, edge.tail)) if n not in state.nodes]
    nodes = list(state.nodes) + new
    if not all(rules.allow_node(n, nodes) for n in new) or not rules.allow_edge(edge, state.edges):
        return None
    gain = edge.score + sum(scores[n] for n in new)
    return None if gain < 0 else _State(state.nodes.union(new), state.edges + (edge,), state.score + gain)


def decode(schema: Dict[str, Any], scores: Dict[Node, float], edges: Sequence[Edge], width: int = 32,
           checked: bool = True) -> Optional[Answer]:
    """The beam's answer; None if nothing it found passes the check."""
    rules = Rules(schema)
    ordered = sorted(edges, key=lambda e: (-(e.score + scores[e.head] + scores[e.tail]), e.relation, str(e.slot),
                                           str(e.head), str(e.tail)))
    start = _State(frozenset(), (), 0.0)
    beam, greedy = [start], start
    for edge in ordered:
        expanded = list(beam)
        for state in beam:
            taken = _take(rules, scores, state, edge)
            if taken is not None:
                expanded.append(taken)
        unique: Dict[Any, _State] = {}
        for state in expanded:
            key = (state.nodes, frozenset(e.key for e in state.edges))
            if key not in unique or state.score > unique[key].score:
                unique[key] = state
        beam = sorted(unique.values(), key=lambda s: (-s.score, sorted(map(str, s.nodes)), [str(e.key) for e in s.edges]))[:width]
        greedy = _take(rules, scores, greedy, edge) or greedy
    found = [_finish(rules, scores, s) for s in beam + [greedy]]
    answers = [(s.score, with_companions(rules, sorted(s.nodes), s.edges)) for s in found]
    if checked:
        answers = [a for a in answers if validate(rules, a[1])]
    return max(answers, key=lambda a: a[0])[1] if answers else None
