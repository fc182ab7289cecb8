// What a model proposes for a text: spans with a score a type, pairs of spans with a score a
// relation; and a reader of it, one JSON object a line (docs/schema.md).
//
//   CandidateReader reader(schema, std::nullopt);
//   reader.add(line, "candidates.jsonl", 7);         // throws Error with file:line:column
//   Candidates c;
//   reader.finish(c);                                // several lines: one document
//
// Scores become weights: log-odds above the type's or relation's threshold, so that a candidate is
// worth choosing by itself if its weight is positive, and not choosing is worth 0. A span is its
// offsets: proposed twice, its best score counts; so for pairs. Offsets count Unicode characters.
// Linear but for sorting; a reader keeps its memory. One thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "schema/schema.h"

namespace entente::schema {

struct Sentence {
  std::string id, text;
  std::string file;
  int line = 0;
  int base = 0;         // of its characters in the document
  bool placed = false;  // the line said so ("offset")
  bool has_text = false;
};

struct Span {
  std::string id, text;
  int start = 0, end = 0;     // as written, but in the document's characters if it was placed
  int begin = 0, finish = 0;  // in the document, where sentences never overlap unless placed so
  int sentence = 0;           // that proposed it first
  int first = 0, last = 0;    // its types: [first, last) of Candidates::types
};

struct TypeScore {
  int span = 0, type = 0;
  double weight = 0, confidence = 0;
  bool weak = false;  // gliner2: below a limit of the schema, there only as a relation's end
};

struct Pair {
  int relation = 0, head = 0, tail = 0;
  int sentence = 0;
  double weight = 0, confidence = 0;
  bool added = false;  // not proposed, but needed by a rule (symmetric, inverse, implied)
};

// What is known from elsewhere: true, or true unless it is given up for its score.
struct Fact {
  int name = 0, a = 0, b = -1;  // of Schema::facts; spans; b -1: of a alone
  double score = kHard;
};

struct Candidates {
  std::string document;
  std::vector<Sentence> sentences;
  std::vector<Span> spans;       // in the order they were proposed
  std::vector<TypeScore> types;  // by span, then type
  std::vector<Pair> pairs;       // by relation, head, tail
  std::vector<Fact> facts;       // by name, spans
  // gliner2: a span is one type at one place; of each the span it was proposed as. Otherwise empty.
  std::vector<int> origin;

  // Index of a pair, -1 if it is not there.
  int find(int relation, int head, int tail) const;
  int find_fact(int name, int a, int b) const;
  void clear();
};

// Sorts types and pairs, keeps the best of equal ones and the schema's max_candidates, and sets the spans' first and
// last: what finish() does, for those who fill in Candidates themselves.
void put_in_order(const Schema& schema, Candidates& candidates);

inline constexpr double kLeastProbability = 1e-9;  // probabilities are kept this far from 0 and 1
inline constexpr int kMostCharacters = 1'000'000'000;

// The weight of a probability p against a threshold; both are kept away from 0 and 1.
double weight_of(double p, double threshold);
double log_odds(double p);

class CandidateReader {
 public:
  // scale: what scores are, whatever schema or lines say.
  CandidateReader(const Schema& schema, std::optional<Scale> scale);

  void add(std::string_view line, std::string_view file, int line_number);
  // All that was added, as one text; the reader is empty then.
  void finish(Candidates& out);
  void clear();

  // From other formats: a sentence, and its spans and pairs by their numbers within it.
  void add_sentence(Sentence sentence);
  int add_span(int start, int end, std::string_view id, std::string_view text, const Place& place);
  void add_type(int span, int type, double probability);
  void add_pair(int head, int tail, int relation, double probability);

 private:
  enum class End : std::uint8_t { head, tail, first, second };  // of a pair, of a fact
  struct Unresolved {  // a pair's or fact's end that is named by an id of another line
    int index;
    End end;
    std::string id;
    Place place;
  };
  struct Score {
    double weight, confidence;
  };

  void read_span(JsonValue v);
  void read_entity(JsonValue v);
  void read_pair(JsonValue v);
  void read_relation(JsonValue v);
  void read_fact(JsonValue v);
  int end_of(JsonValue v, End end);
  template <typename Find, typename Take>
  void read_scores(JsonValue v, Find find, Take take);
  std::optional<Score> score(JsonValue v, std::optional<double> none, double threshold,
                             Scale scale) const;
  double checked(JsonValue v, Scale scale) const;
  Scale scale(JsonValue at) const;
  int offset(JsonValue v, std::string_view what) const;
  std::string_view slice(int start, int end) const;
  void add_scored_pair(int head, int tail, int relation, Score s);
  void resolve();
  void merge_spans();

  const Schema& schema_;
  std::optional<Scale> given_, line_scale_;
  Json json_;
  NameTable types_, relations_, facts_;
  Candidates c_;
  std::vector<Unresolved> unresolved_;
  std::vector<int> byte_of_;  // of each character of the sentence's text; empty: ASCII
  int characters_ = -1;       // of the text; -1: there is none
  int first_span_ = 0;        // of the sentence
  int next_base_ = 0;
  std::unordered_map<std::string, int> ids_;  // of the sentence's spans
  std::vector<int> order_, map_;
};

// The value of "document" of a line, empty if it has none or cannot be read.
std::string document_of(std::string_view line, Json& json);

}  // namespace entente::schema
