// How well derivations match gold ones: labelled and unlabelled dependencies, supertags, coverage.
//
//   Scores scores;
//   scores.add(gold_dependencies, gold_supertags, found, dependencies, supertags);
//   scores.labelled.f1();
//
// A dependency <head, category, slot, dependent> is right if all four are; unlabelled if head and
// dependent are (Clark and Hockenmaier 2002). A sentence without a parse has all its dependencies
// missed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/layers/ccg/derivation.h"
#include "tasks/ccg/sign.h"

namespace entente::ccg {

struct Counts {
  std::int64_t right = 0, found = 0, gold = 0;
  double precision() const {
    return found == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(found);
  }
  double recall() const {
    return gold == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(gold);
  }
  double f1() const {
    return found + gold == 0
               ? 0
               : 200.0 * static_cast<double>(right) / static_cast<double>(found + gold);
  }
};

struct Scores {
  Counts labelled, unlabelled, supertags;
  std::int64_t sentences = 0, parsed = 0, exact = 0;

  // Dependencies sorted, each once.
  void add(std::span<const Dependency> gold, std::span<const CategoryId> gold_tags, bool parsed,
           std::span<const Dependency> dependencies, std::span<const CategoryId> tags);
  void add(const Scores& other);
};

// Gold and system files sentence by sentence, in the same order; the system's may lack those without
// a parse, which its IDs tell. Gold sentences whose derivation is broken are left out: `note` says so.
Scores compare(const std::string& gold_path, const std::string& system_path, std::string& note);

// Error: what is wrong with the first derivation, and where, or that there is none.
[[noreturn]] void refuse_empty(const std::string& path, const Derivations& read);

}  // namespace entente::ccg
