"""nlp.pipe beside the command on the same text: processor time, so that a loaded machine does not matter much.

  PYTHONPATH=build/python python3 python/bench/pipe.py TEXT build/entente [layer...]

TEXT has paragraphs between empty lines; each is a text for pipe(). The command writes CoNLL-U (or JSON lines, with other
layers than dependency) to /dev/null. One thread, both loads included; the best of three runs each.
"""
import os
import subprocess
import sys

import entente


def spent(who):
    t = os.times()
    return t.user + t.system if who == "self" else t.children_user + t.children_system


def by_pipe(path, layers):
    begin = spent("self")
    with open(path, encoding="utf-8") as file:
        texts = file.read().split("\n\n")
    nlp = entente.load("english", *layers)
    words = sum(doc.word_count for doc in nlp.pipe(texts))
    return spent("self") - begin, words


def by_command(path, entente_command, layers):
    begin = spent("children")
    more = ["--layers", ",".join(layers), "--to", "jsonl"] if layers else []
    subprocess.run([entente_command, "parse", path, "-o", "/dev/null", "--threads", "1", *more], check=True)
    return spent("children") - begin


def main():
    path, command, layers = sys.argv[1], sys.argv[2], sys.argv[3:]
    times, words = zip(*(by_pipe(path, layers) for _ in range(3)))
    other = min(by_command(path, command, layers) for _ in range(3))
    print("pipe %.0f words a second, the command %.0f: %.2f times" % (
        words[0] / min(times), words[0] / other, other / min(times)))


main()
