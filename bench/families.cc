#include "bench/families.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/random.h"
#include "entente/error.h"

namespace entente::bench {

namespace {

constexpr std::string_view kNames[] = {
    "arguments", "arguments-hard", "relations", "relations-large", "potts", "mixed",
    "rows",      "sparse",         "classic",   "documents",       "bins",  "sequences"};

// ---- entities and relations

// Types of the arguments of relation 1..5; see kRelations.
constexpr int kFirst[] = {-1, 1, 0, 2, 0, 0};
constexpr int kSecond[] = {-1, 1, 2, 1, 1, 0};

// Scores of (relation, type of an argument): 0 where the relation allows the type.
struct TypeRules {
  std::array<double, kRelations * kEntityTypes> first, second;
};
constexpr TypeRules type_rules() {
  TypeRules out{};
  for (int r = 1; r < kRelations; ++r) {
    for (int type = 0; type < kEntityTypes; ++type) {
      out.first[r * kEntityTypes + type] = type == kFirst[r] ? 0 : -kInfinity;
      out.second[r * kEntityTypes + type] = type == kSecond[r] ? 0 : -kInfinity;
    }
  }
  return out;
}
constexpr TypeRules kTypeRules = type_rules();

// Writes log-probabilities: noise, and a bonus for the truth.
void log_probabilities(Random& r, double noise, double bonus, int truth, std::span<double> out) {
  double most = -kInfinity, sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = r.normal(0, noise) + (static_cast<int>(i) == truth ? bonus : 0.0);
    most = std::max(most, out[i]);
  }
  for (double x : out) sum += std::exp(x - most);
  for (double& x : out) x -= most + std::log(sum);
}

RelationsProblem make_relations(Random& r, int entities) {
  RelationsProblem p;
  p.entities = entities;
  p.entity_scores.resize(static_cast<std::size_t>(entities) * kEntityTypes);
  p.pair_scores.resize(static_cast<std::size_t>(entities) * (entities - 1) * kRelations);
  std::vector<int> type(entities);
  for (int i = 0; i < entities; ++i) {
    type[i] = r.below(kEntityTypes);
    log_probabilities(r, 1.0, 1.0, type[i],
                      std::span(p.entity_scores).subspan(i * kEntityTypes, kEntityTypes));
  }
  std::size_t pair = 0;
  for (int i = 0; i < entities; ++i) {
    for (int j = 0; j < entities; ++j) {
      if (i == j) continue;
      int truth = 0;
      for (int k = 1; k < kRelations; ++k) {
        if (kFirst[k] == type[i] && kSecond[k] == type[j] && r.chance(0.5)) truth = k;
      }
      log_probabilities(r, 1.0, truth == 0 ? 2.0 : 1.5, truth,
                        std::span(p.pair_scores).subspan(pair++ * kRelations, kRelations));
    }
  }
  return p;
}

PottsProblem make_potts(Random& r, int side) {
  PottsProblem p{.rows = side, .columns = side, .states = 5, .scores = {}, .pair_scores = {}};
  const int edges = 2 * side * (side - 1);
  p.scores.resize(static_cast<std::size_t>(side) * side * p.states);
  p.pair_scores.resize(static_cast<std::size_t>(edges) * p.states * p.states);
  for (double& s : p.scores) s = r.normal();
  for (double& s : p.pair_scores) s = r.normal();
  return p;
}

int scaled(int count, double scale) {
  return std::max(1, static_cast<int>(std::lround(count * scale)));
}

// ---- sizes (bench/README.md)

constexpr int kRelationSizes[] = {20, 40, 80, 160};
constexpr int kPottsSizes[] = {10, 20, 30, 40};
constexpr int kMixedSizes[] = {10, 20, 40, 80, 120, 200, 300, 400};
constexpr int kSparseSizes[] = {1000, 3000, 10000, 30000, 100000};
constexpr int kClassicKinds = 12;
constexpr int kHardRow = 8;  // every eighth problem of rows is one of arguments-hard
struct DocumentSize {
  int spans, pairs;
};
constexpr DocumentSize kDocumentSizes[] = {{100, 300}, {400, 1200}, {1000, 3000}};
constexpr int kLimits = 3;
struct BinSize {
  int items, bins;
};
constexpr BinSize kBinSizes[] = {{12, 6}, {14, 6}, {16, 6}};
constexpr int kBinKinds = 4;
constexpr int kSequenceSizes[] = {20, 30, 40};

int problems_of(std::string_view name, double scale) {
  auto of_sizes = [&](int times, std::size_t sizes) {
    return scaled(times, scale) * static_cast<int>(sizes);
  };
  if (name == "arguments") return scaled(4458, scale);
  if (name == "arguments-hard") return scaled(500, scale);
  if (name == "relations") return scaled(2000, scale);
  if (name == "relations-large") return of_sizes(4, std::size(kRelationSizes));
  if (name == "potts") return of_sizes(2, std::size(kPottsSizes));
  if (name == "mixed") return of_sizes(25, std::size(kMixedSizes));
  if (name == "rows") return of_sizes(50, kHardRow);
  if (name == "sparse") return of_sizes(2, std::size(kSparseSizes));
  if (name == "classic") return of_sizes(5, kClassicKinds);
  if (name == "bins") return of_sizes(4, std::size(kBinSizes) * kBinKinds);
  if (name == "sequences") return of_sizes(8, std::size(kSequenceSizes));
  return of_sizes(2, std::size(kDocumentSizes) * kLimits * 2);
}

// Sizes grow from one round of the twelve kinds to the next, of which there are five.
GraphProblem make_classic(Random& r, int kind, int round) {
  const int grow = round % 5;
  switch (kind) {
    case 0:
      return make_pigeonhole(r, 7 + grow, 6 + grow);
    case 1:
      return make_pigeonhole(r, 6 + 2 * grow, 7 + 2 * grow);
    case 2:
      return make_knapsack(r, 30 + 15 * grow, 1);
    case 3:
      return make_knapsack(r, 20 + 5 * grow, 3);
    case 4:
      return make_assignment(r, 10 + 10 * grow);
    case 5:
      return make_packing(r, 50 + 50 * grow, 60 + 60 * grow);
    case 6:
      return make_packing(r, 100 + 50 * grow, 60 + 30 * grow);
    case 7:
      return make_colouring(r, 15 + 5 * grow, 3, 3.5);
    case 8:
      return make_colouring(r, 15 + 5 * grow, 4, 5.0);
    case 9:
      return make_colouring(r, 20 + 5 * grow, 3, 6.0);  // mostly no colouring
    case 10:
      return make_queens(r, 6 + 2 * grow);
    default:
      return make_pigeonhole(r, 15 + 5 * grow, 14 + 5 * grow);
  }
}

Raw make_problem(std::string_view name, Random& r, int i, std::uint64_t seed) {
  auto size = [&](const auto& sizes) { return sizes[i % std::size(sizes)]; };
  if (name == "arguments") return make_arguments(r);
  if (name == "arguments-hard") return make_arguments_hard(r);
  if (name == "relations") return make_relations(r, r.between(2, 12));
  if (name == "relations-large") return make_relations(r, size(kRelationSizes));
  if (name == "potts") return make_potts(r, size(kPottsSizes));
  if (name == "rows") {
    ArgumentsProblem p = i % kHardRow == 0 ? make_arguments_hard(r) : make_arguments(r);
    p.as_rows = true;
    return p;
  }
  if (name == "mixed") return make_mixed(r, size(kMixedSizes), i % 5 == 4);
  if (name == "sparse") return make_sparse(r, size(kSparseSizes));
  if (name == "classic") return make_classic(r, i % kClassicKinds, i / kClassicKinds);
  if (name == "bins") {
    const BinSize s = kBinSizes[i / kBinKinds % std::size(kBinSizes)];
    return make_bins(r, s.items, s.bins, static_cast<BinKind>(i % kBinKinds));
  }
  if (name == "sequences") return make_counted_sequence(r, size(kSequenceSizes), 4);
  const int round = i / static_cast<int>(std::size(kDocumentSizes));
  const DocumentSize document = size(kDocumentSizes);
  return make_limited_document(seed * 1000 + i, document.spans, document.pairs, 1 + round % kLimits,
                               round / kLimits % 2 == 1);
}

}  // namespace

