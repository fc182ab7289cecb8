"""Handles of what a Graph holds: 0/1 variables, and groups of which exactly one is 1."""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Iterator, Sequence, Union

if TYPE_CHECKING:
    from .graph import Graph


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


def nearest(name: str, names: Iterable[str]) -> str:
    import difflib  # here, so that importing the package stays quick

    found = difflib.get_close_matches(str(name), list(names), 1)
    return "; did you mean %r?" % found[0] if found else ""
