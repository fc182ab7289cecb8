#include "corpus/evaluation.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "corpus/conllu.h"
#include "corpus/evaluation_words.h"
#include "corpus/utf8.h"

namespace entente {

using evaluation::CharacterRange;
using evaluation::Side;
using evaluation::WordPlace;

namespace {

// Up to `n` characters of the text around byte `at`, for messages.
std::string around(const std::string& text, std::size_t at, int n) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return std::string(first_characters(std::string_view(text).substr(at), n));
}

// Where in the files the differing byte is: the sentence's number and its id, if it has one.
std::string place_of(const Side& side, std::span<const Sentence> sentences, std::size_t at) {
  std::size_t k = 0;
  while (k < side.sentences.size() && side.sentences[k].end <= static_cast<std::int64_t>(at)) ++k;
  if (k >= sentences.size()) return "the end";
  std::string out = "sentence " + std::to_string(k + 1);
  const std::string_view id = comment_value(sentences[k], "sent_id");
  return id.empty() ? out : out + " (" + std::string(id) + ")";
}

void check_same_text(const Side& gold, const Side& system, std::span<const Sentence> gold_sentences,
                     std::span<const Sentence> system_sentences, const std::string& gold_name,
                     const std::string& system_name) {
  if (gold.text == system.text) return;
  const auto [g, s] =
      std::mismatch(gold.text.begin(), gold.text.end(), system.text.begin(), system.text.end());
  const auto at = static_cast<std::size_t>(g - gold.text.begin());
  const auto show = [&](const Side& side) {
    return at >= side.text.size() ? std::string("the text ends")
                                  : quoted(around(side.text, at, 20));
  };
  throw Error("the texts differ: " + show(system) + " in " +
                  place_of(system, system_sentences, at) + ", but " + show(gold) + " in " +
                  place_of(gold, gold_sentences, at) + " of " + gold_name +
                  "; both files must be of the same text (spaces do not count)",
              {.file = system_name});
}

Score score_spans(std::string name, const std::vector<CharacterRange>& gold,
                  const std::vector<CharacterRange>& system) {
  Score score{std::move(name), static_cast<std::int64_t>(gold.size()),
              static_cast<std::int64_t>(system.size())};
  for (std::size_t g = 0, s = 0; g < gold.size() && s < system.size();) {
    if (gold[g] == system[s]) {
      ++score.correct;
      ++g;
      ++s;
    } else if (gold[g].begin < system[s].begin ||
               (gold[g].begin == system[s].begin && gold[g].end < system[s].end)) {
      ++g;
    } else {
      ++s;
    }
  }
  return score;
}

std::string_view main_relation(std::string_view deprel) {
  return deprel.substr(0, deprel.find(':'));
}

bool is_content(const WordPlace& word) {
  static constexpr std::string_view kContent[] = {
      "nsubj",  "obj",        "iobj",       "csubj",  "ccomp",     "xcomp",    "obl",   "vocative",
      "expl",   "dislocated", "advcl",      "advmod", "discourse", "nmod",     "appos", "nummod",
      "acl",    "amod",       "conj",       "fixed",  "flat",      "compound", "list",  "parataxis",
      "orphan", "goeswith",   "reparandum", "root",   "dep"};
  return std::find(std::begin(kContent), std::end(kContent), main_relation(word.word->deprel)) !=
         std::end(kContent);
}

// The universal features, sorted.
std::string universal_features(const std::string& feats) {
  static constexpr std::string_view kUniversal[] = {
      "PronType", "NumType", "Poss",  "Reflex",   "Foreign",  "Abbr",     "Gender",
      "Animacy",  "Number",  "Case",  "Definite", "Degree",   "VerbForm", "Mood",
      "Tense",    "Aspect",  "Voice", "Evident",  "Polarity", "Person",   "Polite"};
  std::vector<std::string_view> kept;
  for (std::size_t begin = 0; begin < feats.size();) {
    const std::size_t end = std::min(feats.find('|', begin), feats.size());
    const std::string_view item(feats.data() + begin, end - begin);
    const auto is_named = [&](std::string_view name) {
      return item.starts_with(name) && (item.size() == name.size() || item[name.size()] == '=');
    };
    if (std::any_of(std::begin(kUniversal), std::end(kUniversal), is_named)) kept.push_back(item);
    begin = end + 1;
  }
  std::sort(kept.begin(), kept.end());
  std::string out;
  for (std::string_view item : kept) out += std::string(item) + "|";
  return out;
}

// Counts over words: those that `counts` takes, right where `same` says so of an aligned pair.
class WordScorer {
 public:
  WordScorer(const Side& gold, const Side& system, std::vector<int> to_gold)
      : gold_(gold), system_(system), to_gold_(std::move(to_gold)) {}

