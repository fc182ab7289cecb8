"""Entente: the best structure under rules, with proof that it is best.

Graph, Solution, Session, verify: problems over 0/1 variables. decode_*: common shapes from arrays. Forest: packed derivations. Schema: entities and
relations under a schema. load: text in, Document out. train, evaluate: every task. learn: losses and layers.
"""
from __future__ import annotations

from typing import Any

from . import learn
from ._core import Error
from .decode import (Batch, ChainMarginals, Decoded, TreeMarginals, decode_roles, decode_roles_batch, decode_sequence,
                     decode_sequence_batch, decode_spans, decode_spans_batch, decode_tree, decode_tree_batch,
                     sequence_marginals, tree_marginals)
from .forest import Derivation, Forest, ForestMarginals
from .graph import HARD, Graph
from .language import Doc, Pipeline, Progress, evaluate, load, tasks, train
from .schema import Entity, Extraction, Reason, Relation, Schema
from .solution import Certificate, Session, Solution, Verdict, verify
from .variables import Group, Variable

__version__ = "0.1.0"
__all__ = ["Batch", "Certificate", "ChainMarginals", "Decoded", "Derivation", "Doc", "Entity", "Error", "Extraction", "Forest", "ForestMarginals", "Graph", "Group", "HARD",
           "Pipeline", "Progress", "Reason", "Relation", "Schema", "Session", "Solution", "TreeMarginals", "Variable", "Verdict", "decode_roles",
           "decode_roles_batch", "decode_sequence", "decode_sequence_batch", "decode_spans", "decode_spans_batch",
           "decode_tree", "decode_tree_batch", "evaluate", "learn", "load", "sequence_marginals", "tasks", "train", "tree_marginals", "verify"]
