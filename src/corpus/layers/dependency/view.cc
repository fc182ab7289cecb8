#include "corpus/layers/dependency/view.h"

#include <algorithm>
#include <cmath>

#include "corpus/layers/dependency/svg.h"
#include "corpus/layers/dependency/text.h"

namespace entente {

bool DependencyView::is_in(const Sentence& sentence) const {
  return std::any_of(sentence.words.begin(), sentence.words.end(),
                     [](const Word& w) { return w.head >= 0; });
}

void DependencyView::append_text(std::string& out, const Sentence& sentence,
                                 const Document& /*document*/) const {
  append_tree_text(out, sentence);
}

void DependencyView::write_json(JsonWriter& w, const Sentence& sentence,
                                const Document& /*document*/, CharacterOffsets& /*offsets*/) const {
  const TreeProof& tree = sentence.tree;
  if (!tree.known) return;
  w.key("tree").begin_object().key("value").number(tree.value);
  if (std::isfinite(tree.bound)) w.key("bound").number(tree.bound);
  w.key("proven").boolean(tree.proven).end_object();
}

Picture DependencyView::draw(const Sentence& sentence, const Document& /*document*/) const {
  return draw_tree(sentence);
}

}  // namespace entente