  using Counts = std::function<bool(const WordPlace&)>;
  using Same = std::function<bool(const WordPlace& gold, const WordPlace& system)>;

  Score score(std::string name, const Same& same, const Counts& counts = nullptr) const {
    Score out{std::move(name)};
    const auto number = [&](const std::vector<WordPlace>& words) -> std::int64_t {
      return counts ? std::count_if(words.begin(), words.end(), counts)
                    : static_cast<std::int64_t>(words.size());
    };
    out.gold = number(gold_.words);
    out.system = number(system_.words);
    out.aligned = 0;
    for (std::size_t s = 0; s < to_gold_.size(); ++s) {
      if (to_gold_[s] < 0) continue;
      const WordPlace& gold = gold_.words[to_gold_[s]];
      if (counts && !counts(gold)) continue;
      ++out.aligned;
      if (same(gold, system_.words[s])) ++out.correct;
    }
    return out;
  }

  bool same_head(const WordPlace& gold, const WordPlace& system) const {
    if (gold.parent < 0 || system.parent < 0) return gold.parent == system.parent;
    return to_gold_[system.parent] == gold.parent;
  }

 private:
  const Side &gold_, &system_;
  std::vector<int> to_gold_;
};

bool has_layer(std::span<const Sentence> sentences, std::string Word::*field) {
  for (const Sentence& s : sentences) {
    for (const Word& w : s.words) {
      if (w.*field != "_") return true;
    }
  }
  return false;
}

bool has_heads(std::span<const Sentence> sentences) {
  for (const Sentence& s : sentences) {
    for (const Word& w : s.words) {
      if (w.head >= 0) return true;
    }
  }
  return false;
}

void score_trees(const WordScorer& words, std::vector<Score>& out) {
  const auto uas = [&](const WordPlace& g, const WordPlace& s) { return words.same_head(g, s); };
  const auto las = [&](const WordPlace& g, const WordPlace& s) {
    return words.same_head(g, s) && main_relation(g.word->deprel) == main_relation(s.word->deprel);
  };
  out.push_back(words.score("UAS", uas));
  out.push_back(words.score("LAS", las));
  out.push_back(words.score("CLAS", las, is_content));
}

}  // namespace

const Score* Evaluation::find(std::string_view name) const {
  for (const Score& score : scores) {
    if (score.name == name) return &score;
  }
  return nullptr;
}

Evaluation evaluate(std::span<const Sentence> gold, std::span<const Sentence> system,
                    const std::string& gold_name, const std::string& system_name) {
  const Side g = evaluation::make_side(gold), s = evaluation::make_side(system);
  check_same_text(g, s, gold, system, gold_name, system_name);
  Evaluation out;
  out.scores.push_back(score_spans("Tokens", g.tokens, s.tokens));
  out.scores.push_back(score_spans("Sentences", g.sentences, s.sentences));
  const WordScorer words(g, s, evaluation::align_words(g, s));
  out.scores.push_back(words.score("Words", [](const auto&, const auto&) { return true; }));
  const auto equal = [](std::string Word::*field) {
    return [field](const WordPlace& a, const WordPlace& b) {
      return a.word->*field == b.word->*field;
    };
  };
  if (has_layer(gold, &Word::upos)) out.scores.push_back(words.score("UPOS", equal(&Word::upos)));
  if (has_layer(gold, &Word::xpos)) out.scores.push_back(words.score("XPOS", equal(&Word::xpos)));
  if (has_layer(gold, &Word::feats))
    out.scores.push_back(words.score("UFeats", [](const WordPlace& a, const WordPlace& b) {
      return a.word->feats == b.word->feats ||
             universal_features(a.word->feats) == universal_features(b.word->feats);
    }));
  if (has_layer(gold, &Word::lemma))
    out.scores.push_back(words.score("Lemmas", [](const WordPlace& a, const WordPlace& b) {
      return a.word->lemma == "_" || a.word->lemma == b.word->lemma;
    }));
  if (has_heads(gold)) score_trees(words, out.scores);
  return out;
}

}  // namespace entente
