#include "corpus/layers/dependency/view.h"

#include <algorithm>
#include <cmath>

#include "corpus/layers/dependency/svg.h"
#include "corpus/layers/dependency/text.h"

namespace entente {

namespace {

class DependencyView : public LayerView {
 public:
  std::string_view layer() const override { return "dependency"; }
  std::string_view title() const override { return "Dependency trees"; }
  bool stands_behind() const override { return true; }
  bool is_in(const Sentence& sentence) const override {
    return std::any_of(sentence.words.begin(), sentence.words.end(),
                       [](const Word& w) { return w.head >= 0; });
  }

  void append_text(std::string& out, const Sentence& sentence,
                   const Document& /*document*/) const override {
    append_tree_text(out, sentence);
  }

  // "tree": {"value": 31.2, "bound": 31.2, "proven": true}, where a parser made it
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& /*document*/,
                  CharacterOffsets& /*offsets*/) const override {
    const TreeProof& tree = sentence.tree;
    if (!tree.known) return;
    w.key("tree").begin_object().key("value").number(tree.value);
    if (std::isfinite(tree.bound)) w.key("bound").number(tree.bound);
    w.key("proven").boolean(tree.proven).end_object();
  }

  Picture draw(const Sentence& sentence, const Document& /*document*/) const override {
    return draw_tree(sentence);
  }
};

}  // namespace

const LayerView& dependency_view() {
  static const DependencyView view;
  return view;
}

}  // namespace entente
