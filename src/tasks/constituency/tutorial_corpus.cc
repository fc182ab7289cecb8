// Section 3 of the tutorial: tags of a whole corpus, and alignments in both directions.
#include <algorithm>

#include "tasks/constituency/tutorial_show.h"

namespace entente::constituency {

namespace {

// One tagger a sentence; only those with a changed price are decoded again (section 4).
class ToyCorpus : public AgreementModel {
 public:
  ToyCorpus(int size, std::vector<ForestModel> sentences, std::vector<int> sentence_of)
      : size_(size),
        sentences_(std::move(sentences)),
        sentence_of_(std::move(sentence_of)),
        values_(sentences_.size(), 0.0) {}
  int size() const override { return size_; }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    std::vector<std::int32_t> all(size_);
    for (int i = 0; i < size_; ++i) all[i] = i;
    return maximize_again(prices, all, on);
  }
  double maximize_again(std::span<const double> prices, std::span<const std::int32_t> changed,
                        std::span<std::uint8_t> on) override {
    double sum = 0;
    std::vector<std::uint8_t> mine(size_);
    decoded.emplace_back();
    for (std::size_t s = 0; s < sentences_.size(); ++s) {
      if (std::any_of(changed.begin(), changed.end(),
                      [&](int i) { return sentence_of_[i] == static_cast<int>(s); })) {
        values_[s] = sentences_[s].maximize(prices, mine);
        for (int i = 0; i < size_; ++i) {
          if (sentence_of_[i] == static_cast<int>(s)) on[i] = mine[i];
        }
        decoded.back() += (decoded.back().empty() ? "" : ",") + std::to_string(s + 1);
      }
      sum += values_[s];
    }
    return sum;
  }
  double score(std::span<const std::uint8_t> on) override {
    double sum = 0;
    std::vector<std::uint8_t> mine(size_);
    for (std::size_t s = 0; s < sentences_.size(); ++s) {
      for (int i = 0; i < size_; ++i) {
        mine[i] = sentence_of_[i] == static_cast<int>(s) ? on[i] : std::uint8_t{0};
      }
      sum += sentences_[s].score(mine);
    }
    return sum;
  }
  std::string text(int s) const { return sentences_[s].text(); }
  std::vector<std::string> decoded;  // by round

 private:
  int size_;
  std::vector<ForestModel> sentences_;
  std::vector<int> sentence_of_;
  std::vector<double> values_;
};

// Tokens of one type, `penalty` for each that has another tag than the type.
ListModel type_list(const IndicatorTable& table, int tokens, double penalty) {
  std::vector<double> scores;
  std::vector<std::vector<std::uint8_t>> rows;
  std::vector<int> choice(tokens, 0);
  const auto fill = [&](const auto& self, int token) -> void {
    if (token == tokens) {
      std::vector<std::uint8_t> row(table.entries.size(), 0);
      int most = 0;
      for (const int c : choice) {
        most = std::max<int>(
            most, static_cast<int>(std::count_if(choice.begin(), choice.end(), [&](int d) {
              return table.entries[d].label == table.entries[c].label;
            })));
        row[c] = 1;
      }
      rows.push_back(std::move(row));
      scores.push_back(-penalty * (tokens - most));
      return;
    }
    for (std::size_t i = 0; i < table.entries.size(); ++i) {
      if (table.entries[i].column != token) continue;
      choice[token] = static_cast<int>(i);
      self(self, token + 1);
    }
  };
  fill(fill, 0);
  return {std::move(scores), std::move(rows)};
}

}  // namespace

