// toulbar2's wcsp: whole-number costs to minimise. The scale and the constant that make our scores
// such costs travel in the problem's name: entente_<scale>_<constant>, value = (constant - cost) /
// scale.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/formats/domains.h"
#include "engine/formats/expand.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

constexpr std::int64_t kMostCost = std::int64_t{1} << 62;
constexpr std::int64_t kMaxScale = 1000000;
// Entries of dense tables that a short text may ask for by giving few tuples.
constexpr std::int64_t kFreeEntries = 1 << 20;

class WcspReader {
 public:
  WcspReader(const Source& source, Graph& graph)
      : words_(source),
        domains_(words_, source.text.size(), graph),
        graph_(graph),
        size_(static_cast<std::int64_t>(source.text.size())),
        budget_(kFreeEntries + 16 * size_) {}

  void run() {
    read_name(words_.word("the problem's name"));
    const auto variables = words_.integer("the number of variables", 0, size_);
    const auto most =
        words_.integer("the largest domain size", 0, std::numeric_limits<std::int32_t>::max());
    const auto functions = words_.integer("the number of functions", 0, size_);
    upper_bound_ = words_.integer("the upper bound", 0, std::numeric_limits<std::int64_t>::max());
    for (std::int64_t v = 0; v < variables; ++v) {
      domains_.read_variable();
      if (domains_.domain(static_cast<int>(v)) > most)
        words_.fail(words_.last(),
                    "this domain is larger than the largest declared, " + std::to_string(most));
    }
    for (std::int64_t f = 0; f < functions; ++f) read_function();
    if (!words_.done()) words_.fail(words_.offset(), "expected nothing after the last function");
    domains_.set_scope({});
    domains_.add_constant(static_cast<double>(constant_) / scale_);
  }

 private:
  // entente_<scale>_<constant>; any other name means 1 and 0.
  void read_name(std::string_view name) {
    constexpr std::string_view kPrefix = "entente_";
    const std::size_t second = name.find('_', kPrefix.size());
    if (!name.starts_with(kPrefix) || second == std::string_view::npos) return;
    const auto scale = parse_integer(name.substr(kPrefix.size(), second - kPrefix.size()));
    const auto constant = parse_integer(name.substr(second + 1));
    if (!scale || !constant || *scale < 1 || *scale > kMaxScale || std::abs(*constant) > kMostCost)
      return;
    scale_ = static_cast<double>(*scale);
    constant_ = *constant;
  }

  double read_cost() {
    const auto cost = words_.integer("a cost", 0, std::numeric_limits<std::int64_t>::max());
    return cost >= upper_bound_ ? -kInfinity : -static_cast<double>(cost) / scale_;
  }

  void read_function() {
    const std::size_t offset = words_.offset();
    const auto arity =
        words_.integer("the arity of a function", std::numeric_limits<std::int64_t>::min(),
                       std::max<std::int64_t>(domains_.size(), 0));
    if (arity < 0)
      words_.fail(offset, "shared and global cost functions (negative arity) are not supported");
    domains_.read_scope(arity);
    const std::size_t at = words_.offset();
    if (words_.left() > 1 && words_.peek() == '-')
      words_.fail(at, "global cost functions (a negative default cost) are not supported");
    const double usual = read_cost();
    const auto tuples = words_.integer("the number of tuples", 0, size_);
    read_tuples(usual, tuples, offset);
  }