std::span<const std::string_view> family_names() { return kNames; }

Family make_family(std::string_view name, std::uint64_t seed, double scale) {
  Family out{std::string(name), {}};
  // Each family has its own stream, and each problem its own: a smaller scale is a prefix.
  std::uint64_t number = 0;
  const auto* known = std::find(std::begin(kNames), std::end(kNames), name);
  if (known == std::end(kNames)) throw Error("no problem family \"" + out.name + "\"");
  const std::uint64_t base = (seed * 16 + static_cast<std::uint64_t>(known - kNames)) << 20;
  auto random = [&] { return Random(base + number++); };
  auto add = [&](Raw&& problem) { out.problems.emplace_back(std::move(problem)); };
  for (int i = 0; i < problems_of(name, scale); ++i) {
    Random r = random();
    add(make_problem(name, r, i, seed));
  }
  return out;
}

void build(const RelationsProblem& raw, Graph& out) {
  const int n = raw.entities;
  out.add_groups(raw.entity_scores, kEntityTypes);
  const Group first_pair = out.add_groups(raw.pair_scores, kRelations);
  const Rule first = out.rule("first_argument"), second = out.rule("second_argument");
  const Table first_type = out.table(kRelations, kEntityTypes, kTypeRules.first);
  const Table second_type = out.table(kRelations, kEntityTypes, kTypeRules.second);
  Group pair = first_pair;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      out.add_table(pair, Group{i * kEntityTypes, kEntityTypes}, first_type, first);
      out.add_table(pair, Group{j * kEntityTypes, kEntityTypes}, second_type, second);
      pair.first += kRelations;
    }
  }
}

