"""What solving a Graph gives: solutions, certificates that prove them, and sessions that solve again after a change."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

from . import _core
from .variables import Group, Variable

if TYPE_CHECKING:
    import numpy as np

    from .graph import Graph


class Solution:
    """What solve() found: ``status`` (optimal, feasible, infeasible, unknown), ``value``, ``bound``, ``assignment``."""

    status: str
    value: float
    bound: float
    assignment: "np.ndarray[Any, Any]"
    iterations: int
    nodes: int
    seconds: float
    relaxed: "np.ndarray[Any, Any]"
    interrupted: bool
    conflict: List[str]

    def __init__(self, plain: Dict[str, Any], graph: Optional["Graph"], settings: Dict[str, Any], proof: Any = None) -> None:
        self._active: Optional[List[str]] = plain.pop("active_rules") if settings.get("explain") else None
        plain.pop("active_rules", None)
        self.__dict__.update(plain)
        self._graph = graph
        self._version = graph._core.version if graph is not None else -1
        self._settings = {k: v for k, v in settings.items() if k not in ("certificate", "explain")}
        self._proof = proof
        self._margins: Any = None

    @property
    def gap(self) -> float:
        return self.bound - self.value

    def _same_graph(self, what: str) -> "Graph":
        if self._graph is None:
            raise RuntimeError("%s needs the graph, which this solution was separated from" % what)
        if self._graph._core.version != self._version:
            raise RuntimeError("%s needs the graph as it was solved; it has changed since" % what)
        return self._graph

    def __getitem__(self, what: Union[str, Variable, Group]) -> Any:
        """The state of a group (its name, or its number), or whether a variable is 1; by name or handle."""
        if isinstance(what, str):
            if self._graph is None:
                raise RuntimeError("names need the graph, which this solution was separated from")
            if what not in self._graph._names:
                raise KeyError(what)
            what = self._graph._names[what]
        if len(self.assignment) == 0:
            return None
        if isinstance(what, Group):
            for i in range(what.size):
                if self.assignment[what.first + i]:
                    return what.states[i] if what.states else i
            return None
        return bool(self.assignment[what.index]) != what.negated

    @property
    def certificate(self) -> "Certificate":
        """The proof; found by solving once more unless solve(certificate=True) kept it."""
        if self._proof is None:
            graph = self._same_graph("certificate")
            _, self._proof = _core.solve(graph._core, dict(self._settings, certificate=True))
        return Certificate(self._proof, self._graph)

    @property
    def margins(self) -> "np.ndarray[Any, Any]":
        """Of each variable: how much the total loses if it has the other value (inf: it cannot)."""
        if self._margins is None:
            if self.status != "optimal":
                raise RuntimeError("margins need an optimal solution; this one is %s" % self.status)
            graph = self._same_graph("margins")
            self._margins = _core.margins(graph._core, self.assignment, self.value, self._settings)
        return self._margins

    @property
    def active_rules(self) -> List[str]:
        """Rules that forbid a single change that would score more."""
        if self._active is None:
            graph = self._same_graph("active_rules")
            self._active = _core.solve(graph._core, dict(self._settings, explain=True))[0]["active_rules"]
        return self._active

    def k_best(self, k: int) -> List["Solution"]:
        """The k best assignments, best first."""
        graph = self._same_graph("k_best")
        return [Solution(p, graph, self._settings) for p in _core.k_best(graph._core, k, self._settings)]

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._proof is not None and self._graph is not None:
            state["_proof"] = _core.write_certificate(self._graph._core, self._proof)
        state["_version"] = self._graph is not None and self._graph._core.version == self._version
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        current = state.pop("_version")
        self.__dict__.update(state)
        self._version = self._graph._core.version if current and self._graph is not None else -1
        if isinstance(self._proof, str) and self._graph is not None:
            self._proof = _core.read_certificate(self._graph._core, self._proof, "pickle")

    def __repr__(self) -> str:
        return "Solution(%s, value=%g, bound=%g)" % (self.status, self.value, self.bound)


class Certificate:
    """A proof of a bound that needs no solver to check: see verify()."""

    def __init__(self, proof: Any, graph: Optional["Graph"]) -> None:
        self._proof = proof
        self._graph = graph

    @property
    def value(self) -> float:
        return self._proof.value

    @property
    def bound(self) -> float:
        return self._proof.bound

    def to_json(self) -> str:
        """As `entente verify` reads it."""
        if self._graph is None:
            raise RuntimeError("this certificate was separated from its graph")
        return _core.write_certificate(self._graph._core, self._proof)

    @classmethod
    def from_json(cls, graph: "Graph", text: str) -> "Certificate":
        return cls(_core.read_certificate(graph._core, text, "certificate"), graph)

    def __repr__(self) -> str:
        return "Certificate(value=%g, bound=%g)" % (self.value, self.bound)


class Verdict:
    """``accepted``: every claim is true; ``optimal``: and value and bound meet; ``reason``: why not."""

    accepted: bool
    optimal: bool
    value: float
    bound: float
    reason: str

    def __init__(self, plain: Dict[str, Any]) -> None:
        self.__dict__.update(plain)

    def __bool__(self) -> bool:
        return self.accepted

    def __repr__(self) -> str:
        return "Verdict(%s)" % ("optimal" if self.optimal else "accepted" if self.accepted else self.reason)


def verify(graph: "Graph", certificate: Certificate, tolerance: float = 1e-6) -> Verdict:
    """The independent check: no solver, only the graph."""
    return Verdict(_core.verify(graph._core, certificate._proof, tolerance))


class Session:
    """A copy of a graph kept open for changes; solving again is warm."""

    def __init__(self, graph: "Graph", options: Optional[Dict[str, Any]] = None) -> None:
        self._graph = graph
        self._core = _core.Session(graph._core, options or {})

    def set_score(self, variable: Variable, score: float) -> None:
        self._core.set_score(self._graph._plain(variable), float(score))

    def clamp(self, variable: Variable, value: bool = True) -> None:
        self._core.clamp(self._graph._owned(variable).index, bool(value) != variable.negated)

    def unclamp(self, variable: Variable) -> None:
        self._core.unclamp(self._graph._owned(variable).index)

    def switch_rule(self, rule: str, on: bool) -> None:
        self._core.switch_rule(rule, on)

    def rule_is_on(self, rule: str) -> bool:
        return self._core.rule_is_on(rule)

    def solve(self) -> Solution:
        out = Solution(self._core.solve(), self._graph, {})
        out._version = -1  # the session's problem is not the graph's any more
        return out

    def __repr__(self) -> str:
        return "Session(%r)" % self._graph