  void read_tuples(double usual, std::int64_t tuples, std::size_t offset) {
    // Arity 0: the default cost is the function.
    const std::int64_t entries = domains_.entries(kMostCost, offset);
    const bool clauses = usual == 0 && domains_.scope().size() > 2 && entries / 16 > tuples + 4;
    if (!clauses) {
      budget_ -= entries;
      if (budget_ < 0) words_.fail(offset, "the tables are too large for a text of this size");
      dense_.assign(entries, usual);
    }
    indices_.clear();
    for (std::int64_t t = 0; t < tuples; ++t) {
      const std::size_t begin = words_.offset();
      std::int64_t index = 0;
      literals_.clear();
      for (int v : domains_.scope()) {
        const auto state = words_.integer("a value", 0, domains_.domain(v) - 1);
        index = index * domains_.domain(v) + state;
        if (clauses) literals_.push_back(!Literal(graph_.groups()[v][static_cast<int>(state)]));
      }
      const double score = read_cost();
      indices_.push_back({index, begin});
      if (!clauses) {
        dense_[index] = score;
      } else if (score != 0) {
        graph_.add_at_least_one(literals_, Rule{-1, -score});
      }
    }
    check_twice();
    if (!clauses) domains_.add_table(dense_);
  }

  void check_twice() {
    std::sort(indices_.begin(), indices_.end());
    for (std::size_t i = 1; i < indices_.size(); ++i) {
      if (indices_[i].first == indices_[i - 1].first)
        words_.fail(indices_[i].second, "this tuple occurs twice");
    }
  }

  Words words_;
  Domains domains_;
  Graph& graph_;
  const std::int64_t size_;
  std::int64_t budget_;
  std::int64_t upper_bound_ = 0, constant_ = 0;
  double scale_ = 1;
  std::vector<double> dense_;
  std::vector<std::pair<std::int64_t, std::size_t>>
      indices_;  // tuples of a function and their places
  std::vector<Literal> literals_;
};

class WcspWriter {
 public:
  explicit WcspWriter(const Graph& graph) : m_(graph) { m_.work_out(true); }

  std::string run() {
    choose_scale();
    each_function([&](std::span<const double> scores) { plan(scores); });
    if (infeasible_) constant_ = 0;
    // Where all is whole, say so with a scale of 1: others' problems come back as they were.
    divisor_ = 1;
    if (common_ % scale_ == 0 && constant_ % scale_ == 0) divisor_ = scale_;
    forbidden_ = forbidden_ / divisor_ + 1;
    int most = 0, count = 0;
    std::string domains, functions;
    std::size_t index = 0;
    for (int v = 0; v < m_.size(); ++v) {
      most = std::max(most, m_.domain(v));
      domains += (v ? " " : "") + std::to_string(m_.domain(v));
      count += write_dense(functions, std::span(&v, 1), m_.unary(v), best_[index++], true);
    }
    for (const Function& f : m_.functions()) {
      count += f.sparse ? write_sparse(functions, f)
                        : write_dense(functions, f.scope, f.scores, best_[index], false);
      ++index;
    }
    std::string out = "entente";
    append_number(out += '_', scale_ / divisor_);
    append_number(out += '_', constant_ / divisor_);
    append_number(out += ' ', m_.size());
    append_number(out += ' ', most);
    append_number(out += ' ', count);
    append_number(out += ' ', forbidden_);
    return out + "\n" + domains + "\n" + functions;
  }

 private:
  // The scores of every function; sparse ones stand for 0 and their score.
  template <class Visit>
  void each_function(const Visit& visit) const {
    for (int v = 0; v < m_.size(); ++v) visit(m_.unary(v));
    for (const Function& f : m_.functions()) {
      const double two[] = {0, f.score};
      visit(f.sparse ? std::span<const double>(two) : std::span<const double>(f.scores));
    }
  }

  static std::pair<double, double> best_and_worst(std::span<const double> scores) {
    double best = -kInfinity, worst = kInfinity;
    for (double s : scores) {
      if (s == -kInfinity) continue;
      best = std::max(best, s);
      worst = std::min(worst, s);
    }
    return {best, worst};
  }

  // As fine as the sum of all costs allows.
  void choose_scale() {
    double total = 0;
    each_function([&](std::span<const double> scores) {
      const auto [best, worst] = best_and_worst(scores);
      if (best != -kInfinity) total += best - worst + std::abs(best);
    });
    // Units that doubles of this size cannot tell apart would come back as others.
    scale_ = kMaxScale;
    while (scale_ > 1 && total * static_cast<double>(scale_) > 0x1p50) scale_ /= 10;
    if (!(total * static_cast<double>(scale_) <= 0x1p61))
      throw Error("the scores are too large for wcsp's whole-number costs");
  }

