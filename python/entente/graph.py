"""Problems over 0/1 variables, solved with proof.

    g = Graph()
    role = g.group([0.0, 2.1, 1.9], name="role", states=["none", "A", "B"])
    x = g.variable(0.7, "x")
    g.implies(x, role["A"], rule="x needs A")
    s = g.solve(time_limit=0.1)
    s.status, s.value, s["role"]
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

HARD = math.inf


class Variable:
    """A 0/1 variable of a Graph, or its negation: ``~x``."""

    __slots__ = ("graph", "index", "negated")

    def __init__(self, graph: "Graph", index: int, negated: bool = False) -> None:
        self.graph = graph
        self.index = index
        self.negated = negated

    def __invert__(self) -> "Variable":
        return Variable(self.graph, self.index, not self.negated)

    @property
    def name(self) -> str:
        return self.graph._core.variable_name(self.index)

    def __repr__(self) -> str:
        return ("~" if self.negated else "") + self.name


class Group:
    """Consecutive variables of which exactly one is 1. Index it by the state's number or name."""

    __slots__ = ("graph", "first", "size", "name", "states")

    def __init__(self, graph: "Graph", first: int, size: int, name: str, states: Sequence[str]) -> None:
        self.graph = graph
        self.first = first
        self.size = size
        self.name = name
        self.states = list(states)

    def __getitem__(self, state: Union[int, str]) -> Variable:
        if isinstance(state, str):
            if state not in self.states:
                raise KeyError("group %r has no state %r; there are %s" % (self.name, state, ", ".join(self.states)))
            state = self.states.index(state)
        if not -self.size <= state < self.size:
            raise IndexError("group %r has %d states" % (self.name, self.size))
        return Variable(self.graph, self.first + state % self.size)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Variable]:
        return (self[i] for i in range(self.size))

    def __repr__(self) -> str:
        return "Group(%r, %d)" % (self.name, self.size)


Literals = Union[Iterable[Variable], Group]


def _nearest(name: str, names: Iterable[str]) -> str:
    import difflib  # here, so that importing the package stays quick

    found = difflib.get_close_matches(str(name), list(names), 1)
    return "; did you mean %r?" % found[0] if found else ""


