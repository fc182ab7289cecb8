#include "tasks/frames/facts.h"

#include <algorithm>
#include <string>

#include "corpus/utf8.h"
#include "learn/word_meanings.h"

namespace entente::frames {

namespace {

constexpr std::array<std::string_view, 17> kPosNames = {
    "X",   "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN",
    "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB"};

constexpr std::size_t kShortest = 4;  // words with fewer bytes have no ending to take off

// Collects guesses of base forms of one lower-case word.
class Stems {
 public:
  Stems(std::string_view word, WordFact& fact) : word_(word), fact_(fact) {
    if (word.size() < kShortest) return;
    inflections();
    spellings();
  }

 private:
  bool ends(std::string_view ending) const {
    return word_.size() >= ending.size() + 2 && word_.ends_with(ending);
  }
  // The word without its last `cut` bytes and with `more`.
  void guess(std::size_t cut, std::string_view more) {
    const std::uint32_t hash = text_hash(std::string(word_.substr(0, word_.size() - cut)) += more);
    if (hash == fact_.lemma || hash == fact_.form) return;
    for (std::uint32_t& stem : fact_.stems) {
      if (stem == hash) return;
      if (stem == 0) {
        stem = hash;
        return;
      }
    }
  }
  void verb(std::size_t ending) {  // "ed", "ing"
    const std::size_t rest = word_.size() - ending;
    guess(ending, "");
    guess(ending, "e");
    if (rest >= 3 && word_[rest - 1] == word_[rest - 2]) guess(ending + 1, "");
  }
  void inflections() {
    if (ends("ies") || ends("ied")) {
      guess(3, "y");
    } else if (ends("ing")) {
      verb(3);
    } else if (ends("ed")) {
      verb(2);
    } else if (ends("men")) {
      guess(3, "man");
    } else if (ends("es")) {
      guess(1, "");
      guess(2, "");
    } else if (ends("s")) {
      guess(1, "");
    }
  }
  void spellings() {
    if (ends("isation")) guess(7, "ization");
    if (ends("ise")) guess(3, "ize");
    if (ends("our")) guess(3, "or");
    if (ends("ence")) guess(4, "ense");
    if (ends("tre")) guess(3, "ter");
    if (ends("ter")) guess(3, "tre");
  }

  std::string_view word_;
  WordFact& fact_;
};

bool is_number(std::string_view form) {
  bool digit = false;
  for (const char c : form) {
    if (c >= '0' && c <= '9') {
      digit = true;
    } else if (c != ',' && c != '.') {
      return false;
    }
  }
  return digit;
}

}  // namespace

Pos pos_of(std::string_view upos) {
  const auto* at = std::find(kPosNames.begin(), kPosNames.end(), upos);
  return at == kPosNames.end() ? Pos::other : static_cast<Pos>(at - kPosNames.begin());
}

std::uint32_t text_hash(std::string_view lower_case) { return word_meaning_hash(lower_case); }

void append_facts(const Sentence& sentence, std::vector<WordFact>& facts) {
  for (int i = 0; i < sentence.size(); ++i) {
    const Word& word = sentence.words[i];
    WordFact& fact = facts.emplace_back();
    const std::string lower = unicode::to_lower(word.form);
    fact.form = text_hash(lower);
    const bool number = is_number(word.form);
    fact.lemma = number              ? text_hash("#")
                 : word.lemma == "_" ? fact.form
                                     : text_hash(unicode::to_lower(word.lemma));
    fact.tag = text_hash(word.xpos == "_" ? word.upos : word.xpos);
    fact.deprel = text_hash(word.deprel);
    fact.pos = pos_of(word.upos);
    const bool good =
        word.head > 0 && word.head <= std::min(sentence.size(), 32767) && word.head - 1 != i;
    fact.head = static_cast<std::int16_t>(good ? word.head - 1 : -1);
    fact.flags = static_cast<std::uint8_t>((lower != word.form ? WordFact::kCapital : 0) |
                                           (number ? WordFact::kDigits : 0) |
                                           (i == 0 ? WordFact::kFirst : 0));
    Stems(lower, fact);
  }
}

void FactTree::begin(std::span<const WordFact> facts) {
  const std::size_t n = facts.size();
  first_.assign(n + 1, 0);
  for (const WordFact& f : facts) {
    if (f.head >= 0) ++first_[f.head + 1];
  }
  for (std::size_t i = 0; i < n; ++i) first_[i + 1] += first_[i];
  place_.assign(first_.begin(), first_.end() - 1);
  children_.resize(first_[n]);
  for (std::size_t i = 0; i < n; ++i) {
    if (facts[i].head >= 0) children_[place_[facts[i].head]++] = static_cast<std::int32_t>(i);
  }
}

int head_of(std::span<const WordFact> facts, std::span<const int> target) {
  for (const int word : target) {
    if (std::find(target.begin(), target.end(), facts[word].head) == target.end()) return word;
  }
  return target[0];
}

}  // namespace entente::frames
