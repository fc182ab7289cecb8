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
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from . import _core
from .solution import Session, Solution
from .variables import Group, Literals, Variable, nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

HARD = math.inf


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
            raise KeyError("no variable or group is called %r%s" % (name, nearest(name, self._names)))
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