  std::int64_t units(double score) const {
    return std::llround(score * static_cast<double>(scale_));
  }

  // Costs count from a function's best score, which goes to the constant.
  void plan(std::span<const double> scores) {
    const auto [best, worst] = best_and_worst(scores);
    best_.push_back(best == -kInfinity ? 0 : units(best));
    infeasible_ = infeasible_ || best == -kInfinity;
    if (best == -kInfinity) return;
    constant_ += units(best);
    forbidden_ += units(best) - units(worst);
    for (double s : scores) {
      if (s != -kInfinity) common_ = std::gcd(common_, units(best) - units(s));
    }
  }

  std::int64_t cost(double score, std::int64_t best) const {
    return score == -kInfinity ? forbidden_ : (best - units(score)) / divisor_;
  }

  // Returns whether there was anything to say: a cost of 0 everywhere is not, unless asked for.
  bool write_dense(std::string& out, std::span<const int> scope, std::span<const double> scores,
                   std::int64_t best, bool always) {
    std::map<std::int64_t, std::int64_t> count;
    for (double s : scores) ++count[cost(s, best)];
    std::int64_t usual = count.begin()->first;
    for (const auto& [c, n] : count) {
      if (n > count[usual]) usual = c;
    }
    if (!always && usual == 0 && count.size() == 1) return false;
    head(out, scope, usual, static_cast<std::int64_t>(scores.size()) - count[usual]);
    for (std::size_t e = 0; e < scores.size(); ++e) {
      const std::int64_t c = cost(scores[e], best);
      if (c == usual) continue;
      std::size_t rest = e;
      states_.resize(scope.size());
      for (std::size_t i = scope.size(); i-- > 0;) {
        states_[i] = static_cast<std::int32_t>(rest % m_.domain(scope[i]));
        rest /= m_.domain(scope[i]);
      }
      tuple(out, states_, c);
    }
    return true;
  }

  bool write_sparse(std::string& out, const Function& f) {
    const std::size_t arity = f.scope.size(), tuples = f.tuples.size() / arity;
    const std::int64_t c = cost(f.score, 0);
    if (c == 0) return false;
    head(out, f.scope, 0, static_cast<std::int64_t>(tuples));
    for (std::size_t t = 0; t < tuples; ++t)
      tuple(out, std::span(f.tuples).subspan(t * arity, arity), c);
    return true;
  }

  void head(std::string& out, std::span<const int> scope, std::int64_t usual, std::int64_t tuples) {
    append_number(out, static_cast<std::int64_t>(scope.size()));
    for (int v : scope) append_number(out += ' ', v);
    append_number(out += ' ', usual);
    append_number(out += ' ', tuples);
    out += '\n';
  }
  void tuple(std::string& out, std::span<const std::int32_t> states, std::int64_t c) {
    for (std::int32_t s : states) {
      append_number(out, s);
      out += ' ';
    }
    append_number(out, c);
    out += '\n';
  }

  MultiValued m_;
  std::int64_t scale_ = 1, divisor_ = 1;  // units are 1 / scale_, costs are divisor_ units
  std::int64_t constant_ = 0;             // in units
  std::int64_t common_ = 0;               // greatest common divisor of the costs in units
  std::int64_t forbidden_ = 0;            // the upper bound: more than all finite costs together
  bool infeasible_ = false;               // some function allows nothing
  std::vector<std::int64_t> best_;        // of each function, in units
  std::vector<std::int32_t> states_;
};

}  // namespace

void read_wcsp(const Source& source, Graph& out) { WcspReader(source, out).run(); }

std::string write_wcsp(const Graph& graph) { return WcspWriter(graph).run(); }

}  // namespace entente
