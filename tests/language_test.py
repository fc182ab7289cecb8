"""Text in, trees out, through the command: training, resuming, streaming, odd input, threads."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ENTENTE = os.environ["ENTENTE"]
SOURCE = os.environ["ENTENTE_SOURCE"]
SHIPPED = os.path.exists(os.path.join(SOURCE, "models", "english.model"))

NOUNS = ["dog", "cat", "farmer", "judge", "river", "engine", "letter", "pupil"]
VERBS = [("sees", "see"), ("paints", "paint"), ("likes", "like"), ("moves", "move")]
ADJECTIVES = ["old", "green", "quiet", "tall"]


def noun_phrase(rng, words, head):
    """Appends determiner, maybe adjectives, noun; returns the noun's index, its head left to fill in."""
    start = len(words)
    words.append([rng.choice(["the", "a"]), None, "DET", "DT", None, "det"])
    while rng.random() < 0.3:
        words.append([rng.choice(ADJECTIVES), None, "ADJ", "JJ", None, "amod"])
    noun = len(words)
    words.append([rng.choice(NOUNS), None, "NOUN", "NN", head, None])
    for i in range(start, noun):
        words[i][4] = noun + 1
    return noun


def sentence(rng, number):
    words = []
    subject = noun_phrase(rng, words, None)
    verb = len(words)
    form, lemma = rng.choice(VERBS)
    words.append([form, lemma, "VERB", "VBZ", 0, "root"])
    words[subject][4:6] = [verb + 1, "nsubj"]
    if rng.random() < 0.7:
        thing = noun_phrase(rng, words, verb + 1)
        words[thing][5] = "obj"
    if rng.random() < 0.4:
        words.append(["near", None, "ADP", "IN", None, "case"])
        case = len(words) - 1
        place = noun_phrase(rng, words, verb + 1)
        words[place][5] = "obl"
        words[case][4] = place + 1
    words.append([".", None, "PUNCT", ".", verb + 1, "punct"])
    words[0][0] = words[0][0].capitalize()
    words[0][1] = words[0][0].lower()
    text = " ".join(w[0] for w in words[:-1]) + "."
    lines = [f"# sent_id = s{number}", f"# text = {text}"]
    if number % 5 == 0:
        lines.insert(0, "# newpar")
    for i, (form, lemma, upos, xpos, head, relation) in enumerate(words):
        misc = "SpaceAfter=No" if i == len(words) - 2 else "_"
        lines.append("\t".join([str(i + 1), form, lemma or form, upos, xpos, "_", str(head), relation, "_", misc]))
    return "\n".join(lines) + "\n\n"


def treebank(count, seed):
    rng = random.Random(seed)
    return "".join(sentence(rng, i) for i in range(count))


