#!/bin/bash
# PropBank columns with our own tags and trees, of parsers that did not learn from the sentence:
#
#   tools/jackknife_trees.sh ENTENTE PROPBANK UD FOLDER CLASSES [PARTS]     # FOLDER/own0.conll, own1, ...
#
# The training sentences fall into three parts, in runs of 50. For each of the first PARTS parts
# (all three) a phrase parser and a dependency parser, smaller ones than those that ship, learn from
# the other two and parse it; roles learned from such trees know what to trust. CLASSES is a model
# file with word classes. Two minutes of processor time a part. What is there already is not made again.
set -euo pipefail
[ $# = 5 ] || [ $# = 6 ] || { echo "usage: $0 ENTENTE PROPBANK UD FOLDER CLASSES [PARTS]" >&2; exit 2; }
entente=$1 propbank=$2 ud=$3 out=$4 classes=$5
parts=3 wanted=${6:-3}
mkdir -p "$out"

# The sentence of the treebank that each sentence of the columns is, and its part.
zcat "$propbank/train.conll.gz" | awk -v RS= -v parts=$parts '{
  match($0, /ud=[^ \n]*/)
  print substr($0, RSTART + 3, RLENGTH - 3), int((NR - 1) / 50) % parts
}' > "$out/parts.txt"

for ((part = 0; part < wanted && part < parts; ++part)); do
  [ -f "$out/own$part.conll" ] && continue
  zcat "$propbank/train.mrg.gz" | awk -v part=$part -v parts=$parts \
    'int((NR - 1) / 50) % parts != part' > "$out/without$part.mrg"
  zcat "$ud/en_ewt-train.conllu.gz" | awk -v part=$part -v list="$out/parts.txt" '
    BEGIN {
      while ((getline line < list) > 0) { split(line, f, " "); part_of[f[1]] = f[2] }
      RS = ""; ORS = "\n\n"
    }
    {
      match($0, /# sent_id = [^\n]*/)
      id = substr($0, RSTART + 12, RLENGTH - 12)
      if (!(id in part_of) || part_of[id] != part) print
    }' > "$out/without$part.conllu"
  "$entente" train dependency --train "$out/without$part.conllu" --epochs 2 --jackknife 2 \
    --set order=1 --set pruner_epochs=1 --set folds=2 --set tags.clusters="$classes" \
    --set dependency.clusters="$classes" -o "$out/dependency$part.model" --quiet
  "$entente" train constituency --train "$out/without$part.mrg" --epochs 3 --set tagger_epochs=1 \
    --set clusters="$classes" -o "$out/constituency$part.model" --quiet
  "$entente" retree -m "$out/dependency$part.model" -m "$out/constituency$part.model" \
    --parts $parts --part $part "$propbank/train.conll.gz" -o "$out/own$part.conll"
done
