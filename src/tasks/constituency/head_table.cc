#include "tasks/constituency/head_table.h"

#include <cmath>
#include <limits>

#include "base/check.h"

namespace entente::constituency {

namespace {
constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr double kSeldom = 0.2;   // sightings that an arc gets for nothing
constexpr double kFreeLeast = 2;  // times that a rule must have been seen free
}  // namespace

HeadTable HeadTable::count(const Grammar& base, std::span<const PhraseTree> trees,
                           std::span<const std::vector<int>> heads) {
  ENTENTE_CHECK(trees.size() == heads.size());
  std::vector<std::array<double, 4>> counts(base.binary().size());
  std::vector<BinaryNode> nodes;
  std::vector<int> head;  // of each node, from 1
  for (std::size_t t = 0; t < trees.size(); ++t) {
    base.binarise(trees[t], nodes);
    const std::vector<int>& up = heads[t];
    head.assign(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const BinaryNode& n = nodes[i];
      if (n.left < 0) {
        head[i] = n.begin + 1;
        continue;
      }
      const int left = head[n.left], right = head[n.right];
      const auto leaves_span = [&](int word) {
        return up[word - 1] <= n.begin || up[word - 1] > n.end;
      };
      const Option option = up[right - 1] == left   ? kLeft
                            : up[left - 1] == right ? kRight
                            : leaves_span(left)     ? kLeftFree
                                                    : kRightFree;
      head[i] = option == kLeft || option == kLeftFree ? left : right;
      const int rule = base.find_binary(n.bottom, nodes[n.left].top, nodes[n.right].top);
      if (rule >= 0) ++counts[rule][option];
    }
  }
  HeadTable out;
  for (const auto& c : counts) {
    const double all = c[0] + c[1] + c[2] + c[3] + 2 * kSeldom;
    Options& o = out.options_.emplace_back();
    for (int i = 0; i < 4; ++i) {
      const bool free = i == kLeftFree || i == kRightFree;
      const double n = free ? (c[i] < kFreeLeast ? 0 : c[i]) : c[i] + kSeldom;
      o[i] = n == 0 ? kNone : static_cast<float>(std::log(n / all));
    }
  }
  return out;
}

void HeadTable::write(ModelWriter& writer, const std::string& name) const {
  writer.add<Options>(name, options_);
}

HeadTable HeadTable::read(const ModelFile& file, const std::string& name, const Grammar& base) {
  HeadTable out;
  const auto options = file.array<Options>(name);
  bool good = options.size() == base.binary().size();
  for (const Options& o : options) {
    for (const float x : o) good = good && x <= 0;  // false for what is no number, too
  }
  if (!good) file.fail("section \"" + name + "\" is damaged");
  out.options_.assign(options.begin(), options.end());
  return out;
}

bool has_single_heads(const PhraseTree& tree, std::span<const int> heads) {
  for (const Phrase& p : tree.phrases) {
    int outside = 0;
    for (int i = p.begin; i < p.end; ++i) {
      if (heads[i] <= p.begin || heads[i] > p.end) ++outside;
    }
    if (outside > 1) return false;
  }
  return true;
}

}  // namespace entente::constituency
