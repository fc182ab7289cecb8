#!/usr/bin/env python3
"""CCG derivations as bracketed trees and back: what the constituency parser makes of CCG.

    tools/ccg_trees.py trees train.auto.gz > train.mrg          # (S (NP (NP/NP the) (NP cat)) ...)
    tools/ccg_trees.py derivations gold.auto.gz parsed.mrg > parsed.auto
    tools/ccg_trees.py petrov ENTENTE CORPUS/ewt FOLDER [SENTENCES]    # the paper's Petrov row

Categories are the labels of phrases and, over words, the parts of speech; what brackets and hyphens
mean in trees is written with other signs. Trees that are no derivations (a node with three
children) are left out: `entente evaluate ccg` then counts the sentence as not parsed.
`petrov` trains the constituency parser on the derivations of CORPUS-train.auto.gz, parses
CORPUS-dev.auto.gz, and scores the dependencies that our grammar finds in its trees.
"""
import gzip
import re
import subprocess
import sys

TOKEN = re.compile(r"\(<T (\S+) (\d) (\d)>|\(<L (\S+) (\S+) (\S+) (\S+) (\S+)>\)|\)")
WORD = "_"  # before categories of words: symbols are either phrases or parts of speech
BROKEN = re.compile(r"[.,]\(|\)\(")  # no slash where there must be one
SIGNS = str.maketrans("()-=|", "{}~#^")
BACK = str.maketrans("{}~#^", "()-=|")


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")


def derivations(path):
    """(ID line, line of the derivation), one after the other, but for those with broken categories."""
    with open_text(path) as lines:
        for header in lines:
            line = next(lines).rstrip("\n")
            categories = [t.group(1) or t.group(4) for t in TOKEN.finditer(line)]
            if not any(c and BROKEN.search(c) for c in categories):
                yield header.rstrip("\n"), line


def as_tree(line):
    out = []
    for token in TOKEN.finditer(line):
        if token.group(1):
            out.append("(" + token.group(1).translate(SIGNS))
        elif token.group(4):
            word = token.group(7).replace("(", "-LRB-").replace(")", "-RRB-")
            out.append("(%s%s %s)" % (WORD, token.group(4).translate(SIGNS), word))
        else:
            out.append(")")
    return "( " + " ".join(out) + " )"


def write_trees(path, out, most=0):
    for number, (_, line) in enumerate(derivations(path)):
        if most and number >= most:
            break
        out.write(as_tree(line) + "\n")


def trees(path):
    """Nested lists [label, child, ...], words as strings."""
    stack = [[]]
    with open_text(path) as lines:
        for token in re.findall(r"[()]|[^\s()]+", lines.read()):
            if token == "(":
                stack.append([])
            elif token == ")":
                done = stack.pop()
                if len(stack) == 1:
                    while len(done) == 1 and isinstance(done[0], list):
                        done = done[0]
                    yield done
                else:
                    stack[-1].append(done)
            else:
                stack[-1].append(token)


def as_derivation(tree, words):
    """The line of a tree; None if it is no derivation. Takes the words from the gold sentence."""
    label = tree[0].translate(BACK) if isinstance(tree[0], str) else None
    children = tree[1:]
    if label is None or not 1 <= len(children) <= 2:
        return None
    if isinstance(children[0], str):
        word, label = next(words, None), label.removeprefix(WORD)
        return None if word is None else "(<L %s X X %s %s>)" % (label, word, label)
    inner = [as_derivation(child, words) for child in children]
    if None in inner:
        return None
    return "(<T %s 0 %d> %s )" % (label, len(inner), " ".join(inner))


def write_derivations(gold, parsed, out):
    kept = left_out = 0
    for (header, line), tree in zip(derivations(gold), trees(parsed)):
        words = [t.group(7) for t in TOKEN.finditer(line) if t.group(4)]
        rest = iter(words)
        found = as_derivation(tree, rest)
        if found is None or next(rest, None) is not None:
            left_out += 1
            continue
        kept += 1
        out.write(header + "\n" + found + "\n")
    sys.stderr.write("%d derivations, %d trees left out\n" % (kept, left_out))


def petrov(entente, corpus, folder, most):
    train, model = folder + "/petrov-train.mrg", folder + "/petrov.model"
    parsed, system = folder + "/petrov-dev.mrg", folder + "/petrov-dev.auto"
    gold = folder + "/petrov-gold.auto"
    with open(gold, "w", encoding="utf-8") as out:
        for header, line in derivations(corpus + "-dev.auto.gz"):
            out.write(header + "\n" + line + "\n")
    with open(train, "w", encoding="utf-8") as out:
        write_trees(corpus + "-train.auto.gz", out, most)
    subprocess.run([entente, "train", "constituency", "--train", train, "-o", model], check=True)
    # The likeliest tree: one of minimum risk leaves brackets out.
    subprocess.run([entente, "predict", "constituency", gold, "-m", model, "--tree-decoder", "best",
                    "--to", "bracket", "-o", parsed], check=True)
    with open(system, "w", encoding="utf-8") as out:
        write_derivations(gold, parsed, out)
    subprocess.run([entente, "evaluate", "ccg", gold, system], check=True)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "trees":
        write_trees(arguments[1], sys.stdout)
    elif len(arguments) == 3 and arguments[0] == "derivations":
        write_derivations(arguments[1], arguments[2], sys.stdout)
    elif len(arguments) in (4, 5) and arguments[0] == "petrov":
        petrov(*arguments[1:4], int(arguments[4]) if len(arguments) == 5 else 0)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
