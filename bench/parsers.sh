#!/bin/bash
# First against second order, projective against non-projective: trains each parser and measures it on
# sentences it has not seen. About half an hour on two cores.
#   bench/parsers.sh [program] [data] [folder for models]
set -euo pipefail
program=${1:-build/entente}
data=${2:-../shared/data/ud}
folder=${3:-build/parsers}
mkdir -p "$folder"

# name, train, gold, settings
measure() {
  local name=$1 train=$2 gold=$3
  shift 3
  "$program" train dependency --train "$train" -o "$folder/$name.model" --quiet "$@"
  "$program" predict dependency -m "$folder/$name.model" "$gold" -o "$folder/$name.conllu" --quiet
  printf '%-28s %s\n' "$name" "$("$program" evaluate dependency "$gold" "$folder/$name.conllu" --json |
    python3 -c 'import json, sys
s = json.load(sys.stdin)
print("UPOS %.2f  UAS %.2f  LAS %.2f" % tuple(s[n]["f1"] for n in ("UPOS", "UAS", "LAS")))')"
}

# Danish has no dev file: every tenth sentence is held out.
zcat "$data/da_cdt-train.conll.gz" | awk -v RS= -v ORS='\n\n' -v f="$folder" \
  '{ print > (NR % 10 == 0 ? f "/da-dev.conll" : f "/da-train.conll") }'

measure dutch-projective "$data/nl_lassysmall-train.conllu.gz" "$data/nl_lassysmall-dev.conllu.gz" --set projective=1
measure dutch-nonprojective "$data/nl_lassysmall-train.conllu.gz" "$data/nl_lassysmall-dev.conllu.gz" --set projective=0
measure english-first-order "$data/en_ewt-train.conllu.gz" "$data/en_ewt-dev.conllu.gz" --set order=1
measure danish-projective "$folder/da-train.conll" "$folder/da-dev.conll" --set projective=1
measure danish-nonprojective "$folder/da-train.conll" "$folder/da-dev.conll" --set projective=0
