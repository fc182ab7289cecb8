#include "tasks/clusters/raw_text.h"

#include <algorithm>
#include <numeric>

namespace entente::clusters {

namespace {

bool is_punctuation(char c) {
  return std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

// Where what follows an apostrophe begins, or the n of n't; the end if there is none.
std::size_t clitic(std::string_view word) {
  const std::size_t n = word.size();
  if (n > 3 && (word.ends_with("n't") || word.ends_with("N'T"))) return n - 3;
  const std::size_t at = word.rfind('\'');
  return at != std::string_view::npos && at > 0 && n - at <= 3 ? at : n;
}

void cut_word(std::string_view word, auto use) {
  std::size_t begin = 0, end = word.size();
  while (begin < end && is_punctuation(word[begin]) && word[begin] != '$') {
    use(word.substr(begin++, 1));
  }
  std::size_t stop = end;
  while (stop > begin && is_punctuation(word[stop - 1]) && word[stop - 1] != '%') --stop;
  // A full stop within a word belongs to it: an abbreviation, or the end of a sentence after one.
  if (stop < end && word[stop] == '.' && word.substr(begin, stop - begin).find('.') != word.npos) {
    ++stop;
  }
  const std::string_view middle = word.substr(begin, stop - begin);
  const std::size_t cut = clitic(middle);
  if (cut > 0 && !middle.empty()) use(middle.substr(0, cut));
  if (cut < middle.size()) use(middle.substr(cut));
  for (; stop < end; ++stop) use(word.substr(stop, 1));
}

// White space divides, punctuation at the ends is cut off sign by sign, and so are n't and what
// follows an apostrophe.
template <typename Use>
void for_each_rough_word(std::string_view line, Use use) {
  for (std::size_t i = 0; i < line.size();) {
    if (static_cast<unsigned char>(line[i]) <= ' ') {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && static_cast<unsigned char>(line[end]) > ' ') ++end;
    cut_word(line.substr(i, end - i), use);
    i = end;
  }
}

// How often a word was seen tagged, and how sure its first group is.
std::uint16_t pack_tags(const std::array<std::int32_t, kTagGroups>& groups) {
  const std::int64_t total = std::accumulate(groups.begin(), groups.end(), std::int64_t{0});
  if (total == 0) return 0;
  std::array<int, kTagGroups> order;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return groups[a] > groups[b]; });
  unsigned packed = 0;
  for (int i = 0; i < 3; ++i) {
    if (groups[order[i]] * std::int64_t{20} > total) {
      packed |= static_cast<unsigned>(order[i]) << (4 * i);
    }
  }
  const std::int64_t top = groups[order[0]];
  const unsigned sure = top * 20 > total * 19 ? 2 : top * 3 > total * 2 ? 1 : 0;
  const unsigned often = total > 30 ? 3 : total > 5 ? 2 : total > 1 ? 1 : 0;
  return static_cast<std::uint16_t>(packed | sure << 12 | often << 14);
}

}  // namespace

TagGroup tag_group(std::string_view tag) {
  std::string name;  // of "NN1-VVB" the first
  for (const char c : tag.substr(0, tag.find('-'))) {
    name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  struct Rule {
    std::string_view begin;
    TagGroup group;
  };
  // The first that fits counts.
  static constexpr Rule kRules[] = {{"NN2", kNouns},
                                    {"NNS", kNouns},
                                    {"NNP", kName},
                                    {"NP", kName},
                                    {"NN", kNoun},
                                    {"AJ", kAdjective},
                                    {"JJ", kAdjective},
                                    {"AV", kAdverb},
                                    {"RB", kAdverb},
                                    {"WRB", kFunction},
                                    {"VVD", kVerbPast},
                                    {"VVN", kVerbParticiple},
                                    {"VVG", kVerbIng},
                                    {"VVZ", kVerbThird},
                                    {"VV", kVerbBase},
                                    {"VM", kFunction},
                                    {"VBD", kVerbPast},
                                    {"VBN", kVerbParticiple},
                                    {"VBG", kVerbIng},
                                    {"VBZ", kVerbThird},
                                    {"VB", kVerbBase},
                                    {"VHD", kVerbPast},
                                    {"VHN", kVerbParticiple},
                                    {"VHG", kVerbIng},
                                    {"VHZ", kVerbThird},
                                    {"VH", kVerbBase},
                                    {"VDD", kVerbPast},
                                    {"VDN", kVerbParticiple},
                                    {"VDG", kVerbIng},
                                    {"VDZ", kVerbThird},
                                    {"VD", kVerbBase},
                                    {"CRD", kNumber},
                                    {"ORD", kNumber},
                                    {"CD", kNumber},
                                    {"PN", kPronoun},
                                    {"PP", kPronoun},
                                    {"PRP", kFunction},
                                    {"PR", kFunction},
                                    {"CJ", kFunction},
                                    {"CC", kFunction},
                                    {"IN", kFunction},
                                    {"TO", kFunction},
                                    {"AT", kFunction},
                                    {"DT", kFunction},
                                    {"DP", kFunction},
                                    {"MD", kFunction},
                                    {"EX", kFunction},
                                    {"POS", kFunction},
                                    {"RP", kFunction},
                                    {"W", kFunction},
                                    {"XX", kFunction}};
  for (const Rule& r : kRules) {
    if (name.starts_with(r.begin)) return r.group;
  }
  return kOther;
}

std::int32_t RawText::find(std::string_view word) {
  shape_.read(word);
  normal_.assign(shape_.lower());
  for (char& c : normal_) {
    if (c >= '0' && c <= '9') c = '0';
  }
  const auto [it, fresh] =
      numbers_.try_emplace(normal_, static_cast<std::int32_t>(entries_.size()));
  if (fresh) entries_.push_back({normal_, 0, {}});
  return it->second;
}

void RawText::add(std::string_view word) {
  const std::int32_t number = find(word);
  ++entries_[number].count;
  tokens_.push_back(number);
}

void RawText::add_words(std::span<const std::string_view> words) {
  for (std::string_view w : words) add(w);
  tokens_.push_back(-1);
}

void RawText::add_line(std::string_view line) {
  const std::size_t before = tokens_.size();
  for_each_rough_word(line, [&](std::string_view w) { add(w); });
  if (tokens_.size() > before) tokens_.push_back(-1);
}

void RawText::add_tag(std::string_view word, std::string_view tag) {
  if (word.find(' ') != std::string_view::npos || word.empty()) return;
  ++entries_[find(word)].groups[tag_group(tag)];
}

Numbered RawText::number(std::size_t most, std::int64_t least) const {
  std::vector<std::int32_t> order;
  auto tagged = [&](const Entry& e) {
    return std::accumulate(e.groups.begin(), e.groups.end(), std::int64_t{0});
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    if (e.count >= least || tagged(e) >= 2) order.push_back(static_cast<std::int32_t>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return entries_[a].count > entries_[b].count;
  });
  if (order.size() > most) order.resize(most);
  Numbered out;
  out.words = {"", ""};
  out.tags = {0, 0};
  std::vector<std::int32_t> number(entries_.size(), 1);
  for (std::int32_t i : order) {
    number[i] = static_cast<std::int32_t>(out.words.size());
    out.words.push_back(entries_[i].word);
    out.tags.push_back(pack_tags(entries_[i].groups));
  }
  out.tokens.reserve(tokens_.size() + 1);
  out.tokens.push_back(0);
  for (std::int32_t t : tokens_) out.tokens.push_back(t < 0 ? 0 : number[t]);
  return out;
}

}  // namespace entente::clusters
