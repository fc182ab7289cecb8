import os
import pickle
import signal
import threading

import pytest

import entente

MODELS = os.path.join(os.environ.get("ENTENTE_SOURCE", "."), "models")
TEXT = "They waltzed into the room.\n\nThe dog barks."


@pytest.fixture(scope="module")
def nlp():
    os.environ.setdefault("ENTENTE_MODELS", MODELS)
    return entente.load("english", "dependency")


def test_text_in_document_out(nlp):
    doc = nlp(TEXT)
    assert len(doc) == 2 and doc.text == TEXT
    words = doc.sentences[0]["words"]
    assert [w["form"] for w in words][:2] == ["They", "waltzed"] and words[1]["upos"] == "VERB"
    assert len(doc.words) == sum(len(s["words"]) for s in doc.sentences)
    token = doc.sentences[1]["tokens"][1]
    assert TEXT[token["begin"]:token["end"]] == "dog"
    assert doc.to_conllu().count("# text = ") == 2
    assert "<svg" in doc.write("svg") and "<" in doc._repr_html_()
    assert doc.to_dict()["text"] == TEXT
    twin = pickle.loads(pickle.dumps(doc))
    assert twin.to_conllu() == doc.to_conllu() and twin.sentences == doc.sentences


def test_pipe_keeps_the_order(nlp):
    texts = ["Number %d came in." % i for i in range(150)]
    right = [nlp(t).to_conllu() for t in texts]
    for threads in (1, 3):
        assert [d.to_conllu() for d in nlp.pipe(iter(texts), threads=threads, batch_size=7)] == right
    with pytest.raises(TypeError, match="expected texts"):
        list(nlp.pipe([3]))


def test_words_that_are_given(nlp):
    doc = entente.Doc.from_conllu("1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    assert nlp.annotate(doc).words[1]["deprel"] == "root"
    with pytest.raises(entente.Error) as caught:
        entente.Doc.from_conllu("1\tDogs\n", name="x.conllu")
    assert caught.value.file == "x.conllu" and caught.value.line == 1
    with pytest.raises(entente.Error, match="character 4"):
        nlp("bad \ud800")
    with pytest.raises(entente.Error, match="no layer|setting"):
        entente.load("dependency", settings={"nonesuch": 1})


def test_layers_have_their_places_in_the_text():
    text = "I saw it. Ann Smith gave Bob a book in London."

    def check(layer, parts, begin="begin"):
        """Whatever covers words stands in the text where they stand; pickles are the same."""
        doc = entente.load("english", layer)(text)
        twin = pickle.loads(pickle.dumps(doc))
        assert twin.sentences == doc.sentences and twin.text == text
        for format in ("html", "jsonl", "conllu"):
            assert twin.write(format) == doc.write(format)
        assert doc.word_count == len(doc.words) == 13
        forms = {(w["begin"], w["end"]): w["form"] for w in doc.words}
        assert all(text[b:e] == form for (b, e), form in forms.items())
        begins, ends = {b for b, _ in forms}, {e for _, e in forms}
        found = parts(doc)
        assert found and all(p[begin] in begins and p["end"] in ends for p in found)
        return [text[p[begin]:p["end"]] for p in found]

    assert text[10:] in check("constituency", lambda d: d.phrases)
    check("roles", lambda d: [a for f in d.roles for a in f["arguments"]])
    assert "gave" in check("roles", lambda d: [s for f in d.roles for s in f["target"]["spans"]])
    check("ccg", lambda d: [n for tree in d.ccg for n in tree.get("nodes", [])])
    assert "London" in check("entities", lambda d: d.entities, "start")
    check("frames", lambda d: [a for f in d.frames for a in f["arguments"]])
    both = entente.load("english", "roles", "frames")(text)
    assert "give.01" in {f["frame"] for f in both.roles} and both.frames
    assert not {f["frame"] for f in both.roles} & {f["frame"] for f in both.frames}


class FakeSpacy:
    """What to_spacy() asks of spaCy, where it is not installed: keeps what it is given."""

    class Doc:
        def __init__(self, vocab, **given):
            self.vocab, self.given, self.ents = vocab, given, []

    class Span:
        def __init__(self, doc, start, end, label):
            self.text = " ".join(doc.given["words"][start:end])
            self.label = label


def test_to_spacy(nlp, monkeypatch):
    import sys
    import types

    spacy, tokens = types.ModuleType("spacy"), types.ModuleType("spacy.tokens")
    spacy.blank = lambda language: types.SimpleNamespace(vocab="vocab")
    tokens.Doc, tokens.Span = FakeSpacy.Doc, FakeSpacy.Span
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    plain = entente.load("english", "dependency", "entities")("The dog barks. Bob lives in London.")
    doc = plain.to_spacy()
    words = plain.sentences[0]["words"]
    assert doc.given["heads"][:4] == [w["head"] - 1 if w["head"] else i for i, w in enumerate(words)]
    assert doc.given["deps"][:4] == [w["deprel"] for w in words] and doc.given["spaces"][2] is False
    assert doc.given["sent_starts"][:5] == [True, False, False, False, True]
    assert [e.text for e in doc.ents] == [e["text"] for e in plain.entities]


def test_tasks_come_by_themselves():
    table = {t["name"]: t for t in entente.tasks()}
    assert {"tokens", "tags", "lemmas", "dependency", "frames"} <= set(table)
    assert all(s["help"] for t in table.values() for s in t["settings"])


def treebank(path, n):
    with open(path, "w") as f:
        for i in range(n):
            a, b = ("dog", "barks") if i % 2 else ("cat", "sleeps")
            f.write("# text = The %s %s.\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\t%s\t%s\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
                    "3\t%s\t%s\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
                    % (a, b, a, a, b, b[:-1]))


def test_training_and_evaluation(tmp_path):
    train, model = str(tmp_path / "train.conllu"), str(tmp_path / "my.model")
    treebank(train, 60)
    seen = []
    out = entente.train("tags", train=train, dev=train, out=model, epochs=2, threads=1,
                        progress=lambda what, text, number: seen.append(what))
    assert out == model and os.path.exists(model) and "stage" in seen
    nlp = entente.load(model, "tags")
    bare = "".join("%d\t%s" % (i + 1, w) + 8 * "\t_" + "\n" for i, w in enumerate(["The", "dog", "barks", "."])) + "\n"
    assert [w["upos"] for w in nlp.annotate(entente.Doc.from_conllu(bare)).words] == ["DET", "NOUN", "VERB", "PUNCT"]
    assert isinstance(entente.evaluate("dependency", train, train), dict)
    with pytest.raises(RuntimeError, match="enough"):
        def stop(what, text, number):
            raise RuntimeError("enough")
        entente.train("tags", train=train, out=model + "2", progress=stop)
    with pytest.raises(InterruptedError, match="stopped; .*(nothing is kept|goes on from where it was)"):
        entente.train("tags", train=train, out=model + "3", progress=lambda what, text, number: False)


def test_interrupts_of_training_say_what_is_kept(tmp_path):
    train, model = str(tmp_path / "train.conllu"), str(tmp_path / "my.model")
    treebank(train, 3000)
    timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt, match="stopped") as stopped:
        entente.train("tags", train=train, out=model, epochs=1000, threads=1)
    timer.join()
    assert not os.path.exists(model)
    assert ("goes on from where it was" in str(stopped.value)) == os.path.isdir(model + ".work")
