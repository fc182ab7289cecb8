"""Entities and relations through the command: training, prediction, cross-validation, bad input."""
import json
import os
import random
import subprocess
import tempfile
import unittest

ENTENTE = os.environ["ENTENTE"]
SOURCE = os.environ["ENTENTE_SOURCE"]
SHIPPED = os.path.exists(os.path.join(SOURCE, "models", "english.model"))

PEOPLE = ["Ada/Moor", "Tom/Birk", "Lena/Ohm", "Karl/Wied", "Ines/Roca", "Hugo/Falk"]
PLACES = ["Lund", "Brest", "Gera", "Oulu", "Tula", "Vigo"]
FIRMS = ["Nordex/Corp.", "Balt/Bank", "Ferro/Corp.", "Osprey/Inc."]
KINDS = [("Loc", PLACES, "in", "Loc", PLACES, "Located_In"), ("Peop", PEOPLE, "lives in", "Loc", PLACES, "Live_In"),
         ("Peop", PEOPLE, "works for", "Org", FIRMS, "Work_For"), ("Org", FIRMS, "based in", "Loc", PLACES, "OrgBased_In"),
         ("Peop", PEOPLE, "shot", "Peop", PEOPLE, "Kill")]
TYPES = {k[5]: (k[0], k[3]) for k in KINDS}


def corpus(count, seed):
    rng = random.Random(seed)
    out = []
    for number in range(count):
        head, heads, words, tail, tails, relation = rng.choice(KINDS)
        rows = [(head, rng.choice(heads))] + [("O", w) for w in words.split()] + [(tail, rng.choice(tails))]
        end = len(rows) - 1
        rows.append(("O", rng.choice(["today", "again", "COMMA"])))
        for i, (label, text) in enumerate(rows):
            tags = "IN" if label == "O" else "/".join(["NNP"] * (text.count("/") + 1))
            out.append(f"{number}\t{label}\t{i}\tO\t{tags}\t{text}\tO\tO\tO\n")
        out.append(f"\n0\t{end}\t{relation}\n\n")
    return "".join(out)


