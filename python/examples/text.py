"""Text in, layers out: words, trees, frames, phrases; one text, many, and as other formats."""
import os

import entente

os.environ.setdefault("ENTENTE_MODELS", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models"))
nlp = entente.load("english", "frames")
doc = nlp("A blackberry resembles a loganberry. Ann gave Bob a book.")
for word in doc.words[:4]:
    print(word["form"], word["upos"], word["head"], doc.text[word["begin"]:word["end"]])
for frame in doc.frames:
    print(frame["frame"], [(a["role"], a["text"]) for a in frame["arguments"]])

for other in nlp.pipe(("Text number %d came in." % i for i in range(5)), threads=2):  # any number, order kept
    print(len(other), other.word_count, repr(other))

print(doc.to_conllu().splitlines()[1], len(doc.write("svg")), doc.to_dict().keys())
again = entente.Doc.from_conllu(doc.to_conllu())
assert [w["form"] for w in again.words] == [w["form"] for w in doc.words]

phrases = entente.load("english", "constituency")(doc.text).phrases
print([(p["label"], doc.text[p["begin"]:p["end"]]) for p in phrases][:4])
