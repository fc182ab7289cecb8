"""A small numpy model of entities and relations, trained twice on Roth and Yih's corpus: locally, each decision by itself,
and with the exact structured hinge, where cost-augmented decoding under the schema finds what the model would get wrong.

Needs conll04/train.tsv in $ENTENTE_DATA or ../shared/data (skipped without). The same features, learning rate, epochs and
averaging for both; two thirds of the sentences to learn from, the rest to count on. Some seconds.
"""
import os
import sys
import zlib

import numpy as np

import entente

TYPES = ["Loc", "Org", "Other", "Peop"]
RELATIONS = {"Kill": ("Peop", "Peop"), "Live_In": ("Peop", "Loc"), "Located_In": ("Loc", "Loc"), "OrgBased_In": ("Org", "Loc"),
             "Work_For": ("Peop", "Org")}
NAMES = list(RELATIONS)
SIZE = 1 << 16

schema = entente.Schema({
    "entities": {t: {} for t in TYPES},
    "relations": {name: {"head": head, "tail": tail} for name, (head, tail) in RELATIONS.items()},
    "constraints": [{"type": "ExclusiveRelations", "relations": NAMES, "directed": False}]})


def read(path):
    """Sentences as (words, tags, labels, relations), each once."""
    out, seen, rows, links = [], set(), [], []

    def finish():
        words = tuple(r[5] for r in rows)
        if rows and words not in seen:
            seen.add(words)
            out.append((words, [r[4] for r in rows], [r[1] for r in rows], list(links)))
        rows.clear()
        links.clear()

    with open(path, encoding="utf-8") as file:
        for line in file:
            columns = line.split()
            if len(columns) == 9:
                if rows and columns[0] != rows[-1][0] or links:
                    finish()
                rows.append(columns)
            elif len(columns) == 3:
                links.append((int(columns[0]), int(columns[1]), columns[2]))
    finish()
    return out


def number(*parts):
    return zlib.crc32("|".join(parts).encode()) % SIZE


class Sentence:
    """Numbers of features of each mention and each pair of mentions, and what is right."""

    def __init__(self, words, tags, labels, links):
        at = [i for i, label in enumerate(labels) if label in TYPES]
        place = {i: k for k, i in enumerate(at)}
        around = lambda i: words[i].lower() if 0 <= i < len(words) else "-"  # noqa: E731
        tag = lambda i: tags[i] if 0 <= i < len(tags) else "-"  # noqa: E731
        self.mentions = []
        for i in at:
            parts = words[i].split("/")
            own = ["w:" + p.lower() for p in parts] + ["last:" + parts[-1].lower(), "n:%d" % len(parts), "t:" + tags[i],
                                                       "end:" + parts[-1][-3:].lower(), "dot:%d" % ("." in words[i])]
            own += ["-1:" + around(i - 1), "+1:" + around(i + 1), "-2:" + around(i - 2), "+2:" + around(i + 2),
                    "t-1:" + tag(i - 1), "t+1:" + tag(i + 1)]
            self.mentions.append([number("m", f) for f in own])
        self.pairs = np.array([(a, b) for a in range(len(at)) for b in range(len(at)) if a != b], np.int32).reshape(-1, 2)
        self.links = []
        for a, b in self.pairs:
            i, j = at[a], at[b]
            side = "<" if i < j else ">"
            low, high = min(i, j), max(i, j)
            between = [words[k].lower() for k in range(low + 1, high)]
            own = ["b:" + w for w in between] + ["path:" + "_".join(between[:4]) if len(between) < 5 else "far",
                                                "d:%d" % min(high - low, 8), "others:%d" % min(sum(low < k < high for k in at), 3)]
            own += ["h-1:" + around(i - 1), "h+1:" + around(i + 1), "t-1:" + around(j - 1), "t+1:" + around(j + 1),
                    "ht:" + words[i].lower().split("/")[-1], "tt:" + words[j].lower().split("/")[-1]]
            self.links.append([number("p", side, f) for f in own])
        self.types = np.array([TYPES.index(labels[i]) for i in at], int)
        self.right = np.zeros((len(self.pairs), len(NAMES)))
        order = {(int(a), int(b)): k for k, (a, b) in enumerate(self.pairs)}
        for i, j, name in links:
            if i in place and j in place and i != j:
                self.right[order[place[i], place[j]], NAMES.index(name)] = 1
        self.spans = np.array([[i, i + 1] for i in at], np.int32).reshape(-1, 2)

    def scores(self, weights):
        e, r = weights
        of = lambda lists, w: np.array([w[f].sum(0) for f in lists]).reshape(-1, w.shape[1])  # noqa: E731
        return of(self.mentions, e), of(self.links, r)


