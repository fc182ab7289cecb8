#include <algorithm>
#include <array>

#include "corpus/corpus.h"
#include "corpus/layers/ccg/view.h"
#include "corpus/layers/constituency/view.h"
#include "corpus/layers/dependency/view.h"
#include "corpus/layers/entities/view.h"
#include "corpus/layers/frames/view.h"
#include "corpus/layers/relations/view.h"
#include "corpus/layers/view.h"

namespace entente {

// In the order in which they are shown.
std::span<const LayerView* const> all_views() {
  static const std::array<const LayerView*, 6> all = {
      &dependency_view(), &constituency_view(), &frames_view(),
      &entities_view(),   &relations_view(),    &ccg_view(),
  };
  return all;
}

namespace {

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<const LayerView*> written_views(std::span<const std::string> asked,
                                            const Sentence& sentence) {
  const auto wanted = [&](const LayerView* v) {
    return contains(asked, v->layer()) || v->is_in(sentence);
  };
  std::vector<const LayerView*> out;
  for (const LayerView* view : all_views()) {
    bool spoken_of = false;
    for (const LayerView* other : all_views()) {
      spoken_of = spoken_of || (other->over() == view->layer() && wanted(other));
    }
    if (wanted(view) || spoken_of) out.push_back(view);
  }
  return out;
}

std::vector<const LayerView*> drawn_views(std::span<const std::string> asked,
                                          const Sentence& sentence) {
  const LayerView* background = all_views().front();
  const std::vector<const LayerView*> written = written_views(asked, sentence);
  std::vector<const LayerView*> out;
  for (const LayerView* view : written) {
    const bool covered = std::any_of(written.begin(), written.end(), [&](const LayerView* other) {
      return other->over() == view->layer();
    });
    if (covered) continue;
    if (view->stands_behind() && !contains(asked, view->layer())) {
      background = view;
      continue;
    }
    out.push_back(view);
  }
  if (out.empty()) out.push_back(background);
  return out;
}

std::string LayerView::html(const Sentence& sentence, const Document& document) const {
  return html_figure(draw(sentence, document), sentence_text(sentence));
}

}  // namespace entente
