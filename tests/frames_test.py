"""A FrameNet release in, frames out, through the command: training, resuming, rules, formats, bad releases."""
import html.parser
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ENTENTE = os.environ["ENTENTE"]
SOURCE = os.environ["ENTENTE_SOURCE"]
MINI = os.path.join(SOURCE, "tests/data/framenet-mini")
ENGLISH = os.path.join(SOURCE, "models/english.model")
SENTENCE = "Anna resembles her sister."


@unittest.skipUnless(os.path.exists(ENGLISH), "no models/english.model")
class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        done = cls.run_entente(*cls.training("mini.model"))
        assert done.returncode == 0, done.stderr

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def training(cls, name, *more):
        return ["train", "frames", "--framenet", MINI, "--docs", os.path.join(MINI, "train.docs"), "-m", ENGLISH,
                "-o", cls.path(name), "--set", "size=16", *more]

    @staticmethod
    def run_entente(*arguments, **options):
        return subprocess.run([ENTENTE, *arguments], capture_output=True, text=True, timeout=250, **options)

    def parse(self, *arguments):
        return self.run_entente("parse", "-m", ENGLISH, "-m", self.path("mini.model"), "--layers", "frames", *arguments)

    def frames_of(self, *arguments):
        done = self.parse("--to", "jsonl", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [f for line in done.stdout.splitlines() for f in json.loads(line)["frames"]]

    def evaluate(self, *arguments, docs="dev.docs"):
        return self.run_entente("evaluate", "frames", "--framenet", MINI, "--docs", os.path.join(MINI, docs), "-m", ENGLISH,
                                "-m", self.path("mini.model"), *arguments)

    def test_learns_the_small_release(self):
        done = self.evaluate("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = json.loads(done.stdout)
        self.assertGreater(scores["gold_frames"]["arguments"]["f1"], 75)
        self.assertGreater(scores["gold_targets"]["frames"]["f1"], 85)
        self.assertGreater(scores["text"]["targets"]["f1"], 85)
        self.assertGreater(scores["candidates"]["recall"], 90)
        self.assertEqual(scores["gold_frames"]["arguments"]["gold"], 39)

    def test_predictions_leave_out_places_of_texts_that_are_not_there(self):
        done = self.evaluate("--gold-frames", "--predictions", self.path("predictions.jsonl"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("predictions.jsonl")) as file:
            lines = file.read()
        self.assertIn('"arguments"', lines)
        self.assertNotIn('"begin"', lines)
        self.assertNotIn('"end"', lines)

    def test_compares_decoders_and_exact_ones_break_no_rule(self):
        done = self.evaluate("--gold-frames", "--decoder", "all", "--runs", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.strip()}
        names = ["local", "beam_2", "beam_100", "beam_10000", "ad3", "ad3_exact", "ad3_positions",
                 "ad3_positions_exact", "ad3_positions_exact_uncached", "exact"]
        for name in names:
            self.assertIn(name, rows)
        exact = [n for n in names + ["ilp"] if n in rows and ("exact" in n or n == "ilp") and "left" not in rows[n]]
        self.assertGreaterEqual(len(exact), 4)
        for name in exact:  # after six scores: overlap, requires, excludes
            self.assertEqual(rows[name][7:10], ["0", "0", "0"], name)
            self.assertEqual(rows[name][-1], "100.0%", name)
            self.assertEqual(rows[name][1:7], rows["exact"][1:7], name)

    def test_same_model_and_output_for_any_threads(self):
        done = self.run_entente(*self.training("one.model", "--threads", "1"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("one.model"), "rb") as a, open(self.path("mini.model"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        text = self.path("text.txt")
        with open(text, "w") as f:
            f.write("\n\n".join([SENTENCE] * 40))
        outputs = {self.parse(text, "--to", "jsonl", "--threads", n).stdout for n in ["1", "3"]}
        self.assertEqual(len(outputs), 1)

    def test_exemplars_are_learned_from_and_resumed(self):
        arguments = self.training("more.model", "--exemplars")
        process = subprocess.Popen([ENTENTE, *arguments, "--verbose"], stderr=subprocess.PIPE, text=True)
        for line in process.stderr:  # after an epoch there is something to go on from
            if "epoch 1" in line:
                process.send_signal(signal.SIGINT)
                break
        process.communicate(timeout=250)
        if process.returncode == 130:
            self.assertTrue(os.path.isdir(self.path("more.model.work")))
            self.assertFalse(os.path.exists(self.path("more.model")))
        done = self.run_entente(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(self.path("more.model.work")))
        whole = self.run_entente(*self.training("whole.model", "--exemplars"))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        with open(self.path("more.model"), "rb") as a, open(self.path("whole.model"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_finds_the_two_that_resemble_each_other(self):
        frames = self.frames_of(SENTENCE)
        self.assertEqual([f["frame"] for f in frames], ["Similarity"])
        self.assertTrue(frames[0]["proven"])
        roles = {a["role"]: a["text"] for a in frames[0]["arguments"]}
        self.assertEqual(roles.get("Entity_1"), "Anna")
        self.assertEqual(roles.get("Entity_2"), "her sister")

    def test_rules_are_switched_at_decision_time(self):
        # Entities excludes Entity_1 and Entity_2: if it must be there, they cannot.
        required = self.frames_of(SENTENCE, "--require", "Similarity:Entities")
        self.assertEqual({a["role"] for a in required[0]["arguments"]} & {"Entities", "Entity_1", "Entity_2"}, {"Entities"})
        self.assertNotIn("wish_dropped", required[0])
        both = self.frames_of(SENTENCE, "--require", "Similarity:Entities", "--require", "Similarity:Entity_1")
        self.assertEqual((both[0]["proven"], both[0]["wish_dropped"]), (False, True))
        # Entity_1 and Entity_2 require each other: without one, the other goes too.
        forbidden = self.frames_of(SENTENCE, "--forbid", "Entity_2")
        self.assertNotIn("Entity_1", {a["role"] for a in forbidden[0]["arguments"]})
        free = self.frames_of(SENTENCE, "--forbid", "Entity_2", "--without", "requires")
        self.assertIn("Entity_1", {a["role"] for a in free[0]["arguments"]})
        text = "The boys resemble each other."
        self.assertIn(self.frames_of(text)[0]["frame"], ["Similarity"])

    def test_proofs_of_all_layers_verify(self):
        file = self.path("proofs.jsonl")
        done = self.parse("--to", "jsonl", SENTENCE, "The boys resemble each other.", "--certificate", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(file, encoding="utf-8") as lines:
            names = [json.loads(line).get("name") for line in lines][::2]
        self.assertIn("frames", names)
        self.assertIn("dependency", names)
        self.assertEqual(self.run_entente("verify", file).returncode, 0)
        second = subprocess.run(["python3", os.path.join(SOURCE, "tools/check_certificate.py"), file], capture_output=True,
                                text=True, timeout=250)
        self.assertEqual(second.returncode, 0, second.stdout + second.stderr)

    def test_explains_with_a_certificate_that_verifies(self):
        frame = self.frames_of(SENTENCE, "--explain")[0]
        why = frame["explanation"]
        self.assertGreaterEqual(frame["value"], why["runner_up"]["value"])
        self.assertTrue(any("excludes" in rule for rule in frame["rules"]))
        for name in ["problem", "certificate"]:
            with open(self.path(name + ".json"), "w") as f:
                f.write(why[name])
        done = self.run_entente("verify", self.path("problem.json"), self.path("certificate.json"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_format_shows_the_frame(self):
        for to in ["text", "jsonl", "semafor", "svg", "html", "conllu"]:
            done = self.parse(SENTENCE, "--to", to)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Similarity", done.stdout, to)
            self.assertIn("Entity_1", done.stdout, to)
        html.parser.HTMLParser().feed(self.parse(SENTENCE, "--to", "html").stdout)

    def test_odd_texts_are_parsed(self):
        for text in ["", "\n\n", ". , !", "a " * 300, "resembles, " * 5000, "Ωραία 😀 «ναι» resembles 中文。"]:
            name = self.path("odd.txt")
            with open(name, "w") as f:
                f.write(text)
            done = self.parse(name, "--to", "jsonl")
            self.assertEqual(done.returncode, 0, (text[:20], done.stderr))

    def refuses(self, expected, *arguments):
        done = self.run_entente(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn(expected, done.stderr)

    def test_bad_input_is_one_clear_line(self):
        parse = ["parse", "--layers", "frames", "-m", ENGLISH, "-m", self.path("mini.model"), SENTENCE]
        self.refuses("Similarity", *parse, "--require", "Similarty:Entities")
        self.refuses("Entity_1", *parse, "--require", "Similarity:Entity1")
        self.refuses("overlap", *parse, "--without", "overlapp")
        self.refuses("exact", *parse, "--decoder", "exakt")
        self.refuses("--layers", "parse", "-m", ENGLISH, SENTENCE, "--require", "Entities")
        self.refuses("did you mean \"frames\"", "parse", "--layers", "framse", "-m", ENGLISH, SENTENCE)
        self.refuses("--framenet", "train", "frames", "-o", self.path("x.model"))
        self.refuses("no such folder", "train", "frames", "--framenet", self.path("nowhere"), "-o", self.path("x.model"))
        self.refuses("Mini__Harbour", "evaluate", "frames", "--framenet", MINI, "--docs", self.write("list", "Mini__Harbor\n"),
                     "-m", ENGLISH, "-m", self.path("mini.model"))
        self.refuses("no setting", *self.training("x.model", "--set", "ratte=1"))
        self.refuses("cannot write", *self.training("no/such/folder.model"))

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def test_broken_releases_say_where(self):
        release = self.path("broken")
        shutil.copytree(MINI, release)
        with open(os.path.join(release, "fulltext", "Mini__Market.xml"), "a") as f:
            f.write("<sentence")
        self.refuses("Mini__Market.xml:", "train", "frames", "--framenet", release, "--docs",
                     os.path.join(MINI, "train.docs"), "-m", ENGLISH, "-o", self.path("x.model"))
        empty = self.path("empty")
        shutil.copytree(MINI, empty)
        for name in os.listdir(os.path.join(empty, "fulltext")):
            with open(os.path.join(empty, "fulltext", name), "w") as f:
                f.write('<fullTextAnnotation xmlns="http://framenet.icsi.berkeley.edu"></fullTextAnnotation>')
        self.refuses("no annotation", "train", "frames", "--framenet", empty, "-m", ENGLISH, "-o", self.path("x.model"))


if __name__ == "__main__":
    unittest.main()
