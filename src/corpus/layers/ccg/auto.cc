#include "corpus/layers/ccg/auto.h"

#include <fmt/format.h>

#include <iterator>

#include "corpus/corpus.h"
#include "entente/error.h"

namespace entente {

namespace {

// Fields of .auto are separated by spaces, so that a word has none.
std::string without_spaces(std::string text) {
  for (char& c : text) {
    if (c == ' ' || c == '\t') c = '~';
  }
  return text;
}

std::string id_of(const Sentence& sentence) {
  constexpr std::string_view kId = "# sent_id = ";
  for (const std::string& comment : sentence.comments) {
    if (comment.starts_with(kId)) return comment.substr(kId.size());
  }
  return {};
}

void append_node(std::string& out, const Sentence& sentence, int at) {
  const CcgNode& n = sentence.ccg.nodes[at];
  if (n.left < 0) {
    const Word& word = sentence.words[n.words.begin];
    const std::string tag = word.xpos != "_" ? word.xpos : word.upos;
    out += fmt::format("(<L {0} {1} {1} {2} {0}>)", n.category, without_spaces(tag),
                       without_spaces(word.form));
    return;
  }
  out += fmt::format("(<T {} {} {}> ", n.category, n.head_is_left ? 0 : 1, n.right < 0 ? 1 : 2);
  append_node(out, sentence, n.left);
  if (n.right >= 0) {
    out += ' ';
    append_node(out, sentence, n.right);
  }
  out += " )";
}

}  // namespace

CcgLayer layer_of(const ccg::Derivation& derivation, const ccg::CategoryTable& table,
                  bool plain_conjuncts) {
  CcgLayer out;
  for (const ccg::DerivationNode& n : derivation.nodes) {
    CcgNode node;
    node.category = table.text(plain_conjuncts ? table.base(n.category) : n.category);
    node.left = n.left;
    node.right = n.right;
    node.words = {n.begin, n.end};
    node.head_is_left = n.head_is_left;
    out.nodes.push_back(std::move(node));
  }
  return out;
}

void read_auto(std::string_view line, ccg::CategoryTable& table, Sentence& sentence) {
  ccg::Derivation derivation;
  bool has_categories = true;
  try {
    ccg::read_derivation(line, table, derivation);
  } catch (const Error&) {
    has_categories = false;  // some of them are none: the words are there all the same
    ccg::read_tree(line, derivation);
  }
  sentence = {};
  for (std::size_t i = 0; i < derivation.words.size(); ++i) {
    Word word;
    word.form = derivation.words[i];
    sentence.words.push_back(std::move(word));
    const int at = static_cast<int>(i);
    sentence.tokens.push_back({at, at});
  }
  if (has_categories) sentence.ccg = layer_of(derivation, table, false);
  if (!derivation.id.empty()) sentence.comments.push_back("# sent_id = " + derivation.id);
}

void append_auto(std::string& out, const Document& document) {
  for (const Sentence& sentence : document.sentences) {
    out += fmt::format("ID={} PARSER=entente NUMPARSE={}\n", id_of(sentence),
                       sentence.ccg.nodes.empty() ? 0 : 1);
    if (sentence.ccg.nodes.empty()) continue;
    append_node(out, sentence, static_cast<int>(sentence.ccg.nodes.size()) - 1);
    out += '\n';
  }
}

void append_ccg_dependencies(std::string& out, const Document& document) {
  for (const Sentence& sentence : document.sentences) {
    for (const CcgDependency& d : sentence.ccg.dependencies) {
      out += fmt::format("{}_{} {} {} {}_{}\n", sentence.words[d.head].form, d.head + 1, d.category,
                         d.slot, sentence.words[d.dependent].form, d.dependent + 1);
    }
    out += '\n';
  }
}

}  // namespace entente
