"""Text in, documents out.

    nlp = load("english", "frames")
    doc = nlp("A blackberry resembles a loganberry.")
    for doc in nlp.pipe(texts, threads=2): ...
"""
from __future__ import annotations

import json
import os
import re
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _core

if TYPE_CHECKING:
    from concurrent.futures import Future

Settings = Dict[str, Union[str, int, float, bool, Sequence[str]]]


def _model_folder() -> str:
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")
    return inside if os.path.isdir(inside) else ""


def _given(settings: Optional[Settings]) -> List[Tuple[str, str]]:
    out: List[Tuple[str, str]] = []
    for name, value in (settings or {}).items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            out.append((name, str(int(one)) if isinstance(one, bool) else str(one)))
    return out


_SENSE = re.compile(r"\.([0-9]+|XX|LV)$")  # how PropBank's senses end


class _Offsets:
    """Where words stand in the text: adds ``begin`` and ``end`` to whatever says which words it covers."""

    def __init__(self, sentence: Dict[str, Any]) -> None:
        self._at: Dict[int, Tuple[int, int]] = {}
        for token in sentence.get("tokens", []):
            for number in token["words"]:  # several where one token is two words: don't
                self._at[number] = (token["begin"], token["end"])

    def add(self, layer: Any) -> None:
        if isinstance(layer, list):
            for part in layer:
                self.add(part)
            return
        if not isinstance(layer, dict):
            return
        for part in layer.values():
            self.add(part)
        first, last = layer.get("first", layer.get("id")), layer.get("last", layer.get("id"))
        if "begin" in layer or not isinstance(first, int) or not isinstance(last, int):
            return
        if first in self._at and last in self._at:
            layer["begin"], layer["end"] = self._at[first][0], self._at[last][1]


