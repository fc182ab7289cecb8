#!/bin/bash
# tools/ccg_trees.py: derivations become trees and come back the same; what is no derivation is left out.
# ccg_trees_test.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/gold.auto" <<'END'
ID=1 PARSER=GOLD NUMPARSE=1
(<T S 1 2> (<T NP 1 2> (<L NP/NP X X the NP/NP>) (<L NP X X cat-tail NP>) ) (<L S\NP X X sleeps S\NP>) )
ID=2 PARSER=GOLD NUMPARSE=1
(<T S 1 2> (<L NP X X Mary NP>) (<T S\NP 0 2> (<L (S\NP)/NP X X likes (S\NP)/NP>) (<L NP X X -LRB- NP>) ) )
ID=3 PARSER=GOLD NUMPARSE=1
(<T S/NP)(S/NP 1 2> (<L NP X X Mary NP>) (<L S\NP X X sleeps S\NP>) )
END
tool="python3 $source/tools/ccg_trees.py"
$tool trees "$work/gold.auto" > "$work/trees.mrg"
[ "$(wc -l < "$work/trees.mrg")" = 2 ] || { echo "the broken category was not left out"; exit 1; }
head -4 "$work/gold.auto" > "$work/two.auto"
$tool derivations "$work/two.auto" "$work/trees.mrg" > "$work/back.auto" 2> "$work/said"
grep -q '^2 derivations, 0 trees left out' "$work/said"
"$build/entente" evaluate ccg "$work/two.auto" "$work/back.auto" > "$work/scores"
grep -q '^labelled  *100.00  *100.00  *100.00' "$work/scores" || { cat "$work/scores"; exit 1; }
grep -q '^supertags  *100.00' "$work/scores"
# A node with three children is no derivation.
{ echo '(S (_NP Mary) (_S\NP sleeps) (_. .))'; sed -n 2p "$work/trees.mrg"; } > "$work/odd.mrg"
$tool derivations "$work/two.auto" "$work/odd.mrg" > "$work/odd.auto" 2> "$work/said"
grep -q '^1 derivations, 1 trees left out' "$work/said"
"$build/entente" evaluate ccg "$work/two.auto" "$work/odd.auto" | grep -q '1 of 2 sentences'
echo "ok"
