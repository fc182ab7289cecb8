// What the models look at: features of arcs, consecutive siblings and grandparents, as hashes.
//
//   FeatureList f;
//   arc_features(atoms, h, m, f);          // f.view(): 64-bit hashes for learn/weights.h
//
// McDonald et al. 2005, Koo and Collins 2010, Bohnet 2010 and TurboParser are where the templates
// come from. A list is a fixed array, no heap. About 25 (lean), 150 (arc), 25 (second order)
// features a part. Pure functions: thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "learn/hash.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/laid_out.h"

namespace entente::dependency {

class FeatureList {
 public:
  void clear() { size_ = 0; }
  // Clears; features made from now on are for these weights, where a plain feature and the same
  // with a distance are neighbours.
  template <typename Weights>
  void start(const Weights& weights) {
    clear();
    shift_ = shift_of(weights);
  }
  // The same for features of labels: there the labels are the neighbours (labels.h).
  void start_labelled() {
    clear();
    shift_ = kMixed;
  }
  // A feature with a distance, which is below 16.
  std::uint64_t with_distance(std::uint64_t feature, std::uint64_t bucket) const {
    return shift_ == kMixed ? mix(feature, bucket) : feature ^ (bucket << shift_);
  }
  void add(std::uint64_t feature) { values_[size_++] = feature; }
  std::span<const std::uint64_t> view() const { return {values_.data(), size_}; }

 private:
  // Twice 64 slots between, and well more than all templates.
  std::array<std::uint64_t, 512> values_;
  std::size_t size_ = 0;
  static constexpr int kMixed = 64;
  int shift_ = kMixed;
};

// Templates are numbered; direction and the like go into the number.
class FeatureMaker {
 public:
  FeatureMaker(FeatureList& out, std::uint64_t family, std::uint64_t bucket)
      : out_(out), seed_(family << 32), bucket_(bucket + 1) {}

  template <typename... Values>
  std::uint64_t hash(std::uint64_t number, Values... values) const {
    std::uint64_t h = (seed_ + number) * 0x9e3779b97f4a7c15ULL;
    ((h = mix(h, values)), ...);
    return h;
  }
  // Once as it is and once with the distance.
  template <typename... Values>
  void both(std::uint64_t number, Values... values) {
    const std::uint64_t h = hash(number, values...);
    out_.add(h);
    out_.add(out_.with_distance(h, bucket_));
  }
  template <typename... Values>
  void one(std::uint64_t number, Values... values) {
    out_.add(hash(number, values...));
  }
  bool full() const { return out_.view().size() > 300; }  // for features of long lists

 private:
  FeatureList& out_;
  std::uint64_t seed_, bucket_;
};

// Changes whenever the templates do: models made with others are refused.
inline constexpr std::uint64_t kFeatureVersion = 3;

// The cheap ones that see every pair of words.
void lean_arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out);
// All of them, for arcs that survived pruning.
void arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out);
// inner == 0: outer is the first modifier on its side; outer == 0: inner is the last.
void sibling_features(const Atoms& atoms, int head, int inner, int outer, FeatureList& out);
void grandparent_features(const Atoms& atoms, int upper, int head, int modifier, FeatureList& out);

// Few, as each is looked up for every label the arc might have (labelled(), labels.h).
void labelled_arc_features(const Atoms& atoms, int head, int modifier, FeatureList& out);

// 0..10, for quantised distances.
int distance_bucket(int distance);

}  // namespace entente::dependency
