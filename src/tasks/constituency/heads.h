// Which child of a phrase is its head: Collins' table (1999, appendix A), with the labels of web
// text.
//
//   int h = head_child("VP", {"VBD", "NP", "PP"});   // 0
//
// Every tree has heads by it; binarisation grows outwards from them, and the lexicalised grammar
// takes its words from them. O(children * candidates).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace entente::constituency {

int head_child(std::string_view label, std::span<const std::string> children);

}  // namespace entente::constituency