class Doc:
    """A text and its layers. ``sentences`` are dicts as in the command's JSON lines: words, tokens, frames, and whatever
    other layers were asked for; what covers words (a word, a phrase, a node of a derivation, an argument, an entity) has
    its place in the text as ``begin`` and ``end``."""

    def __init__(self, document: Any, layers: Sequence[str] = ()) -> None:
        self._core = document
        self._layers = list(layers)
        self._sentences: Optional[List[Dict[str, Any]]] = None
        self._text: Optional[str] = None
        self._written: Dict[str, str] = {}  # of a document from a pickle: as it was there

    @classmethod
    def from_conllu(cls, text: str, name: str = "text") -> "Doc":
        return cls(_core.read_document(text, "conllu", name))

    @property
    def text(self) -> str:
        return self._core.text if self._text is None else self._text

    @property
    def sentences(self) -> List[Dict[str, Any]]:
        if self._sentences is None:
            lines = self._core.write("jsonl", self._layers).splitlines()
            self._sentences = [json.loads(line) for line in lines]
            for sentence in self._sentences:
                offsets = _Offsets(sentence)
                for name, layer in sentence.items():
                    if name not in ("tokens", "text"):
                        offsets.add(layer)
        return self._sentences

    @property
    def words(self) -> List[Dict[str, Any]]:
        return [w for s in self.sentences for w in s.get("words", [])]

    def layer(self, name: str) -> List[Any]:
        """A layer of all sentences, one after the other: doc.layer("frames")."""
        out: List[Any] = []
        for s in self.sentences:
            found = s.get(name, [])
            out += found if isinstance(found, list) else [found]
        return out

    @property
    def frames(self) -> List[Any]:
        """Frames with their arguments."""
        return [f for f in self.layer("frames") if not _SENSE.search(f["frame"])]

    @property
    def phrases(self) -> List[Any]:
        """Of the best tree of each sentence."""
        return [p for s in self.sentences for tree in s.get("constituency", [])[:1] for p in tree["phrases"]]

    @property
    def roles(self) -> List[Any]:
        """Predicates after PropBank with their arguments: like frames, the sense (give.01) for the frame."""
        return [f for f in self.layer("frames") if _SENSE.search(f["frame"])]

    @property
    def ccg(self) -> List[Any]:
        """A derivation a sentence."""
        return self.layer("ccg")

    @property
    def entities(self) -> List[Any]:
        return self.layer("entities")

    @property
    def relations(self) -> List[Any]:
        """Between entities of one sentence, by their ids there."""
        return self.layer("relations")

    @property
    def word_count(self) -> int:
        return int(self._core.word_count)

    def to_conllu(self) -> str:
        return self.write("conllu")

    def to_dict(self) -> Dict[str, Any]:
        return {"text": self.text, "sentences": self.sentences}

    def write(self, format: str) -> str:
        """In any format of `entente parse --to`: conllu, jsonl, text, svg, html, ..."""
        if format in self._written:
            return self._written[format]
        return self._core.write(format, self._layers)

    def to_spacy(self, vocab: Any = None) -> Any:
        """A spaCy Doc with tags, lemmas, heads and entities; spaCy must be installed."""
        import spacy  # type: ignore[import]
        from spacy.tokens import Doc as SpacyDoc  # type: ignore[import]
        from spacy.tokens import Span

        vocab = vocab if vocab is not None else spacy.blank("en").vocab
        words, spaces, starts, heads, fields = [], [], [], [], {"lemmas": [], "pos": [], "tags": [], "deps": []}  # type: ignore[var-annotated]
        keys = (("lemmas", "lemma"), ("pos", "upos"), ("tags", "xpos"), ("deps", "deprel"))
        for s in self.sentences:
            base = len(words)
            for i, w in enumerate(s["words"]):
                words.append(w["form"])
                spaces.append("SpaceAfter=No" not in w.get("misc", ""))
                starts.append(i == 0)
                head = w.get("head")
                heads.append(base + (head - 1 if head else i))
                for field, key in keys:
                    fields[field].append(w.get(key, ""))
        out = SpacyDoc(vocab, words=words, spaces=spaces, sent_starts=starts, heads=heads, **fields)
        base, ents = 0, []
        for s in self.sentences:
            ents += [Span(out, base + e["first"] - 1, base + e["last"], label=e["type"]) for e in s.get("entities", [])]
            base += len(s["words"])
        if ents:
            out.ents = ents
        return out

    def _repr_html_(self) -> str:
        return self.write("html")

    def __len__(self) -> int:
        return int(self._core.sentence_count)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "Doc(%d sentences, %r)" % (len(self), self.text[:40])

    def __getstate__(self) -> Dict[str, Any]:
        written = {}
        for format in _core.output_formats():
            try:
                written[format] = self.write(format)
            except _core.Error:  # of a layer that is not there
                pass
        return {"written": written, "sentences": self.sentences, "layers": self._layers, "text": self.text}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        core = _core.read_document(state["written"]["conllu"], "conllu", "pickle")
        self.__init__(core, state["layers"])  # type: ignore[misc]
        self._sentences = state["sentences"]
        self._written = state["written"]
        self._text = state["text"]


class Pipeline:
    """Made by load(). Call it with a text; any number of threads may."""

    def __init__(self, layers: Sequence[str], models: Sequence[str], settings: Optional[Settings]) -> None:
        self._wanted = list(layers)
        self._arguments = (list(layers), list(models), dict(settings or {}))
        self._core = _core.Language(list(layers), list(models), _given(settings), _model_folder())

    @property
    def layers(self) -> List[str]:
        """Those that run, in their order."""
        return self._core.layers

    def __call__(self, text: str) -> Doc:
        return Doc(self._core.parse_many([_checked(text)], 1)[0], self._wanted)

    def pipe(self, texts: Iterable[str], threads: int = 1, batch_size: int = 32) -> Iterator[Doc]:
        """Documents of texts, in their order; reads ahead by a few batches only, so any number of texts will do."""
        batches = _batches(texts, batch_size)
        if threads <= 1:
            for batch in batches:
                for d in self._core.parse_many(batch, 1):
                    yield Doc(d, self._wanted)
            return
        from concurrent.futures import ThreadPoolExecutor  # here, so that importing the package stays quick

        with ThreadPoolExecutor(threads) as pool:
            waiting: Deque["Future[Any]"] = deque()
            for batch in batches:
                waiting.append(pool.submit(self._core.parse_many, batch, 1))
                if len(waiting) > 2 * threads:
                    for d in waiting.popleft().result():
                        yield Doc(d, self._wanted)
            while waiting:
                for d in waiting.popleft().result():
                    yield Doc(d, self._wanted)

    def annotate(self, doc: Doc) -> Doc:
        """Adds the layers to a document whose words are given (Doc.from_conllu)."""
        self._core.annotate(doc._core)
        doc._layers = self._wanted
        doc._sentences, doc._written, doc._text = None, {}, None
        return doc

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Pipeline, self._arguments)

    def __repr__(self) -> str:
        return "Pipeline(%s)" % ", ".join(self.layers)


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError("expected texts, found %s" % type(text).__name__)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _core.Error("text: character %d is half of a surrogate pair" % error.start) from None
    return text