class Graph:
    """Variables with scores, and rules over them; the best assignment is the one with the largest total.

    Every rule may have a name (``rule=``) and a cost: without a cost it must hold, with one it may be broken for it.
    """

    def __init__(self) -> None:
        self._core = _core.Graph()
        self._names: Dict[str, Union[Variable, Group]] = {}

    # ---- variables

    def variable(self, score: float, name: str = "") -> Variable:
        """A 0/1 variable; being 1 is worth ``score``."""
        out = Variable(self, self._core.variable(float(score), name))
        self._remember(name, out)
        return out

    def group(self, scores: "ArrayLike", name: str = "", states: Sequence[str] = ()) -> Group:
        """A choice: as many variables as scores, exactly one of them is 1."""
        before = self._core.variable_count
        first = self._core.group(scores, name, list(states))
        out = Group(self, first, self._core.variable_count - before, name, states)
        self._remember(name, out)
        return out

    def groups(self, scores: "ArrayLike") -> List[Group]:
        """Many choices at once: one a row of a matrix of scores."""
        before = self._core.variable_count
        first = self._core.groups(scores)
        rows = len(scores)  # type: ignore[arg-type]
        size = (self._core.variable_count - before) // rows if rows else 0
        return [Group(self, first + i * size, size, "", ()) for i in range(rows)]

    def _remember(self, name: str, what: Union[Variable, Group]) -> None:
        if name:
            if name in self._names:
                raise _core.Error("two variables or groups are called %r" % name)
            self._names[name] = what

    def __getitem__(self, name: str) -> Union[Variable, Group]:
        if name not in self._names:
            raise KeyError("no variable or group is called %r%s" % (name, _nearest(name, self._names)))
        return self._names[name]

    def __repr__(self) -> str:
        return "Graph(%d variables, %d rules)" % (self._core.variable_count, self._core.factor_count)

    def set_score(self, variable: Variable, score: float) -> None:
        self._core.set_score(self._plain(variable), float(score))

    def set_scores(self, scores: "ArrayLike") -> None:
        """Of all variables, in their order."""
        self._core.set_scores(scores)

    @property
    def scores(self) -> "np.ndarray[Any, Any]":
        return self._core.scores

    def fix(self, variable: Variable, value: bool = True) -> None:
        """The variable must have this value."""
        self._core.fix(self._owned(variable).index, bool(value) != variable.negated)

    def free(self, variable: Variable) -> None:
        self._core.free(self._owned(variable).index)

    def _owned(self, variable: Variable) -> Variable:
        if not isinstance(variable, Variable):
            raise TypeError("expected a Variable, found %s" % type(variable).__name__)
        if variable.graph is not self:
            raise _core.Error("variable %r belongs to another graph" % variable)
        return variable

    def _plain(self, variable: Variable) -> int:
        if self._owned(variable).negated:
            raise _core.Error("a negated variable has no score of its own")
        return variable.index

    def _codes(self, literals: Literals) -> List[int]:
        if isinstance(literals, Group):
            if literals.graph is not self:
                raise _core.Error("group %r belongs to another graph" % literals.name)
            return list(range(2 * literals.first, 2 * (literals.first + literals.size), 2))
        return [2 * self._owned(v).index + v.negated for v in literals]

    # ---- rules

    def _add(self, kind: str, literals: Literals, rule: str, cost: float) -> None:
        self._core.add(kind, self._codes(literals), rule, float(cost))

    def exactly_one(self, literals: Literals, rule: str = "", cost: float = HARD) -> None:
        self._add("exactly_one", literals, rule, cost)

    def at_most_one(self, literals: Literals, rule: str = "", cost: float = HARD) -> None:
        self._add("at_most_one", literals, rule, cost)

    def at_least_one(self, literals: Literals, rule: str = "", cost: float = HARD) -> None:
        self._add("at_least_one", literals, rule, cost)

    def implies(self, a: Variable, b: Variable, rule: str = "", cost: float = HARD) -> None:
        """a is 1 only where b is."""
        self._add("implies", (a, b), rule, cost)

    def equal(self, a: Variable, b: Variable, rule: str = "", cost: float = HARD) -> None:
        self._add("equal", (a, b), rule, cost)

    def not_both(self, a: Variable, b: Variable, rule: str = "", cost: float = HARD) -> None:
        self._add("not_both", (a, b), rule, cost)

    def or_of(self, literals: Literals, output: Variable, rule: str = "", cost: float = HARD) -> None:
        """output is 1 exactly where one of the others is."""
        self._core.add("or_output", self._codes(literals) + self._codes([output]), rule, float(cost))

    def and_of(self, literals: Literals, output: Variable, rule: str = "", cost: float = HARD) -> None:
        """output is 1 exactly where all others are."""
        self._core.add("and_output", self._codes(literals) + self._codes([output]), rule, float(cost))

    def count(self, literals: Literals, lower: int = 0, upper: Optional[int] = None, rule: str = "",
              cost: float = HARD) -> None:
        """lower <= how many are 1 <= upper."""
        codes = self._codes(literals)
        self._core.count(codes, lower, len(codes) if upper is None else upper, rule, float(cost))

    def linear(self, literals: Literals, coefficients: "ArrayLike", lower: float = -math.inf, upper: float = math.inf,
               rule: str = "", cost: float = HARD) -> None:
        """lower <= sum of coefficients of what is 1 <= upper."""
        self._core.linear(self._codes(literals), coefficients, float(lower), float(upper), rule, float(cost))

    def table(self, parts: Sequence[Union[Variable, Group]], scores: "ArrayLike", rule: str = "",
              cost: float = HARD) -> None:
        """A score for every joint state: an array with an axis a part; a Variable has two states, a Group its own.
        -inf forbids."""
        import numpy as np

        codes: List[int] = []
        axes: List[int] = []
        shape: List[int] = []
        for part in parts:
            codes += self._codes(part if isinstance(part, Group) else [part])
            axes.append(part.size if isinstance(part, Group) else 1)
            shape.append(part.size if isinstance(part, Group) else 2)
        array = np.asarray(scores, dtype=float)
        if array.shape != tuple(shape):
            raise _core.Error("scores: expected an array of %s, found %s" % (tuple(shape), array.shape))
        self._core.table(codes, axes, np.ascontiguousarray(array).reshape(-1), rule, float(cost))

    def disjoint(self, literals: Literals, intervals: "ArrayLike", rule: str = "", cost: float = HARD) -> None:
        """Those that are 1 do not overlap: an interval [begin, end) each."""
        self._core.disjoint(self._codes(literals), intervals, rule, float(cost))

    def sequence(self, groups: Sequence[Group], transitions: "ArrayLike", rule: str = "") -> None:
        """Scores of neighbouring states of groups of one size: labels x labels, or one such matrix a step."""
        import numpy as np

        codes = [code for group in groups for code in self._codes(group)]
        self._core.sequence(codes, len(groups), groups[0].size, np.asarray(transitions, dtype=float).reshape(-1), rule)

    def tree(self, arcs: Sequence[Variable], ends: "ArrayLike", nodes: int, projective: bool = False,
             single_root: bool = False, rule: str = "") -> None:
        """The arcs that are 1 are a tree over 0..nodes with root 0; ends: (from, to) of each arc."""
        self._core.tree(self._codes(arcs), nodes, ends, projective, single_root, rule)

    # ---- solving

    def solve(self, method: str = "exact", time_limit: Optional[float] = None, certificate: bool = False,
              **options: Any) -> "Solution":
        """The best assignment, and what nothing can beat. Ctrl-C ends it early with the best found so far.

        ``method``: exact (default), local, beam, ad3, subgradient, branch_and_bound, ilp, lp. Other options:
        node_limit, max_iterations, beam_width, backend, tolerance, explain.
        """
        settings = dict(options, method=method, time_limit=time_limit, certificate=certificate)
        plain, proof = _core.solve(self._core, settings)
        return Solution(plain, self, settings, proof)

    def session(self, **options: Any) -> "Session":
        """The problem kept open: change scores, clamp, switch rules, solve again warm."""
        return Session(self, options)

    def evaluate(self, assignment: "ArrayLike") -> float:
        """What an assignment is worth; -inf if it breaks a rule that must hold."""
        return self._core.evaluate(assignment)

    @property
    def variable_count(self) -> int:
        return self._core.variable_count

    @property
    def rules(self) -> List[str]:
        return self._core.rule_names()

    # ---- files

    def to_text(self, format: str = "json") -> str:
        """As json, lp, uai or wcsp."""
        return self._core.write(format)

    @classmethod
    def from_text(cls, text: str, format: str = "json", name: str = "text") -> "Graph":
        out = cls()
        out._core = _core.Graph.read(text, format, name)
        for group_name, first, size in out._core.group_list():
            prefix = group_name + "="
            names = [out._core.variable_name(first + i) for i in range(size)]
            states = [n[len(prefix):] for n in names] if all(n.startswith(prefix) for n in names) else []
            out._names[group_name] = Group(out, first, size, group_name, states)
        for i in range(out.variable_count):
            out._names.setdefault(out._core.variable_name(i), Variable(out, i))
        return out

    @classmethod
    def load(cls, path: str) -> "Graph":
        """A problem file; its ending says which format."""
        with open(path, encoding="utf-8") as file:
            return cls.from_text(file.read(), path.rsplit(".", 1)[-1], path)

    def save(self, path: str) -> None:
        text = self.to_text(path.rsplit(".", 1)[-1])
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self) -> "Graph":
        return Graph.from_text(self.to_text())

    def __getstate__(self) -> Dict[str, Any]:
        names = {n: (w.first, w.size, w.states) if isinstance(w, Group) else w.index for n, w in self._names.items()}
        return {"text": self.to_text(), "names": names}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._core = _core.Graph.read(state["text"], "json", "pickle")
        self._names = {}
        for name, what in state["names"].items():
            if isinstance(what, tuple):
                self._names[name] = Group(self, what[0], what[1], name, what[2])
            else:
                self._names[name] = Variable(self, what)


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

    def __init__(self, plain: Dict[str, Any], graph: Optional[Graph], settings: Dict[str, Any], proof: Any = None) -> None:
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

    def _same_graph(self, what: str) -> Graph:
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

    def __init__(self, proof: Any, graph: Optional[Graph]) -> None:
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
    def from_json(cls, graph: Graph, text: str) -> "Certificate":
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


def verify(graph: Graph, certificate: Certificate, tolerance: float = 1e-6) -> Verdict:
    """The independent check: no solver, only the graph."""
    return Verdict(_core.verify(graph._core, certificate._proof, tolerance))


class Session:
    """A copy of a graph kept open for changes; solving again is warm."""

    def __init__(self, graph: Graph, options: Optional[Dict[str, Any]] = None) -> None:
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
