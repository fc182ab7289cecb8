"""What transcripts cannot say about the command: signals, pipes, terminals, threads."""
import json
import os
import pty
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ENTENTE = os.environ["ENTENTE"]
SOURCE = os.environ["ENTENTE_SOURCE"]


def entente(*arguments, **options):
    return subprocess.run([ENTENTE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          **options)


def random_problem(rng, size=6):
    """A few groups, pairs of states that do not go together, and a free variable."""
    groups = {f"g{i}": {f"s{j}": round(rng.gauss(0, 1), 3) for j in range(3)} for i in range(size)}
    factors = []
    for _ in range(2 * size):
        a, b = rng.sample(range(size), 2)
        factors.append({"kind": "not_both", "rule": f"pair {a} {b}",
                        "literals": [f"g{a}=s{rng.randrange(3)}", f"g{b}=s{rng.randrange(3)}"]})
    return {"groups": groups, "variables": {"free": 0.5}, "factors": factors}


def hard_problem(rng, size):
    """Maximum independent set on a dense random graph of odd cycles: minutes or hours of search."""
    variables = {f"v{i}": 1 + rng.random() / 50 for i in range(size)}
    factors = [{"kind": "not_both", "literals": [f"v{i}", f"v{j}"]}
               for i in range(size) for j in range(i) if rng.random() < 0.1]
    return {"variables": variables, "factors": factors}


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)
        return self.path(name)

    def random_lines(self, count, seed=1):
        rng = random.Random(seed)
        return "".join(json.dumps(random_problem(rng)) + "\n" for _ in range(count))

    def test_same_bytes_for_any_number_of_threads(self):
        file = self.write("p.jsonl", self.random_lines(300))
        one = entente("solve", file, "--threads", "1", "--explain")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout.count(b"\n"), 300)
        for threads in ("2", "5"):
            self.assertEqual(entente("solve", file, "--threads", threads, "--explain").stdout, one.stdout)
        with open(file) as stdin:
            self.assertEqual(entente("solve", "-", "--explain", stdin=stdin).stdout, one.stdout)

    def test_results_are_what_json_says(self):
        file = self.write("p.jsonl", self.random_lines(50, seed=2))
        lines = entente("solve", file, "--k-best", "2", "--margins").stdout.splitlines()
        with open(file) as problems:
            texts = problems.readlines()
        self.assertEqual(len(lines), len(texts))
        for line, text in zip(lines, texts):
            answer, problem = json.loads(line), json.loads(text)
            self.assertEqual(answer["status"], "optimal")
            chosen = answer["assignment"]
            value = sum(problem["groups"][g][chosen[g]] for g in problem["groups"]) + 0.5 * chosen["free"]
            self.assertAlmostEqual(answer["value"], value, places=9)
            self.assertAlmostEqual(answer["gap"], answer["bound"] - answer["value"], places=12)
            for factor in problem["factors"]:
                holds = [chosen[l.split("=")[0]] == l.split("=")[1] for l in factor["literals"]]
                self.assertFalse(all(holds))
            self.assertEqual(answer["k_best"][0]["value"], answer["value"])
            self.assertLessEqual(answer["k_best"][1]["value"], answer["value"])
            # The second best is the best with some decision otherwise.
            losses = [m for m in answer["margins"].values() if m is not None]
            self.assertAlmostEqual(answer["value"] - answer["k_best"][1]["value"], min(losses), places=6)

    def test_results_come_as_the_problems_do(self):
        process = subprocess.Popen([ENTENTE, "solve", "-", "--format", "jsonl"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        for line in self.random_lines(5).splitlines(keepends=True):
            process.stdin.write(line.encode())
            process.stdin.flush()
            self.assertIn(b"optimal", process.stdout.readline())  # before the next one is sent
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()

    def test_a_closed_pipe_ends_quietly(self):
        file = self.write("p.jsonl", self.random_lines(2000))
        done = subprocess.run(["bash", "-c", '"$0" solve "$1" | head -2; exit ${PIPESTATUS[0]}', ENTENTE, file],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.stdout.count(b"\n"), 2)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.returncode, 0)

    def test_ctrl_c_gives_the_best_so_far(self):
        file = self.write("hard.json", json.dumps(hard_problem(random.Random(4), 300)))
        output = self.path("answer.json")
        for signum in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([ENTENTE, "solve", file, "--no-explain", "-o", output],
                                       stderr=subprocess.PIPE)
            time.sleep(2)
            self.assertIsNone(process.poll(), "solved too soon to be interrupted")
            process.send_signal(signum)
            _, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 128 + signum, errors)
            self.assertEqual(errors, b"")
            with open(output) as file_:
                answer = json.load(file_)
            self.assertIn(answer["status"], ("feasible", "unknown"))
            if answer["status"] == "feasible":
                self.assertGreaterEqual(answer["bound"], answer["value"])
            self.assertEqual(sorted(os.listdir(self.folder.name)), ["answer.json", "hard.json"])

    def test_a_second_ctrl_c_leaves_no_unfinished_file(self):
        file = self.write("hard.json", json.dumps(hard_problem(random.Random(4), 300)))
        for _ in range(3):
            process = subprocess.Popen([ENTENTE, "solve", file, "--certificate", self.path("c.json"), "-o",
                                        self.path("answer.json")], stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
            self.assertIn(process.returncode, (130, -signal.SIGINT))
            self.assertLessEqual(set(os.listdir(self.folder.name)), {"answer.json", "c.json", "hard.json"})

    def test_ctrl_c_ends_a_text_of_many_sentences(self):
        words = "the a old small red house garden river sees finds keeps gives dog cat man and but with".split()
        r = random.Random(5)
        file = self.write("long.txt", " ".join(r.choice(words) for _ in range(400_000)))
        if subprocess.run([ENTENTE, "models", "english"], capture_output=True).returncode != 0:
            self.skipTest("no model")
        process = subprocess.Popen([ENTENTE, "parse", file, "-o", self.path("long.conllu")], stderr=subprocess.PIPE)
        time.sleep(2)
        self.assertIsNone(process.poll(), "parsed too soon to be interrupted")
        process.send_signal(signal.SIGTERM)
        start = time.time()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        with open(ENTENTE, "rb") as program:  # TSan makes a sentence of 2,000 words take a while
            patience = 60 if b"__tsan_init" in program.read() else 5
        self.assertLess(time.time() - start, patience)
        with open(self.path("long.conllu")) as whole:
            self.assertIn(whole.read()[-2:], ("", "\n\n"))

    def test_proofs_are_read_whatever_their_file_is_called(self):
        file = self.write("some.jsonl", self.random_lines(3))
        for name in ("c.proofs", "c.jsonl"):
            done = subprocess.run([ENTENTE, "solve", file, "--certificate", self.path(name), "--quiet"])
            self.assertEqual(done.returncode, 0)
            checker = os.path.join(SOURCE, "tools", "check_certificate.py")
            done = subprocess.run([sys.executable, checker, self.path(name)], capture_output=True, text=True)
            self.assertEqual((done.stdout, done.returncode), ("3 certificates, all optimal or infeasible\n", 0))

    def test_ctrl_c_ends_a_wait_for_input(self):
        for threads in ("1", "3"):
            process = subprocess.Popen([ENTENTE, "solve", "-", "--format", "jsonl", "--threads", threads],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(self.random_lines(1).encode())
            process.stdin.flush()
            self.assertIn(b"optimal", process.stdout.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130)
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()

    def test_time_limit_is_kept(self):
        file = self.write("hard.json", json.dumps(hard_problem(random.Random(5), 300)))
        start = time.time()
        done = entente("solve", file, "--no-explain", "--time-limit", "0.5")
        self.assertLess(time.time() - start, 15)
        answer = json.loads(done.stdout)
        self.assertIn(answer["status"], ("feasible", "unknown"))
        self.assertEqual(done.returncode, 0 if answer["status"] == "feasible" else 1)

    def on_terminal(self, *arguments, **environment):
        master, slave = pty.openpty()
        env = dict(os.environ, TERM="xterm", **environment)
        if "NO_COLOR" not in environment:
            env.pop("NO_COLOR", None)
        process = subprocess.Popen([ENTENTE, *arguments], stdout=slave, stderr=subprocess.PIPE, env=env)
        os.close(slave)
        out = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            out += piece
        os.close(master)
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 0)
        return out.decode()

    def test_tables_and_colours_are_for_terminals(self):
        example = SOURCE + "/examples/kill.json"
        self.assertIn("\033[", self.on_terminal("solve", example))
        self.assertIn("KFJ", self.on_terminal("solve", example))
        plain = self.on_terminal("solve", example, NO_COLOR="1")
        self.assertNotIn("\033[", plain)
        self.assertIn("nothing is worth more", plain)
        self.assertEqual(json.loads(self.on_terminal("solve", example, "--json"))["status"], "optimal")
        self.assertNotIn(b"\033[", entente("solve", example, "--table").stdout)

    def test_files_without_write_permission_are_left_alone(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        file = self.write("old.json", "old")
        os.chmod(file, 0o444)
        done = entente("solve", SOURCE + "/examples/kill.json", "-o", file)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"permission denied", done.stderr)
        self.assertEqual(open(file).read(), "old")

    def test_demo_shows_five_decoders_and_a_proof(self):
        done = entente("demo", "--directory", self.path("demo"), "--write-examples", self.path("examples"))
        text = done.stdout.decode()
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("local", "beam 2", "ad3", "subgradient", "exact", "Partner_1 requires Partner_2",
                     "checked without a solver: optimal"):
            self.assertIn(part, text)
        for name in ("problem.json", "certificate.json", "trace.svg", "answer.svg"):
            self.assertGreater(os.path.getsize(self.path("demo/" + name)), 100)
        verified = entente("verify", self.path("demo/problem.json"), self.path("demo/certificate.json"))
        self.assertEqual(verified.returncode, 0, verified.stdout)
        # The files in examples/ are what the code says.
        for name in ("collaboration.json", "resemble.json", "kill.json"):
            with open(self.path("examples/" + name)) as ours, open(SOURCE + "/examples/" + name) as committed:
                self.assertEqual(ours.read(), committed.read(), name)

    def test_memory_does_not_grow_with_the_stream(self):
        with open(ENTENTE, "rb") as program:
            code = program.read()
        if b"__asan_init" in code or b"__tsan_init" in code:
            self.skipTest("sanitizers keep freed memory")
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        peaks = []
        for count in (200, 5000):
            file = self.write(f"{count}.jsonl", self.random_lines(count))
            peaks.append(int(subprocess.check_output([sys.executable, "-c", code, ENTENTE, "solve", file])))
        self.assertLess(peaks[1], peaks[0] + 2000)  # kilobytes

    # ---- extract

    schema = SOURCE + "/examples/news.schema.json"

    def candidate_lines(self, count, seed=1):
        rng = random.Random(seed)
        types = ("person", "location", "organization")
        relations = ("kill", "work_for", "live_in", "located_in")
        lines = []
        for i in range(count):
            spans = [{"start": 4 * s, "end": 4 * s + rng.randrange(2, 8),
                      "scores": {t: round(rng.random(), 3) for t in rng.sample(types, 2)}} for s in range(8)]
            pairs = [{"head": rng.randrange(8), "tail": rng.randrange(8),
                      "scores": {rng.choice(relations): round(rng.random(), 3)}} for _ in range(20)]
            lines.append(json.dumps({"id": str(i), "document": str(i // 3), "spans": spans, "pairs": pairs}))
        return "".join(line + "\n" for line in lines)

    def test_extract_same_bytes_for_any_number_of_threads(self):
        file = self.write("c.jsonl", self.candidate_lines(300))
        for more in ([], ["--document"]):
            one = entente("extract", "--schema", self.schema, file, "--threads", "1", *more)
            self.assertEqual(one.returncode, 0, one.stderr)
            self.assertEqual(one.stdout.count(b"\n"), 100 if more else 300)
            for threads in ("2", "5"):
                other = entente("extract", "--schema", self.schema, file, "--threads", threads, *more)
                self.assertEqual(one.stdout, other.stdout)

    def test_extract_answers_keep_the_schema(self):
        file = self.write("c.jsonl", self.candidate_lines(200, seed=2))
        ends = {"kill": ("person", "person"), "work_for": ("person", "organization"),
                "live_in": ("person", "location"), "located_in": ("location", "location")}
        changed = 0
        for line in entente("extract", "--schema", self.schema, file).stdout.splitlines():
            answer = json.loads(line)
            self.assertEqual(answer["status"], "optimal")
            self.assertLessEqual(answer["value"], answer["unconstrained"]["value"] + 1e-9)
            changed += answer["relations"] != answer["unconstrained"]["relations"]
            entities = {e["id"]: e for e in answer["entities"]}
            for a in entities.values():
                for b in entities.values():
                    self.assertTrue(a is b or a["end"] <= b["start"] or b["end"] <= a["start"])
            for r in answer["relations"]:
                self.assertEqual((entities[r["head"]]["type"], entities[r["tail"]]["type"]), ends[r["type"]])
        self.assertGreater(changed, 100)

    def test_extract_answers_as_lines_come_and_ctrl_c_ends_the_wait(self):
        for threads in ("1", "3"):
            process = subprocess.Popen([ENTENTE, "extract", "--schema", self.schema, "-", "--threads", threads],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for line in self.candidate_lines(3).splitlines():
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
                self.assertIn(b"optimal", process.stdout.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130)
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()

    def test_extract_proves_what_it_chose(self):
        file, proofs = self.write("c.jsonl", self.candidate_lines(30)), self.path("proofs.jsonl")
        done = entente("extract", "--schema", self.schema, file, "--certificate", proofs)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(entente("verify", proofs).returncode, 0)
        second = subprocess.run(["python3", SOURCE + "/tools/check_certificate.py", proofs], capture_output=True, text=True)
        self.assertEqual(second.returncode, 0, second.stdout + second.stderr)
        with open(proofs, encoding="utf-8") as f:
            lines = f.read().splitlines()
        values = [json.loads(line)["value"] for line in done.stdout.splitlines()]
        for value, certificate in zip(values, lines[1::2]):
            self.assertAlmostEqual(value, json.loads(certificate)["value"], 6)
        self.assertEqual(len(lines), 2 * len(values))
        # A certificate with a higher value, or without its problem, is not accepted.
        changed = json.loads(lines[1])
        changed["value"] += 1
        bad = self.write("bad.jsonl", lines[0] + "\n" + json.dumps(changed) + "\n")
        self.assertEqual(entente("verify", bad).returncode, 1)
        self.assertEqual(entente("verify", self.write("half.jsonl", lines[0] + "\n")).returncode, 2)

    def test_extract_leaves_the_old_output_after_bad_input(self):
        file = self.write("c.jsonl", self.candidate_lines(3) + "{\n")
        out = self.write("out.jsonl", "as before")
        done = entente("extract", "--schema", self.schema, file, "-o", out)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"c.jsonl:4:", done.stderr)
        with open(out) as old:
            self.assertEqual(old.read(), "as before")
        done = entente("extract", "--schema", self.schema, file, "-o", out, "--keep-going")
        self.assertEqual(done.returncode, 2)
        with open(out) as new:
            self.assertEqual(len(new.readlines()), 4)

    def test_extract_says_the_conflict_briefly_too(self):
        schema = self.write("never.json", '{"scale": "log_odds", "entities": {"a": {"at_least": 1}}}')
        done = entente("extract", "--schema", schema, self.write("never.jsonl", '{"spans": []}\n'), "--brief")
        self.assertEqual(json.loads(done.stdout)["conflict"], ["a.count"])

    def test_extract_two_brat_texts_of_one_name(self):
        schema = self.write("two.json", '{"entities": ["a"]}')
        for folder, text in (("x", "one"), ("y", "two")):
            os.makedirs(self.path(folder))
            self.write(folder + "/t.txt", text)
            self.write(folder + "/t.ann", "T1\ta 0 3\t%s\n" % text)
        out = self.path("both")
        done = entente("extract", "--schema", schema, self.path("x"), self.path("y"), "--to", "brat", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = []
        for name in ("t.txt", "t-2.txt"):
            with open(os.path.join(out, name)) as file:
                texts.append(file.read())
        self.assertEqual(texts, ["one", "two"])

    def test_extract_closed_pipe_ends_quietly(self):
        file = self.write("c.jsonl", self.candidate_lines(2000))
        done = subprocess.run(["bash", "-c", '"$0" extract --schema "$2" "$1" | head -2; exit ${PIPESTATUS[0]}',
                               ENTENTE, file, self.schema], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual((done.stdout.count(b"\n"), done.stderr, done.returncode), (2, b"", 0))

    def test_extract_tables_are_for_terminals(self):
        examples = ("extract", "--schema", self.schema, SOURCE + "/examples/news.jsonl")
        self.assertIn("\033[", self.on_terminal(*examples))
        plain = self.on_terminal(*examples, NO_COLOR="1")
        self.assertNotIn("\033[", plain)
        self.assertIn("active rules: kill.head", plain)
        self.assertTrue(self.on_terminal(*examples, "--json").startswith("{"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
