// What the parser's model sees of an edge of the chart: the rule with heads and surroundings, and
// the dependencies it makes (the hybrid model of Clark and Curran 2007, with the surface features
// of spans of Hall, Durrett and Klein 2014).
//
//   EdgeFeatures features;                          // scratch, kept between sentences
//   features.begin(text, table);
//   features.find(chart, e, indices);               // rows of a table of 2^bits weights
//
// Cost: about twenty hashes an edge. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/ccg/chart.h"
#include "tasks/ccg/supertagger.h"

namespace entente::ccg {

// Which parts of the model are used: derivations, dependencies, or both.
enum class FeatureSet : std::uint8_t { normal_form, dependency, hybrid };

class EdgeFeatures {
 public:
  EdgeFeatures(int bits, FeatureSet set) : bits_(bits), set_(set) {}
  void begin(const TaggedWords& text, const CategoryTable& table);
  // Appends.
  void find(const Chart& chart, int e, std::vector<std::uint32_t>& out);

 private:
  void add(std::vector<std::uint32_t>& out, std::uint64_t kind, std::uint64_t a,
           std::uint64_t b = 0, std::uint64_t c = 0) const;
  std::uint64_t category(CategoryId c);
  std::uint64_t word(int i) const { return words_[i + 1]; }  // -1 and the end are borders
  std::uint64_t tag(int i) const { return tags_[i + 1]; }
  std::uint64_t distance(int from, int to) const;
  void add_derivation(const Chart& chart, const Chart::Edge& edge, std::vector<std::uint32_t>& out);
  void add_surface(const Chart::Node& node, std::uint64_t rule, std::vector<std::uint32_t>& out);
  void add_dependency(const Dependency& d, std::vector<std::uint32_t>& out);

  int bits_;
  FeatureSet set_;
  const CategoryTable* table_ = nullptr;
  std::vector<std::uint64_t> words_, tags_, categories_;
  std::vector<std::int32_t> marks_;  // how many punctuation marks stand before each word
};

}  // namespace entente::ccg