void build(const PottsProblem& raw, Graph& out) {
  const int k = raw.states;
  for (int cell = 0; cell < raw.rows * raw.columns; ++cell) {
    out.add_group(std::span(raw.scores).subspan(cell * k, k));
  }
  const double* scores = raw.pair_scores.data();
  auto add_edge = [&](int a, int b) {
    out.add_table(Group{a * k, k}, Group{b * k, k}, std::span(scores, k * k));
    scores += k * k;
  };
  for (int row = 0; row < raw.rows; ++row) {
    for (int column = 0; column < raw.columns; ++column) {
      const int cell = row * raw.columns + column;
      if (column + 1 < raw.columns) add_edge(cell, cell + 1);
      if (row + 1 < raw.rows) add_edge(cell, cell + raw.columns);
    }
  }
}

void build(const GraphProblem& raw, Graph& out) { out = raw.graph; }

void build(const Raw& raw, Graph& out) {
  out.clear();
  std::visit([&](const auto& problem) { build(problem, out); }, raw);
}

namespace {

class Hash {  // FNV-1a over 64-bit words
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001B3ull; }
  void add(std::span<const double> numbers) {
    // In millionths: the last bits of a logarithm differ between libraries.
    for (double x : numbers) add(static_cast<std::uint64_t>(std::llround(x * 1e6)));
  }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325ull;
};

void add(Hash& h, const ArgumentsProblem& p) {
  h.add(static_cast<std::uint64_t>(p.roles));
  h.add(p.scores);
  for (Interval i : p.spans) h.add(static_cast<std::uint64_t>(i.begin * 1000 + i.end));
  for (auto [a, b] : p.excludes) h.add(static_cast<std::uint64_t>(a * 1000 + b));
  for (auto [a, b] : p.requires_both) h.add(static_cast<std::uint64_t>(a * 1000 + b));
}
void add(Hash& h, const RelationsProblem& p) {
  h.add(p.entity_scores);
  h.add(p.pair_scores);
}
void add(Hash& h, const PottsProblem& p) {
  h.add(p.scores);
  h.add(p.pair_scores);
}
void add(Hash& h, const GraphProblem& p) {
  h.add(p.graph.scores());
  for (int f = 0; f < p.graph.factor_count(); ++f) {
    const FactorView view = p.graph.factor(f);
    h.add(static_cast<std::uint64_t>(view.shape));
    for (Literal l : view.links) h.add(l.code);
    for (double x : view.values) h.add(std::bit_cast<std::uint64_t>(x == -kInfinity ? -1e9 : x));
    for (Interval i : view.intervals) h.add(static_cast<std::uint64_t>(i.begin * 1000 + i.end));
    h.add(std::bit_cast<std::uint64_t>(view.cost));
  }
}

}  // namespace

std::uint64_t fingerprint(const Family& family) {
  Hash h;
  for (const Raw& raw : family.problems) {
    std::visit([&](const auto& problem) { add(h, problem); }, raw);
  }
  return h.state();
}

}  // namespace entente::bench
