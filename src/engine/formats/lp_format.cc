// CPLEX LP for 0/1 problems, read. lp_write.cc writes it; docs/formats.md says what is understood.
#include <cmath>
#include <vector>

#include "engine/formats/lp_names.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

enum class Section { none, constraints, bounds, binary, general, end };

struct Row {
  std::size_t offset;      // in the text
  std::size_t begin, end;  // in the terms
  double lower, upper;
  int rule;  // -1: no name
};

struct Term {
  int variable;
  double coefficient;
};

class LpReader {
 public:
  LpReader(const Source& source, Graph& graph)
      : source_(source), text_(source.text), graph_(graph), ours_(text_.starts_with(kLpHeader)) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  void run() {
    skip();
    read_objective();
    Section section = next_section();
    while (section != Section::end) {
      if (section == Section::constraints) read_constraints();
      if (section == Section::bounds) read_bounds();
      if (section == Section::binary || section == Section::general)
        read_kinds(section == Section::binary);
      section = next_section();
    }
    skip();
    if (at_ < text_.size()) source_.fail(at_, "expected nothing after \"End\"");
    build();
  }

 private:
  // ---- pieces of text; at_ always stands at the next piece

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }

  void skip() {
    while (!done()) {
      const char c = text_[at_];
      if (c == '\\') {
        while (!done() && text_[at_] != '\n') ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else {
        break;
      }
    }
  }

  bool at_line_begin() const {
    std::size_t i = at_;
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\t')) --i;
    return i == 0 || text_[i - 1] == '\n' || text_[i - 1] == '\r' || text_[i - 1] == '\xBF';
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool at_number() const { return is_digit(peek()) || peek() == '.'; }
  bool at_name() const { return !done() && is_lp_name_byte(peek()) && !at_number(); }
  bool at_operator() const { return peek() == '<' || peek() == '>' || peek() == '='; }

  // The name at at_, without moving.
  std::string_view name_ahead() const {
    std::size_t end = at_;
    while (end < text_.size() && is_lp_name_byte(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  void move(std::size_t bytes) {
    at_ += bytes;
    skip();
  }
  std::string_view take_name() {
    const std::string_view name = name_ahead();
    if (!is_utf8(name)) source_.fail(at_, "this name is not UTF-8");
    move(name.size());
    return name;
  }

  // Is at_ at the first word of a section? Only at the beginning of a line, and not before a colon.
  bool at_section() const {
    if (done()) return true;
    if (!at_name() || !at_line_begin()) return false;
    const std::string word = lp_lower_case(name_ahead());
    if (!is_lp_keyword(word) || word == "free" || word.starts_with("inf")) return false;
    std::size_t i = at_ + word.size();
    while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
    return i >= text_.size() || text_[i] != ':';
  }

  Section next_section() {
    if (done()) source_.fail(at_, "expected \"End\"");
    if (!at_section())
      source_.fail(at_, "expected a section such as \"Subject To\", \"Binary\" or \"End\"");
    const std::size_t begin = at_;
    const std::string word = lp_lower_case(name_ahead());
    if (word == "subject" || word == "such") {
      move(word.size());
      if (lp_lower_case(name_ahead()) != (word == "subject" ? "to" : "that"))
        source_.fail(begin, "expected \"Subject To\"");
      move(word == "subject" ? 2 : 4);
      return Section::constraints;
    }
    move(word.size());
    if (word == "st" || word == "s.t." || word == "st.") return Section::constraints;
    if (word.starts_with("bound")) return Section::bounds;
    if (word.starts_with("bin")) return Section::binary;
    if (word.starts_with("gen") || word.starts_with("int")) return Section::general;
    if (word == "end") return Section::end;
    if (word.starts_with("max") || word.starts_with("min"))
      source_.fail(begin, "a second objective");
    source_.fail(begin,
                 "the section " + quoted(text_.substr(begin, word.size())) +
                     " is not supported: every variable must be 0 or 1 and every row linear");
  }

  // What stands at at_ is none of what was expected.
  [[noreturn]] void unexpected(std::string_view expected) const {
    if (peek() == '[' || peek() == '^' || peek() == '*' || peek() == '/')
      source_.fail(at_, "quadratic terms are not supported");
    if (text_.substr(at_, 2) == "->") source_.fail(at_, "indicator rows are not supported");
    source_.fail(at_, "expected " + std::string(expected) +
                          (done() ? ", found the end of the text"
                                  : ", found " + quoted(text_.substr(at_, 1))));
  }

  double take_number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    digits();
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      digits();
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      // "2e" is 2 times a variable called e.
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        end = exponent;
        digits();
      }
    }
    const auto x = parse_number(text_.substr(at_, end - at_));
    if (!x) source_.fail(at_, "this is no number a double can hold");
    if (*x > 1e90) source_.fail(at_, "this number is larger than 1e90");
    move(end - at_);
    return *x;
  }

  double take_sign() {
    double sign = 1;
    while (peek() == '+' || peek() == '-') {
      if (text_.substr(at_, 2) == "->") unexpected("a number");
      if (peek() == '-') sign = -sign;
      move(1);
    }
    return sign;
  }

  // A number with its sign, or infinity.
  double take_constant() {
    const double sign = take_sign();
    if (at_number()) return sign * take_number();
    const std::string word = lp_lower_case(name_ahead());
    if (word != "inf" && word != "infinity") unexpected("a number");
    move(word.size());
    return sign * kInfinity;
  }

  // '<', '>' or '='.
  char take_operator() {
    if (!at_operator()) unexpected("<=, >= or =");
    const char first = peek();
    ++at_;
    char which = first;
    if (peek() == '=' || (first == '=' && (peek() == '<' || peek() == '>'))) {
      if (first == '=') which = peek();
      ++at_;
    }
    skip();
    return which;
  }

  int variable(std::size_t offset, std::string_view raw) {
    const auto [index, fresh] = variables_.add(raw);
    if (!fresh) return index;
    check_name(offset, raw);
    first_.push_back(offset);
    scores_.push_back(0);
    lower_.push_back(0);
    upper_.push_back(kInfinity);
    integer_.push_back(false);
    row_of_.push_back(-1);
    term_of_.push_back(0);
    return index;
  }

  void check_name(std::size_t offset, std::string_view raw) {
    if (ours_ && !decode_lp_name(raw))
      source_.fail(offset,
                   "a name in this file has ~ not followed by the code of a byte that needs it");
  }

  // Terms until something that does not continue a sum. Returns the constant; terms go to terms_,
  // those of one variable joined.
  double take_sum() {
    const int sum = sum_count_++;
    double constant = 0;
    bool first = true;
    while (!at_section()) {
      const bool sign_given = peek() == '+' || peek() == '-';
      if (!first && !sign_given) break;
      double coefficient = take_sign();
      const bool number = at_number();
      if (number) coefficient *= take_number();
      if (at_name() && !at_section()) {
        const std::size_t offset = at_;
        add_term(variable(offset, take_name()), coefficient, sum);
      } else if (number) {
        constant += coefficient;
      } else {
        unexpected("a number or a variable");
      }
      first = false;
    }
    return constant;
  }

  void add_term(int v, double coefficient, int sum) {
    if (row_of_[v] == sum) {
      terms_[term_of_[v]].coefficient += coefficient;
      return;
    }
    row_of_[v] = sum;
    term_of_[v] = terms_.size();
    terms_.push_back({v, coefficient});
  }

  // "name:" if there is one.
  std::string_view take_title() {
    if (!at_name()) return {};
    const std::string_view name = name_ahead();
    const std::size_t before = at_;
    move(name.size());
    if (peek() == ':') {
      move(1);
      if (!is_utf8(name)) source_.fail(before, "this name is not UTF-8");
      return name;
    }
    at_ = before;
    return {};
  }

  // ---- sections

  void read_objective() {
    const std::string word = lp_lower_case(name_ahead());
    const bool maximize = word.starts_with("max");
    if (!is_lp_keyword(word) || (!maximize && !word.starts_with("min")))
      source_.fail(at_, "expected \"Maximize\" or \"Minimize\"");
    move(word.size());
    take_title();
    const std::size_t offset = at_;
    const double sign = maximize ? 1 : -1;
    constant_ = at_section() ? 0.0 : sign * take_sum();
    if (!std::isfinite(constant_)) source_.fail(offset, "the objective's constant is too large");
    if (peek() == '[' || peek() == '*' || peek() == '^') unexpected("");
    for (const Term& t : terms_) {
      scores_[t.variable] = sign * t.coefficient;
      if (!std::isfinite(t.coefficient))
        source_.fail(offset, "a coefficient of the objective is too large");
    }
    terms_.clear();
  }

  void read_constraints() {
    while (!at_section()) read_row();
  }

  void read_row() {
    Row row{at_, terms_.size(), 0, -kInfinity, kInfinity, -1};
    const std::string_view title = take_title();
    if (!title.empty()) row.rule = rule_of(row.offset, title);
    // number op sum [op number], or sum op number
    double constant = 0;
    if (starts_with_constant()) {
      const double left = take_constant();
      bound(row, take_operator(), left, true);
      constant = take_sum();
      if (at_operator()) {
        const char which = take_operator();
        bound(row, which, take_constant(), false);
      }
    } else {
      constant = take_sum();
      const char which = take_operator();
      if (at_name() && !lp_lower_case(name_ahead()).starts_with("inf"))
        source_.fail(at_, "expected a number: variables stand on the left");
      bound(row, which, take_constant(), false);
    }
    row.lower -= constant;
    row.upper -= constant;
    if (std::isnan(row.lower) || std::isnan(row.upper))
      source_.fail(row.offset, "a number of this row is too large");
    row.end = terms_.size();
    rows_.push_back(row);
  }

  // Is what follows a constant and then an operator?
  bool starts_with_constant() {
    const std::size_t before = at_;
    take_sign();
    bool result = false;
    if (at_number()) {
      take_number();
      result = at_operator();
    } else if (at_name()) {
      const std::string word = lp_lower_case(name_ahead());
      move(word.size());
      result = (word == "inf" || word == "infinity") && at_operator();
    }
    at_ = before;
    return result;
  }

  static void bound(Row& row, char which, double x, bool number_first) {
    if (which == '=') {
      row.lower = std::max(row.lower, x);
      row.upper = std::min(row.upper, x);
    } else if ((which == '<') == number_first) {
      row.lower = std::max(row.lower, x);
    } else {
      row.upper = std::min(row.upper, x);
    }
  }

  // Without #number at the end; the same rule for the same name.
  int rule_of(std::size_t offset, std::string_view title) {
    check_name(offset, title);
    std::string_view name = ours_ ? rules_.keep(*decode_lp_name(title)) : title;
    const std::size_t mark = name.rfind('#');
    if (mark != std::string_view::npos && mark + 1 < name.size() &&
        name.find_first_not_of("0123456789", mark + 1) == std::string_view::npos)
      name = name.substr(0, mark);
    return rules_.add(name).index;
  }

  void read_bounds() {
    while (!at_section()) {
      if (!at_name() || starts_with_constant()) {
        const double left = take_constant();
        const char which = take_operator();
        const int v = bounded_variable();
        bound_variable(v, which, left, true);
        if (at_operator()) {
          const char second = take_operator();
          bound_variable(v, second, take_constant(), false);
        }
        continue;
      }
      const std::size_t offset = at_;
      const int v = bounded_variable();
      if (at_name() && lp_lower_case(name_ahead()) == "free")
        source_.fail(offset, "the variable is free, but must be 0 or 1");
      const char which = take_operator();
      bound_variable(v, which, take_constant(), false);
    }
  }

  int bounded_variable() {
    if (!at_name()) unexpected("a variable");
    const std::size_t offset = at_;
    return variable(offset, take_name());
  }

  void bound_variable(int v, char which, double x, bool number_first) {
    if (which == '=' || (which == '<') == number_first) lower_[v] = x;
    if (which == '=' || (which == '<') != number_first) upper_[v] = x;
  }

  void read_kinds(bool binary) {
    while (!at_section()) {
      const int v = bounded_variable();
      integer_[v] = true;
      if (!binary) continue;
      lower_[v] = std::max(lower_[v], 0.0);
      upper_[v] = std::min(upper_[v], 1.0);
    }
  }

  // ---- the graph

  void build() {
    for (int v = 0; v < variables_.size(); ++v) add_variable(v);
    for (int r = 0; r < rules_.size(); ++r) graph_.new_rule(rules_.name(r));
    if (constant_ != 0) {
      // What the objective has without any variable: the score of one that is always 1.
      std::string name = "constant";
      while (variables_.find(name) >= 0) name += '_';
      graph_.fix(graph_.add_variable(constant_, name), true);
    }
    for (const Row& row : rows_) add_row(row);
  }

  void add_variable(int v) {
    const std::string_view raw = variables_.name(v);
    if (!integer_[v])
      source_.fail(first_[v],
                   "the variable " + quoted(raw) +
                       " is continuous: only 0/1 variables (under \"Binary\") are supported");
    const double lower = std::ceil(lower_[v]), upper = std::floor(upper_[v]);
    if (lower < 0 || upper > 1)
      source_.fail(first_[v], "the variable " + quoted(raw) + " has other values than 0 and 1");
    if (lower > upper)
      source_.fail(first_[v], "the bounds of the variable " + quoted(raw) + " leave no value");
    const std::string name = ours_ ? *decode_lp_name(raw) : std::string(raw);
    const Var var = graph_.add_variable(scores_[v], name == "x" + std::to_string(v) ? "" : name);
    if (lower == upper) graph_.fix(var, lower == 1);
  }

  void add_row(const Row& row) {
    literals_.clear();
    coefficients_.clear();
    bool unit = true;
    int negated = 0;
    for (std::size_t t = row.begin; t < row.end; ++t) {
      const double c = terms_[t].coefficient;
      if (c == 0) continue;
      unit = unit && (c == 1 || c == -1);
      negated += c < 0;
      literals_.push_back(Literal(Var{terms_[t].variable}, c < 0));
      coefficients_.push_back(c);
    }
    // Says nothing: what stands in files without rows.
    if (literals_.empty() && row.rule < 0 && row.lower <= 0 && row.upper >= 0) return;
    Rule rule;
    rule.id = row.rule;
    try {
      if (!literals_.empty() && unit &&
          add_unit_row(row.lower + negated, row.upper + negated, negated, rule))
        return;
      for (Literal& l : literals_) l = Literal(Var{l.var()});
      graph_.add_linear(literals_, coefficients_, row.lower, row.upper, rule);
    } catch (const Error& error) {
      throw error.at(source_.place(row.offset));
    }
  }

  // lower <= number of true literals <= upper as the simplest kind; false if it is none.
  bool add_unit_row(double lower, double upper, int negated, Rule rule) {
    const auto n = static_cast<double>(literals_.size());
    const auto whole = [](double x) { return std::isinf(x) || x == std::trunc(x); };
    if (!whole(lower) || !whole(upper) || lower > upper || lower > n || upper < 0) return false;
    const bool pair = literals_.size() == 2, mixed = pair && negated == 1;
    const bool at_least_one = lower == 1 && upper >= n;
    const bool at_most_one = upper == 1 && lower <= 0;
    if (mixed && lower == 1 && upper == 1) {
      graph_.add_equal(Var{literals_[0].var()}, Var{literals_[1].var()}, rule);
    } else if (mixed && (at_least_one || at_most_one)) {
      // Not both of a and !b, or one of !a and b: a -> b.
      const int from = literals_[0].negated() == at_least_one ? 0 : 1;
      graph_.add_implies(Var{literals_[from].var()}, Var{literals_[1 - from].var()}, rule);
    } else if (lower == 1 && upper == 1) {
      graph_.add_exactly_one(literals_, rule);
    } else if (at_most_one && pair) {
      graph_.add_not_both(literals_[0], literals_[1], rule);
    } else if (at_most_one) {
      graph_.add_at_most_one(literals_, rule);
    } else if (at_least_one) {
      graph_.add_at_least_one(literals_, rule);
    } else if (upper == n - 1 && lower <= 0) {
      for (Literal& l : literals_) l = !l;
      graph_.add_at_least_one(literals_, rule);
    } else {
      const double least = std::max(lower, 0.0), most = std::min(upper, n);
      graph_.add_count(literals_, static_cast<int>(least), static_cast<int>(most), rule);
    }
    return true;
  }

  const Source& source_;
  std::string_view text_;
  Graph& graph_;
  const bool ours_;  // written by lp_write.cc: names are encoded
  std::size_t at_ = 0;
  int sum_count_ = 0;
  double constant_ = 0;

  NameTable variables_, rules_;
  std::vector<std::size_t> first_;  // where each variable was first named
  std::vector<double> scores_, lower_, upper_;
  std::vector<bool> integer_;
  std::vector<int> row_of_;  // the last sum each variable occurred in, and where
  std::vector<std::size_t> term_of_;
  std::vector<Term> terms_;
  std::vector<Row> rows_;
  std::vector<Literal> literals_;
  std::vector<double> coefficients_;
};

}  // namespace

void read_lp(const Source& source, Graph& out) { LpReader(source, out).run(); }

}  // namespace entente
