#!/usr/bin/env python3
"""Relations from raw text, held out: mentions of the task entities against relations' own spans (docs/relations.md).

  python3 tools/relations_from_text.py build/entente ../shared/data/conll04 [folder for files] [folds to run]

Sentence i of train.tsv is in fold i mod 5, one that repeats another's words in that one's. Of each fold, entities and
relations are trained on the rest (entities, and types in relations, also on no-relation.tsv, but for sentences of the
fold), and measured on text made of the fold's words.
"""
import os
import subprocess
import sys
import tempfile

FOLDS = 5


def sentences(path):
    """Blocks of rows with the block of relations that follows each: conll04 separates both by blank lines."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().strip("\n").split("\n\n")
    out = []
    for block in blocks:
        if len(block.split("\n")[0].split("\t")) > 3:
            out.append([block, ""])
        elif out:
            out[-1][1] = block
    return out


def words(sentence):
    return " ".join(row.split("\t")[5] for row in sentence[0].split("\n"))


def write(path, some):
    with open(path, "w", encoding="utf-8") as file:
        for rows, relations in some:
            file.write(rows + "\n\n" + (relations + "\n" if relations else "") + "\n")
    return path


def main():
    entente, data = sys.argv[1], sys.argv[2]
    folder = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else FOLDS
    os.makedirs(folder, exist_ok=True)
    train, extra = sentences(os.path.join(data, "train.tsv")), sentences(os.path.join(data, "no-relation.tsv"))
    fold_of = {}
    for i, sentence in enumerate(train):
        fold_of.setdefault(words(sentence), i % FOLDS)

    def run(*arguments):
        return subprocess.run([entente, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    for fold in range(runs):
        file = lambda name: os.path.join(folder, f"{fold}.{name}")
        measured = write(file("test.tsv"), [s for s in train if fold_of[words(s)] == fold])
        learned = write(file("train.tsv"), [s for s in train if fold_of[words(s)] != fold])
        more = write(file("extra.tsv"), [s for s in extra if fold_of.get(words(s)) != fold])
        run("train", "entities", "--train", learned, "--extra", more, "-o", file("entities.model"))
        run("train", "relations", "--train", learned, "--extra", more, "--set", "features=26000", "--no-meanings", "-o",
            file("relations.model"))
        for mentions in ("own", "entities"):
            print(f"fold {fold}, --mentions {mentions}")
            print(run("evaluate", "relations", "--from-text", measured, "--mentions", mentions, "-m",
                      file("relations.model"), "-m", file("entities.model")), flush=True)


main()
