// Derivations as .auto files have them: "ID=..." lines, and a derivation a line.
//
//   Sentence s;
//   read_auto(line, table, s);             // words and the ccg layer; Error with a column. Of a
//                                          // tree whose categories are broken the words alone
//   append_auto(out, document);            // a pair of lines a sentence; those without a parse have
//                                          // an ID= line alone
//   append_ccg_dependencies(out, document);  // "likes_1 (S\NP)/NP 2 apples_2", a blank line between
#pragma once

#include <string>
#include <string_view>

#include "corpus/document.h"
#include "corpus/layers/ccg/derivation.h"

namespace entente {

void read_auto(std::string_view line, ccg::CategoryTable& table, Sentence& sentence);
CcgLayer layer_of(const ccg::Derivation& derivation, const ccg::CategoryTable& table,
                  bool plain_conjuncts);
void append_auto(std::string& out, const Document& document);
void append_ccg_dependencies(std::string& out, const Document& document);

}  // namespace entente