def run(*arguments, code=0, text=None):
    done = subprocess.run([ENTENTE, *arguments], input=text, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


class Relations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = lambda _, name: os.path.join(cls.folder.name, name)
        cls.train = os.path.join(cls.folder.name, "train.tsv")
        cls.test = os.path.join(cls.folder.name, "test.tsv")
        cls.model = os.path.join(cls.folder.name, "er.model")
        for path, count, seed in ((cls.train, 80, 1), (cls.test, 40, 2)):
            with open(path, "w") as file:
                file.write(corpus(count, seed))
        run("train", "relations", "--train", cls.train, "-o", cls.model, "--set", "names=none", "--threads", "1")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_model_does_not_depend_on_threads(self):
        again = self.path("again.model")
        run("train", "relations", "--train", self.train, "-o", again, "--set", "names=none", "--threads", "3")
        with open(self.model, "rb") as a, open(again, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_predictions_are_coherent_and_mostly_right(self):
        lines = run("predict", "relations", "-m", self.model, self.test).stdout.splitlines()
        self.assertEqual(len(lines), 40)
        for line in lines:
            answer = json.loads(line)
            self.assertEqual(answer["status"], "optimal")
            types = {e["id"]: e["type"] for e in answer["entities"]}
            for e in answer["entities"]:
                self.assertEqual(answer["text"][e["start"]:e["end"]], e["text"])
                self.assertTrue(0 <= e["confidence"] <= 1)
            for r in answer["relations"]:
                self.assertEqual((types[r["head"]], types[r["tail"]]), TYPES[r["type"]])
        tsv = self.path("system.tsv")
        run("predict", "relations", "-m", self.model, self.test, "--to", "tsv", "-o", tsv)
        scores = json.loads(run("evaluate", "relations", self.test, tsv, "--json").stdout)
        self.assertGreater(scores["mean_relation_f1"], 80)
        self.assertGreater(scores["mean_entity_f1"], 90)
        perfect = json.loads(run("evaluate", "relations", self.test, self.test, "--json").stdout)
        self.assertEqual(perfect["mean_relation_f1"], 100)

    def test_threads_give_the_same_bytes(self):
        one = run("predict", "relations", "-m", self.model, self.test, "--threads", "1").stdout
        three = run("predict", "relations", "-m", self.model, self.test, "--threads", "3").stdout
        self.assertEqual(one, three)

    def test_a_required_relation_occurs(self):
        lines = run("predict", "relations", "-m", self.model, self.test, "--require", "kill").stdout.splitlines()
        for line in lines:
            self.assertIn("Kill", [r["type"] for r in json.loads(line)["relations"]])

    def test_rules_can_be_switched_off(self):
        off = run("predict", "relations", "-m", self.model, self.test, "--require", "kill", "--without-rule", "head_type",
                  "--without-rule", "tail_type").stdout
        self.assertEqual(len(off.splitlines()), 40)

    def test_cross_validation_is_the_same_for_any_threads(self):
        common = ["evaluate", "relations", "--cv", "4", self.train, "--no-times", "--set", "names=none", "--set",
                  "iterations=20"]
        one = run(*common, "--threads", "1").stdout
        self.assertEqual(one, run(*common, "--threads", "3").stdout)
        self.assertIn("4-fold cross-validation, 80 sentences", one)
        result = json.loads(run(*common, "--json").stdout)
        self.assertEqual(result["global"]["quality"], 100)
        self.assertEqual(result["global"]["no_rule_broken"], 100)
        self.assertEqual(set(result["forced"]), set(TYPES))

    def test_times_are_told(self):
        text = run("evaluate", "relations", "--cv", "2", self.train, "--set", "names=none", "--set", "iterations=5").stdout
        self.assertIn("exact", text)
        self.assertIn("Time of decoding 80 sentences", text)

    def test_extra_sentences_and_winnow(self):
        extra = self.path("extra.tsv")
        with open(extra, "w") as file:
            file.write("1\tLoc\t0\tO\tNNP\tTurku\tO\tO\tO\n\n\n")
        run("train", "relations", "--train", self.train, "--extra", extra, "-o", self.path("w.model"), "--set",
            "learner=winnow", "--set", "names=none")
        self.assertTrue(run("predict", "relations", "-m", self.path("w.model"), self.test).stdout)

    @unittest.skipUnless(SHIPPED, "no models/english.model here")
    def test_raw_text(self):
        text = "Über Ada Moor lives in Lund.\n\nTom Birk shot Lena Ohm.\n"
        with open(self.path("raw.txt"), "w") as file:
            file.write(text)
        names = self.path("names.model")
        run("train", "entities", "--train", self.train, "-o", names, "--set", "names=none", "--threads", "1")
        models = ["-m", self.model, "-m", names]
        lines = run("predict", "relations", *models, self.path("raw.txt")).stdout.splitlines()
        found = []
        for line in lines:
            answer = json.loads(line)
            for e in answer["entities"]:
                self.assertEqual(text[e["start"]:e["end"]], e["text"])
            found += [r["type"] for r in answer["relations"]]
        self.assertIn("Kill", found)
        own = run("predict", "relations", *models, "--mentions", "own", "--text", "Tom Birk shot Lena Ohm.").stdout
        self.assertEqual(json.loads(own)["relations"][0]["type"], "Kill")
        # Entities alone: the same model for any threads, found again in text, measured with exact places.
        again = self.path("again.model")
        run("train", "entities", "--train", self.train, "-o", again, "--set", "names=none", "--threads", "3")
        with open(names, "rb") as a, open(again, "rb") as b:
            self.assertEqual(a.read(), b.read())
        parsed = json.loads(run("parse", "--layers", "entities", "-m", names, "--text", "Tom Birk shot Lena Ohm yesterday.").stdout)
        self.assertEqual([(e["type"], e["start"], e["end"]) for e in parsed["entities"]], [("Peop", 0, 8), ("Peop", 14, 22)])
        scores = json.loads(run("evaluate", "entities", self.test, "-m", names, "--json").stdout)
        self.assertGreater(scores["typed"]["f1"], 85)
        held_out = ["evaluate", "entities", "--cv", "2", self.train, "--set", "names=none", "--set", "passes=3", "--json"]
        one = run(*held_out, "--threads", "1").stdout
        self.assertEqual(one, run(*held_out, "--threads", "3").stdout)
        self.assertGreater(json.loads(one)["typed"]["f1"], 60)
        text_scores = json.loads(run("evaluate", "relations", "--from-text", self.test, *models, "--json").stdout)
        self.assertGreater(text_scores["relations"]["f1"], 60)
        for to in ("text", "conllu", "svg", "html", "tsv"):
            self.assertIn("Kill", run("predict", "relations", *models, "--text", "Tom Birk shot Lena Ohm.", "--to", to).stdout)

    def test_bad_input_is_an_error_of_one_line(self):
        bad = self.path("bad.tsv")
        with open(bad, "w") as file:
            file.write("1\tLoc\t0\tO\tNNP\tLund\tO\tO\tO\n\n0\t7\tKill\n")
        cases = [(["train", "relations", "--train", bad, "-o", self.path("x.model")], "bad.tsv:3:3: expected a row"),
                 (["predict", "relations", "-m", self.model, bad], "bad.tsv:3:3: expected a row"),
                 (["predict", "relations", "-m", self.train, self.test], "train.tsv"),
                 (["predict", "relations", "-m", self.model, self.test, "--require", "kil"], "did you mean"),
                 (["predict", "relations", "-m", self.model, self.test, "--to", "pdf"], "unknown output format"),
                 (["predict", "relations", "-m", self.model, self.test, "--without-rule", "x"], "no rule is called"),
                 (["evaluate", "relations", self.train], "second file"),
                 (["evaluate", "relations", self.train, self.test], "expected 80 sentences"),
                 (["evaluate", "relations", self.train, "--cv", "81"], "cannot be cut into 81 folds"),
                 (["train", "relations", "--train", self.train, "-o", self.path("x.model"), "--set", "l3=1"],
                  "has no setting")]
        for arguments, expected in cases:
            done = run(*arguments, code=2)
            self.assertIn(expected, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(os.path.exists(self.path("x.model")))


if __name__ == "__main__":
    unittest.main()
