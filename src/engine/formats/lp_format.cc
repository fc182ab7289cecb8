// CPLEX LP for 0/1 problems, read: sections and rows. lp_text.h has the pieces, lp_build.cc makes the graph, lp_write.cc writes;
// docs/formats.md says what is understood.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/formats/lp_names.h"
#include "engine/formats/lp_problem.h"
#include "engine/formats/lp_text.h"
#include "engine/formats/readers.h"

namespace entente {

namespace {

class LpReader {
 public:
  explicit LpReader(const Source& source) : text_(source) {
    problem_.ours = source.text.starts_with(kLpHeader);
  }

  const LpProblem& run() {
    using Section = LpText::Section;
    read_objective();
    Section section = text_.next_section();
    while (section != Section::end) {
      if (section == Section::constraints) read_constraints();
      if (section == Section::bounds) read_bounds();
      if (section == Section::binary || section == Section::general)
        read_kinds(section == Section::binary);
      section = text_.next_section();
    }
    if (!text_.done()) text_.fail(text_.offset(), "expected nothing after \"End\"");
    return problem_;
  }

 private:
  int variable(std::size_t offset, std::string_view raw) {
    const auto [index, fresh] = problem_.variables.add(raw);
    if (!fresh) return index;
    check_name(offset, raw);
    problem_.first.push_back(offset);
    problem_.scores.push_back(0);
    problem_.lower.push_back(0);
    problem_.upper.push_back(kInfinity);
    problem_.integer.push_back(false);
    row_of_.push_back(-1);
    term_of_.push_back(0);
    return index;
  }

  void check_name(std::size_t offset, std::string_view raw) {
    if (problem_.ours && !decode_lp_name(raw))
      text_.fail(offset,
                 "a name in this file has ~ not followed by the code of a byte that needs it");
  }

  // Terms until something that does not continue a sum. Returns the constant; terms go to problem_.terms,
  // those of one variable joined.
  double take_sum() {
    const int sum = sum_count_++;
    double constant = 0;
    bool first = true;
    while (!text_.at_section()) {
      const bool sign_given = text_.peek() == '+' || text_.peek() == '-';
      if (!first && !sign_given) break;
      double coefficient = text_.take_sign();
      const bool number = text_.at_number();
      if (number) coefficient *= text_.take_number();
      if (text_.at_name() && !text_.at_section()) {
        const std::size_t offset = text_.offset();
        add_term(variable(offset, text_.take_name()), coefficient, sum);
      } else if (number) {
        constant += coefficient;
      } else {
        text_.unexpected("a number or a variable");
      }
      first = false;
    }
    return constant;
  }

  void add_term(int v, double coefficient, int sum) {
    if (row_of_[v] == sum) {
      problem_.terms[term_of_[v]].coefficient += coefficient;
      return;
    }
    row_of_[v] = sum;
    term_of_[v] = problem_.terms.size();
    problem_.terms.push_back({v, coefficient});
  }

  void read_objective() {
    const std::string word = text_.word_ahead();
    const bool maximize = word.starts_with("max");
    if (!is_lp_keyword(word) || (!maximize && !word.starts_with("min")))
      text_.fail(text_.offset(), "expected \"Maximize\" or \"Minimize\"");
    text_.move(word.size());
    text_.take_title();
    const std::size_t offset = text_.offset();
    const double sign = maximize ? 1 : -1;
    problem_.constant = text_.at_section() ? 0.0 : sign * take_sum();
    if (!std::isfinite(problem_.constant))
      text_.fail(offset, "the objective's constant is too large");
    if (text_.peek() == '[' || text_.peek() == '*' || text_.peek() == '^') text_.unexpected("");
    for (const LpProblem::Term& t : problem_.terms) {
      problem_.scores[t.variable] = sign * t.coefficient;
      if (!std::isfinite(t.coefficient))
        text_.fail(offset, "a coefficient of the objective is too large");
    }
    problem_.terms.clear();
  }

  void read_constraints() {
    while (!text_.at_section()) read_row();
  }

  void read_row() {
    LpProblem::Row row{text_.offset(), problem_.terms.size(), 0, -kInfinity, kInfinity, -1};
    const std::string_view title = text_.take_title();
    if (!title.empty()) row.rule = rule_of(row.offset, title);
    // number op sum [op number], or sum op number
    double constant = 0;
    if (text_.starts_with_constant()) {
      const double left = text_.take_constant();
      bound(row, text_.take_operator(), left, true);
      constant = take_sum();
      if (text_.at_operator()) {
        const char which = text_.take_operator();
        bound(row, which, text_.take_constant(), false);
      }
    } else {
      constant = take_sum();
      const char which = text_.take_operator();
      if (text_.at_name() && !text_.word_ahead().starts_with("inf"))
        text_.fail(text_.offset(), "expected a number: variables stand on the left");
      bound(row, which, text_.take_constant(), false);
    }
    row.lower -= constant;
    row.upper -= constant;
    if (std::isnan(row.lower) || std::isnan(row.upper))
      text_.fail(row.offset, "a number of this row is too large");
    row.end = problem_.terms.size();
    problem_.rows.push_back(row);
  }

  static void bound(LpProblem::Row& row, char which, double x, bool number_first) {
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
    std::string_view name = problem_.ours ? problem_.rules.keep(*decode_lp_name(title)) : title;
    const std::size_t mark = name.rfind('#');
    if (mark != std::string_view::npos && mark + 1 < name.size() &&
        name.find_first_not_of("0123456789", mark + 1) == std::string_view::npos)
      name = name.substr(0, mark);
    return problem_.rules.add(name).index;
  }

  void read_bounds() {
    while (!text_.at_section()) {
      if (!text_.at_name() || text_.starts_with_constant()) {
        const double left = text_.take_constant();
        const char which = text_.take_operator();
        const int v = bounded_variable();
        bound_variable(v, which, left, true);
        if (text_.at_operator()) {
          const char second = text_.take_operator();
          bound_variable(v, second, text_.take_constant(), false);
        }
        continue;
      }
      const std::size_t offset = text_.offset();
      const int v = bounded_variable();
      if (text_.at_name() && text_.word_ahead() == "free")
        text_.fail(offset, "the variable is free, but must be 0 or 1");
      const char which = text_.take_operator();
      bound_variable(v, which, text_.take_constant(), false);
    }
  }

  int bounded_variable() {
    if (!text_.at_name()) text_.unexpected("a variable");
    const std::size_t offset = text_.offset();
    return variable(offset, text_.take_name());
  }

  void bound_variable(int v, char which, double x, bool number_first) {
    if (which == '=' || (which == '<') == number_first) problem_.lower[v] = x;
    if (which == '=' || (which == '<') != number_first) problem_.upper[v] = x;
  }

  void read_kinds(bool binary) {
    while (!text_.at_section()) {
      const int v = bounded_variable();
      problem_.integer[v] = true;
      if (!binary) continue;
      problem_.lower[v] = std::max(problem_.lower[v], 0.0);
      problem_.upper[v] = std::min(problem_.upper[v], 1.0);
    }
  }

  LpText text_;
  LpProblem problem_;
  int sum_count_ = 0;
  std::vector<int> row_of_;  // the last sum each variable occurred in, and where
  std::vector<std::size_t> term_of_;
};

}  // namespace

void read_lp(const Source& source, Graph& out) {
  LpReader reader(source);
  build_lp_graph(source, reader.run(), out);
}

}  // namespace entente
