#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "corpus/propbank/propbank.h"
#include "entente/error.h"

namespace entente::propbank {

namespace {

constexpr std::string_view kConfidence = "# confidence = ", kLikely = "# likely = ",
                           kOther = "# other = ";

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

void ProbabilityLines::clear() {
  confidence_.clear();
  likely_.clear();
  others_.clear();
}

bool ProbabilityLines::read(const std::string& line, const Place& place) {
  const bool of_tree = line.starts_with(kConfidence);
  const bool other = line.starts_with(kOther);
  if (!of_tree && !other && !line.starts_with(kLikely)) return false;
  place_ = place;
  const auto probability = [&](const std::string& text) {
    const auto p = parse_number(text);
    if (!p || !(*p >= 0 && *p <= 1)) {
      throw Error("expected a probability, found " + quoted(text), place_);
    }
    return static_cast<float>(*p);
  };
  const auto word = [&](const std::string& text) {
    const auto n = parse_integer(text);
    if (!n || *n < 0 || *n > 100000) {
      throw Error("expected the number of a word, found " + quoted(text), place_);
    }
    return static_cast<int>(*n);
  };
  std::vector<std::string> parts = words_of(std::string_view(line).substr((of_tree ? kConfidence
                                                                           : other ? kOther
                                                                                   : kLikely)
                                                                              .size()));
  if (other) {
    if (parts.empty()) throw Error("expected a share and the pieces of a tree", place_);
    const float share = probability(parts[0]);
    parts.erase(parts.begin());
    others_.push_back({share, std::move(parts), place_});
    return true;
  }
  if (of_tree) {
    for (const std::string& p : parts) confidence_.push_back(probability(p));
    return true;
  }
  if (parts.size() % 4 != 0) {
    throw Error("expected a label, two words and a probability for each phrase", place_);
  }
  for (std::size_t i = 0; i < parts.size(); i += 4) {
    likely_.push_back(
        {parts[i], word(parts[i + 1]), word(parts[i + 2]), probability(parts[i + 3])});
  }
  return true;
}

void ProbabilityLines::move_to(PropSentence& sentence) {
  std::size_t phrases = 0;
  for (const PhraseTree::Node& n : sentence.tree.nodes) phrases += !n.is_tag;
  if (!confidence_.empty() && confidence_.size() != phrases) {
    throw Error(
        fmt::format("the tree has {} phrases and the line {} numbers", phrases, confidence_.size()),
        place_);
  }
  std::size_t next = 0;
  for (PhraseTree::Node& n : sentence.tree.nodes) {
    if (!n.is_tag && next < confidence_.size()) n.confidence = confidence_[next++];
  }
  for (const LikelyPhrase& p : likely_) {
    if (p.begin >= p.end || p.end > sentence.size()) {
      throw Error(fmt::format("the phrase {} {} {} is not of the sentence's {} words", p.label,
                              p.begin, p.end, sentence.size()),
                  place_);
    }
  }
  for (const Other& o : others_) {
    if (o.bits.size() != sentence.words.size()) {
      throw Error(fmt::format("the sentence has {} words and the tree {} pieces",
                              sentence.words.size(), o.bits.size()),
                  o.place);
    }
    try {
      sentence.others.push_back({PhraseTree::from_bits(o.bits, sentence.tags), o.share});
    } catch (const Error& e) {
      throw Error(e.message(), o.place);
    }
  }
  sentence.likely = std::move(likely_);
  clear();
}

void ProbabilityLines::append(std::string& out, const PropSentence& s) {
  std::string numbers;
  for (const PhraseTree::Node& n : s.tree.nodes) {
    if (n.is_tag) continue;
    if (n.confidence < 0) return;
    numbers += fmt::format(" {:.3g}", n.confidence);
  }
  if (!numbers.empty()) out += "# confidence =" + numbers + "\n";
  if (!s.likely.empty()) {
    out += "# likely =";
    for (const LikelyPhrase& p : s.likely) {
      out += fmt::format(" {} {} {} {:.3g}", p.label, p.begin, p.end, p.probability);
    }
    out += "\n";
  }
  for (const OtherTree& o : s.others) {
    out += fmt::format("# other = {:.3g} {}\n", o.share, fmt::join(o.tree.bits(), " "));
  }
}

}  // namespace entente::propbank