def _batches(texts: Iterable[str], size: int) -> Iterator[List[str]]:
    batch: List[str] = []
    for text in texts:
        batch.append(_checked(text))
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def load(*names: str, layers: Optional[Sequence[str]] = None, settings: Optional[Settings] = None) -> Pipeline:
    """A pipeline. Names are models that ship or files ("english", "my.model"), or layers ("frames"); with no layer named
    it parses. ``settings``: as the command's options, {"frames.decoder": "exact"}."""
    known = {t["name"] for t in _core.tasks()}
    models = [n for n in names if n not in known]
    wanted = list(layers) if layers is not None else [n for n in names if n in known]
    # "english" is where models are looked for anyway; naming it would keep others from being found.
    models = [m for m in models if m != "english"]
    return Pipeline(wanted or ["dependency"], models, settings)


class Progress:
    """What training and evaluation report: a bar if tqdm is installed, else lines."""

    def __init__(self) -> None:
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm  # type: ignore[import]

            self._tqdm: Any = tqdm
        except ImportError:
            self._tqdm = None

    def __call__(self, what: str, text: str, number: int) -> None:
        if what == "say":
            print(text, flush=True)
        elif self._tqdm is not None and what == "stage":
            self.close()
            self._bar = self._tqdm(total=number, desc=text, leave=False)
        elif self._bar is not None and what == "advance":
            self._bar.update(number)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


Callback = Callable[[str, str, int], Any]


def _paths(value: Union[None, str, Sequence[str]]) -> List[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def train(task: str, train: Union[None, str, Sequence[str]] = None, dev: Union[None, str, Sequence[str]] = None,
          out: str = "", models: Sequence[str] = (), settings: Optional[Settings] = None, epochs: int = 0, seed: int = 1,
          threads: int = 0, restart: bool = False, progress: Union[bool, Callback] = False) -> str:
    """Trains a task and returns the model's file. Stopped by Ctrl-C (KeyboardInterrupt) or by a callback
    that returns False (InterruptedError) it can be gone on with by the same call; the error says what is kept. ``progress``: True, or a callback(what, text, number) with what in stage, advance, say."""
    if not out:
        raise _core.Error("out: expected the name of the model file to write")
    callback: Any = Progress() if progress is True else progress or None
    stopped = _core.train(task, _paths(train), _paths(dev), list(models), _given(settings), epochs, seed, threads, restart,
                          out, callback)
    if isinstance(callback, Progress):
        callback.close()
    if stopped is not None:
        said, interrupted = stopped
        raise KeyboardInterrupt(said) if interrupted else InterruptedError(said)
    return out


def evaluate(task: str, *inputs: str, models: Sequence[str] = (), settings: Optional[Settings] = None, threads: int = 0,
             progress: Union[bool, Callback] = False) -> Dict[str, Any]:
    """How good a task is: what `entente evaluate TASK --json` says, as a dict."""
    callback: Any = Progress() if progress is True else progress or None
    text = _core.evaluate(task, list(inputs), list(models), _given(settings), threads, callback)
    if isinstance(callback, Progress):
        callback.close()
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        found = json.loads(text)
    except ValueError:
        found = {"lines": [json.loads(line) for line in lines]}
    return found if isinstance(found, dict) else {"lines": found}


def tasks() -> List[Dict[str, Any]]:
    """Every task there is: name, summary, what it needs, and its settings."""
    return list(_core.tasks())