// Section 3: tags of a corpus in which the tokens of "man" prefer one tag.
void tutorial_corpus(Narrator& n) {
  n.heading(
      "3. Tags of a whole corpus: a tagger for each sentence, and tokens of a word that prefer one "
      "tag");
  const std::vector<Words> sentences = {{"He", "saw", "an", "American", "man"},
                                        {"The", "smart", "man", "stood", "outside"},
                                        {"Man", "is", "the", "best", "measure"}};
  const ToyChain tagger = {
      {{"*", "P", 1},
       {"P", "V", 1},
       {"V", "D", 1},
       {"D", "A", 1},
       {"A", "N", 1},
       {"N", "V", 1},
       {"*", "V", 1.25},
       {"*", "D", 1},
       {"V", "R", 0.5},
       {"A", "A", 0.5}},
      {{"He", "P", 1},       {"saw", "V", 1},        {"saw", "N", 0.5},  {"an", "D", 1},
       {"American", "A", 1}, {"American", "N", 0.5}, {"man", "N", 0.5},  {"man", "V", 0},
       {"man", "A", 0.25},   {"The", "D", 1},        {"smart", "A", 1},  {"stood", "V", 1},
       {"outside", "R", 1},  {"outside", "N", 0.5},  {"Man", "N", 0.25}, {"Man", "V", 1},
       {"Man", "A", 0},      {"is", "V", 1},         {"the", "D", 1},    {"best", "A", 1},
       {"measure", "N", 1},  {"measure", "V", 0.5}}};
  IndicatorTable table;
  table.columns = {"1: man", "2: man", "3: Man"};
  std::vector<int> sentence_of;
  for (int s = 0; s < 3; ++s) {
    for (const char* tag : {"N", "V", "A"}) {
      table.add(s, tag);
      sentence_of.push_back(s);
    }
  }
  std::vector<ForestModel> models;
  const int place[] = {4, 2, 0};
  for (int s = 0; s < 3; ++s) {
    IndicatorTable own;  // the sentence's words; its indicators have the corpus' numbers
    for (const IndicatorTable::Entry& e : table.entries) {
      own.entries.push_back({e.column == s ? place[s] : -1, e.label});
    }
    models.push_back(toy_tagger(tagger, sentences[s], own));
  }
  ToyCorpus corpus(static_cast<int>(table.entries.size()), models, sentence_of);
  ListModel types = type_list(table, 3, 1);
  n.run(corpus, types, table, {"sentences", "type"}, "Section 3: tags of a corpus", n.options);
  n.text += "  Sentences that were decoded, by round (section 4, only those with a changed price):";
  for (const std::string& s : corpus.decoded) n.text += " " + (s.empty() ? "-" : s) + ";";
  n.text.back() = '\n';
  for (int s = 0; s < 3; ++s) {
    n.text += "  ";
    for (const std::string& w : sentences[s]) n.text += w + " ";
    n.text += ": ";
    n.text += corpus.text(s) + "\n";
  }
}

// Section 3: alignments by two chains, each word of one side taking one of the other.
void tutorial_alignments(Narrator& n) {
  n.heading("4. Alignments in both directions, y(i,j) = z(i,j): French word i and English word j");
  const Words english = {"The", "ugly", "dog", "has", "red", "fur"};
  const Words french = {"Le", "chien", "laid", "a", "fourrure", "rouge"};
  struct Pair {
    const char *french, *english;
    double to_french, to_english;  // what the two directions give it
  };
  const std::vector<Pair> pairs = {{"Le", "The", 3, 3},       {"chien", "dog", 3, 2},
                                   {"chien", "ugly", 1, 2.5}, {"laid", "ugly", 2, 3},
                                   {"laid", "dog", 2.5, 0},   {"a", "has", 3, 3},
                                   {"fourrure", "fur", 3, 3}, {"fourrure", "red", 0, 2.5},
                                   {"rouge", "red", 2, 3},    {"rouge", "fur", 2.25, 1}};
  const int width = static_cast<int>(english.size());
  const auto score = [&](int f, int e, double Pair::*side) {
    for (const Pair& p : pairs) {
      if (french[f] == p.french && english[e] == p.english) return p.*side;
    }
    return -1.0;
  };
  IndicatorTable table;
  table.columns = french;
  for (int f = 0; f < width; ++f) {
    for (int e = 0; e < width; ++e) table.add(f, english[e]);
  }
  ForestModel to_french = toy_aligner(
      width, width, -0.25, [&](int f, int e) { return score(f, e, &Pair::to_french); },
      [&](int f, int e) { return f * width + e; }, width * width);
  ForestModel to_english = toy_aligner(
      width, width, -0.25, [&](int e, int f) { return score(f, e, &Pair::to_english); },
      [&](int e, int f) { return f * width + e; }, width * width);
  n.run(to_french, to_english, table, {"to French", "to English"},
        "Section 3: alignments in both directions", n.options);
  n.text += "  English word of each French one: " + to_french.text() +
            "\n  French word of each English one: " + to_english.text() + "\n";
}

}  // namespace entente::constituency
