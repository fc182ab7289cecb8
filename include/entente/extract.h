// Extraction under a schema: scores of spans and pairs in, the best entities and relations that keep every rule out.
//
//   extract::Schema schema = extract::Schema::load("news.schema.json");   // docs/schema.md
//   extract::Decoder decoder(schema);                                     // one per thread
//   extract::Proposals p{.spans = spans, .span_scores = {scores.data(), 28, 5}, ...};
//   extract::Extraction e;
//   decoder.decode(p, {}, e);
//   for (const extract::Entity& x : e.entities) use(spans[x.span], schema.types()[x.type]);
//
//   std::string answer = decoder.decode_json(line);        // or as the command does: JSON in, JSON out
//
// Scores are log-odds, probabilities or log-probabilities; a candidate is worth its log-odds above the threshold of
// its type or relation, and what is not chosen is worth 0. NaN and -infinity mean "not proposed". The answer is the
// best under these scores, and `bound` proves it. A Schema is a value that threads may share; a Decoder keeps its
// memory and serves one thread at a time. Errors are entente::Error, with file, line and column where there are any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entente/matrix.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente::schema {
struct Schema;
}

namespace entente::extract {

class Schema {
 public:
  // mode: "entente", "gliner2" or "gliner2_unchecked" (docs/schema.md); empty: as the schema says.
  static Schema load(const std::string& path, std::string_view mode = "");
  static Schema parse(std::string_view json, std::string_view name = "schema",
                      std::string_view mode = "");

  const std::vector<std::string>& types() const;
  const std::vector<std::string>& relations() const;
  const std::vector<std::string>& rules() const;
  const std::vector<std::string>& facts() const;
  const std::string& json() const;  // what it was read from
  const std::string& mode() const;  // as it was given here
  const schema::Schema& parts() const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;  // immutable: copies share it
};

struct SpanOf {
  std::int32_t begin = 0, end = 0;  // half-open; characters or words
};
struct PairOf {
  std::int32_t head = 0, tail = 0;  // indices of spans
};

enum class Scores : std::uint8_t { log_odds, probability, log_probability };

// Something known from elsewhere: true, or true unless it is given up for its score.
struct FactOf {
  std::int32_t name = 0, first = 0,
               second = -1;  // of Schema::facts(); spans; -1: of the first alone
  double score = kHard;
};

// What a model proposes for one text.
struct Proposals {
  std::span<const SpanOf> spans;
  MatrixView span_scores;  // spans x types
  std::span<const PairOf> pairs;
  MatrixView pair_scores;  // pairs x relations
  std::span<const FactOf> facts = {};
};

struct DecodeOptions {
  Scores scores = Scores::log_odds;
  Options engine = {};
  bool explain = false;  // active, paid and conflicting rules, margins, reasons
  int k_best = 0;
};

struct Entity {
  std::int32_t span = 0, type = 0;
  double weight = 0;
  double margin = 0;  // explain: what the total loses without it
};
struct Relation {
  std::int32_t pair = 0;  // -1: not proposed, added by a rule
  std::int32_t relation = 0, head = 0, tail = 0;
  std::int32_t head_type = 0, tail_type = 0;  // as which its ends were chosen
  double weight = 0;
  double margin = 0;
};
struct Alternative {
  double value = 0;
  std::vector<Entity> entities;
  std::vector<Relation> relations;
};

// Why a candidate was chosen or not (explain).
struct Reason {
  bool relation = false;             // or an entity
  std::int32_t type = 0;             // of types() or relations()
  std::int32_t head = 0, tail = -1;  // spans; an entity's is the head
  double weight = 0;
  bool kept = false;
  // Kept: what the answer would lose without it (infinite: it must be there). Not kept: what the best answer with it
  // loses (infinite: it cannot be there). NaN: time ran out.
  double margin = 0;
  std::vector<std::string>
      because;  // "score", "one type", and rules that break if it alone is changed
};

struct Extraction {
  Status status = Status::unknown;
  double value = 0, bound = 0;
  std::vector<Entity> entities;     // by span, then type
  std::vector<Relation> relations;  // by relation, head, tail
  std::vector<std::string> active_rules, paid_rules, conflict;
  std::vector<Alternative> k_best;
  std::vector<Reason> reasons;
};

class Decoder {
 public:
  explicit Decoder(Schema schema);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // Throws Error where sizes do not fit, a span is empty or a pair names no span.
  void decode(const Proposals& proposals, const DecodeOptions& options, Extraction& out);
  // One line of candidates (docs/schema.md), the answer as one line without its end.
  std::string decode_json(std::string_view line, const DecodeOptions& options = {});

  const Schema& schema() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace entente::extract