class Language(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.write("train.conllu", treebank(150, 1))
        cls.write("dev.conllu", treebank(30, 2))
        done = cls.entente(*cls.training("toy.model"))
        assert done.returncode == 0, done.stderr

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def write(cls, name, text):
        with open(cls.path(name), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        return cls.path(name)

    @classmethod
    def entente(cls, *arguments, **options):
        return subprocess.run([ENTENTE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=280,
                              **options)

    @classmethod
    def training(cls, output, task="dependency", *more):
        return ("train", task, "--train", cls.path("train.conllu"), "--dev", cls.path("dev.conllu"), "-o",
                cls.path(output), "--epochs", "3", "--jackknife", "2", *more)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def parse(self, text, *arguments):
        to = () if "--to" in arguments else ("--to", "conllu")
        done = self.entente("parse", "-m", self.path("toy.model"), *to, *arguments,
                            input=text if isinstance(text, bytes) else text.encode())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_learns_its_language(self):
        self.assertEqual(os.listdir(self.folder.name).count("toy.model.work"), 0)
        system = self.path("system.conllu")
        done = self.entente("predict", "dependency", "-m", self.path("toy.model"), self.path("dev.conllu"), "-o",
                            system)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.entente("evaluate", "dependency", self.path("dev.conllu"), system, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = json.loads(done.stdout)
        for name in ("UPOS", "Lemmas", "UAS", "LAS"):
            self.assertGreater(scores[name]["f1"], 97, name)

    def test_a_stopped_training_goes_on_to_the_same_model(self):
        process = subprocess.Popen([ENTENTE, *self.training("stopped.model")], stderr=subprocess.PIPE)
        time.sleep(0.4)
        stops = 0
        while process.poll() is None and stops < 30:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
            if process.returncode == 0:
                break
            self.assertEqual(process.returncode, 130, errors)
            # What it says is so: before the first checkpoint there is nothing to go on from.
            work = self.path("stopped.model.work")
            kept = os.path.isdir(work) and len(os.listdir(work)) > 0
            self.assertIn(b"goes on" if kept else b"nothing is kept", errors)
            self.assertFalse(os.path.exists(self.path("stopped.model")))
            stops += 1
            process = subprocess.Popen([ENTENTE, *self.training("stopped.model")], stderr=subprocess.PIPE)
            time.sleep(0.4 + 0.2 * stops)  # each time a little further
        process.communicate(timeout=280)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.read("stopped.model"), self.read("toy.model"))

    def test_the_model_does_not_depend_on_threads(self):
        done = self.entente(*self.training("one.model", "dependency", "--threads", "1"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("one.model"), self.read("toy.model"))

    def test_unfinished_work_on_another_corpus_is_not_mixed_in(self):
        os.makedirs(self.path("mixed.model.work"))
        done = self.entente(*self.training("first.model", "tags"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("mixed.model.work/tags.part", self.read("first.model"))
        done = self.entente(*self.training("mixed.model", "tags"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--restart", done.stderr)
        self.assertEqual(self.entente(*self.training("mixed.model", "tags", "--restart")).returncode, 0)

    def test_parse_gives_offsets_tags_and_a_tree(self):
        out = self.parse("The old dog sees a cat. A judge likes the river.\n")
        self.assertIn("# text = The old dog sees a cat.", out)
        rows = [line.split("\t") for line in out.splitlines() if line and line[0] != "#"]
        self.assertTrue(all(len(row) == 10 for row in rows))
        self.assertEqual([row[1] for row in rows],
                         "The old dog sees a cat . A judge likes the river .".split())
        self.assertEqual(rows[2][3], "NOUN")
        self.assertEqual(rows[2][6:8], ["4", "nsubj"])
        lines = self.parse("The dog sees a cat.\n\nA cat moves.", "--to", "jsonl").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(json.loads(lines[1])["text"], "A cat moves.")

    def test_same_bytes_for_any_number_of_threads(self):
        text = "\n\n".join(" ".join(f"The {a} {n} sees a cat." for a in ADJECTIVES) for n in NOUNS * 20)
        one = self.parse(text, "--threads", "1")
        self.assertGreater(one.count("# text"), 300)
        self.assertEqual(self.parse(text, "--threads", "2"), one)
        self.assertEqual(self.parse(text, "--threads", "5"), one)

    def test_odd_texts(self):
        self.assertEqual(self.parse(""), "")
        self.assertEqual(self.parse(" \n\t\n \r\n"), "")
        self.assertIn("1\tdog\t", self.parse("dog"))
        self.assertEqual(self.parse("The dog sees a cat.\r\n\r\nA cat moves.\r\n"),
                         self.parse("The dog sees a cat.\n\nA cat moves.\n"))
        self.assertEqual(self.parse(b"\xef\xbb\xbfThe dog moves."), self.parse("The dog moves."))
        self.assertIn("1\tThe\t", self.parse("The\tdog\tmoves."))
        long = self.parse("dog " * 5000)
        self.assertEqual(sum(1 for line in long.splitlines() if line and line[0] != "#"), 5000)

    def test_bad_bytes_are_refused_or_replaced(self):
        bad = b"The dog \xff sees a cat."
        done = self.entente("parse", "-m", self.path("toy.model"), input=bad)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, rb"<stdin>:1:9: .*UTF-8")
        self.assertIn("\ufffd", self.parse(bad, "--lenient"))

    def test_bad_arguments_get_one_clear_line(self):
        for arguments, message in (
                (("parse", "-m", self.path("none.model"), "x y"), b"none.model"),
                (("parse", "-m", self.path("dev.conllu"), "x y"), b"not a model file"),
                (("parse", "-m", self.path("toy.model"), self.path("nothing.txt")), b"no such file"),
                (("parse", "-m", self.path("toy.model"), "--to", "pdf", "x y"), b"conllu"),
                (("parse", "-m", self.path("toy.model"), "-o", self.path("x.sgv"), "x y"), b'ending ".sgv"'),
                (("parse", "-m", self.path("toy.model"), "-o", self.path("x.zip"), "x y"), b".conllu, .jsonl"),
                (("align", "--combine", "posterior", "--near=-2", "--train", self.path("a"), self.path("b")), b"--near needs"),
                (("align", "--train", self.path("a"), self.path("b"), "-m", self.path("toy.model")), b"no -m beside"),
                (("evaluate", "alignment", self.write("gold.align", "0-0\n"), self.write("long.align", "0-0\n\n")),
                 b"of 1 sentences, the system's of 2"),
                (("evaluate", "ccg", self.write("one.auto", "ID=1 PARSER=GOLD NUMPARSE=1\n(<L NP x x x NP>)\n"),
                  self.write("none.auto", "")), b"none.auto: "),
                (("parse", "-m", self.path("toy.model"), "--layers", "frame", "x y"), b"frame"),
                (("train", "dependancy", "--train", "x", "-o", "y"), b"dependency"),
                (("train", "tags", "--train", self.path("train.conllu"), "-o", self.path("y"), "--set", "epoch=1"),
                 b"setting"),
                (("train", "tags", "--train", self.path("train.conllu"), "-o", "/nowhere/y"), b"/nowhere/y: cannot"),
                (("predict", "dependency", "-m", self.path("toy.model"), self.write("bad.conllu", "1\tx\n")),
                 b"bad.conllu:1")):
            done = self.entente(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_results_come_as_the_text_does(self):
        process = subprocess.Popen([ENTENTE, "parse", "-m", self.path("toy.model"), "--to", "jsonl"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3):
            process.stdin.write(b"The dog sees a cat.\n\n")
            process.stdin.flush()
            self.assertIn(b"dog", process.stdout.readline())  # before the next one is sent
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()

    def test_lines_are_answered_at_once(self):
        process = subprocess.Popen([ENTENTE, "parse", "-m", self.path("toy.model"), "--to", "jsonl", "--input", "lines"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3):
            process.stdin.write(b"The dog sees a cat. A cat moves.\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["text"], "The dog sees a cat. A cat moves.")
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()

    def test_several_inputs_say_where_sentences_come_from(self):
        files = [self.write("a.txt", "The dog moves.\n\nA cat moves."), self.write("b.txt", "A \x1b[31mcat moves.")]
        out = self.parse("", *files)
        self.assertIn(f"# newdoc id = {files[0]}", out)
        self.assertIn("# sent_id = a.txt-2.1", out)
        self.assertEqual([json.loads(line)["document"] for line in self.parse("", *files, "--to", "jsonl").splitlines()],
                         [files[0], files[0], files[1]])
        for to in ("text", "html", "svg"):
            drawn = self.parse("", *files, "--to", to)
            self.assertIn("b.txt", drawn)
            self.assertIn("a.txt-2.1", drawn)
            self.assertNotIn("\x1b", drawn)
        self.assertIn("3\tmoves\t", self.parse("", "--input", "tokens", "--text", "The dog moves ."))
        self.assertIn("1\tdog\t", self.parse("", "--text", "dog"))
        for missing in ("the dog.txt", "./the dog", "dog", "my dogs.conllu.gz"):  # none is taken for a sentence
            done = self.entente("parse", "-m", self.path("toy.model"), missing)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"no such file; a text is given by --text", done.stderr)
        done = self.entente("parse", "-m", self.path("toy.model"), "--text", "dog", "-o", self.path("dog.svg"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.read("dog.svg").startswith(b"<svg"))

    def test_ctrl_c_keeps_what_is_done(self):
        out = self.path("stopped.conllu")
        process = subprocess.Popen([ENTENTE, "parse", "-m", self.path("toy.model"), "-o", out], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdin.write(b"The dog moves.\n\n" * 50)
        process.stdin.flush()
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)  # with its input still open: the end of that would end it, too
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertGreater(self.read("stopped.conllu").count(b"# text"), 0)

    def test_pictures(self):
        svg = self.parse("The dog sees a cat.", "--to", "svg")
        self.assertTrue(svg.startswith("<svg"))
        self.assertIn("nsubj", svg)
        self.assertIn("<html", self.parse("The dog sees a cat.", "--to", "html"))

    @unittest.skipUnless(SHIPPED, "no models/english.model")
    def test_the_shipped_model_parses(self):
        done = self.entente("parse", "--to", "conllu", input=b"Austria is elbowing its partners.")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split("\t") for line in done.stdout.decode().splitlines() if line and line[0] != "#"]
        self.assertEqual([row[1] for row in rows], ["Austria", "is", "elbowing", "its", "partners", "."])
        self.assertEqual([row[6] for row in rows], ["3", "3", "0", "5", "3", "3"])
        self.assertEqual(rows[4][2], "partner")
        self.assertEqual(rows[4][7], "obj")


if __name__ == "__main__":
    unittest.main(verbosity=1)