def answer(sentence, span_scores, pair_scores):
    """The best under the schema, as 0/1 like the scores."""
    found = schema.decode(sentence.spans, span_scores, sentence.pairs, pair_scores)
    entities, relations = np.zeros_like(span_scores), np.zeros_like(pair_scores)
    for x in found.entities:
        entities[x.span, TYPES.index(x.type)] = 1
    for x in found.relations:
        relations[x.pair, NAMES.index(x.type)] = 1
    return entities, relations


def local(sentence, span_scores, pair_scores):
    """Each by itself: what is worth more than 0, of the types one at most."""
    entities = np.zeros_like(span_scores)
    for row, scores in zip(entities, span_scores):
        row[scores.argmax()] = scores.max() > 0
    return entities, (pair_scores > 0).astype(float)


def train(sentences, decode, epochs=6, rate=0.1, seed=3):
    """Structured hinge by stochastic subgradients, averaged: the wrong costs 1 each; what decode() finds best with that cost
    added is what is learned against."""
    weights = [np.zeros((SIZE, len(TYPES))), np.zeros((SIZE, len(NAMES)))]
    total = [np.zeros_like(w) for w in weights]
    random = np.random.default_rng(seed)
    step = 0
    for _ in range(epochs):
        for k in random.permutation(len(sentences)):
            s = sentences[k]
            right = [np.eye(len(TYPES))[s.types], s.right]
            scores = s.scores(weights)
            found = decode(s, *(x + 1 - 2 * r for x, r in zip(scores, right)))
            for w, t, features, f, r in zip(weights, total, (s.mentions, s.links), found, right):
                for i in np.nonzero((f != r).any(1))[0]:
                    change = -rate * (f[i] - r[i])
                    np.add.at(w, features[i], change)
                    np.add.at(t, features[i], step * change)
            step += 1
    return [w - t / step for w, t in zip(weights, total)]


def f1(sentences, weights, decode):
    """Of entities and of relations: the same type of a mention, the same relation of a pair."""
    out = []
    for k in range(2):
        same = found = wanted = 0
        for s in sentences:
            f = decode(s, *s.scores(weights))
            right = [np.eye(len(TYPES))[s.types], s.right]
            same += (f[k] * right[k]).sum()
            found += f[k].sum()
            wanted += right[k].sum()
        out.append(200 * same / max(found + wanted, 1))
    return out


def main():
    path = os.path.join(os.environ.get("ENTENTE_DATA", os.path.join(os.path.dirname(__file__), "../../../shared/data")), "conll04/train.tsv")
    if not os.path.exists(path):
        print("skipped: no conll04/train.tsv in $ENTENTE_DATA or ../shared/data")
        return
    sentences = [s for s in (Sentence(*x) for x in read(path)) if len(s.mentions) > 1]
    order = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1).permutation(len(sentences))
    cut = 2 * len(sentences) // 3
    learn, held = [sentences[i] for i in order[:cut]], [sentences[i] for i in order[cut:]]
    apart, together = train(learn, local), train(learn, answer)
    print("%d sentences to learn from, %d held out" % (len(learn), len(held)))
    print("trained                decoded             entities  relations")
    rows = {}
    for how, weights in (("locally", apart), ("with structured hinge", together)):
        for by, decode in (("each by itself", local), ("under the schema", answer)):
            rows[how, by] = f1(held, weights, decode)
            print("%-22s %-18s %9.2f %10.2f" % (how, by, *rows[how, by]))
    better = rows["with structured hinge", "under the schema"][1] - rows["locally", "under the schema"][1]
    print("relations: %+.2f by training on structures, decoded alike" % better)
    assert better > 0


if __name__ == "__main__":
    main()
