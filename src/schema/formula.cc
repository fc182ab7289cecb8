#include "schema/formula.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace entente::schema {

namespace {

constexpr std::array<std::pair<std::string_view, Op>, 5> kTextAtoms = {
    {{"before", Op::before},
     {"overlaps", Op::overlaps},
     {"inside", Op::inside},
     {"same_text", Op::same_text},
     {"same_sentence", Op::same_sentence}}};
constexpr int kMaxDepth = 60, kMaxVariables = 12;

enum class Token : std::uint8_t { end, name, quoted, symbol };

class Parser {
 public:
  using Fail = std::function<void(std::size_t, const std::string&)>;
  Parser(std::string_view text, const FormulaNames& names, const Fail& fail)
      : text_(text), names_(names), fail_(fail) {
    advance();
  }

  Formula run() {
    out_.root = quantified(0);
    if (token_ != Token::end) stop("expected the end of the rule, found " + found());
    return std::move(out_);
  }

 private:
  // ---- tokens
  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || static_cast<unsigned char>(c) >= 0x80;
  }
  bool at(std::string_view symbol) const { return text_.substr(next_, symbol.size()) == symbol; }

  void advance() {
    while (next_ < text_.size() && std::string_view(" \t\r\n").find(text_[next_]) != text_.npos)
      ++next_;
    begin_ = next_;
    if (next_ >= text_.size()) {
      token_ = Token::end;
      word_ = {};
    } else if (text_[next_] == '\'') {
      const std::size_t close = text_.find('\'', next_ + 1);
      if (close == text_.npos) stop("this name has no closing '");
      word_ = text_.substr(next_ + 1, close - next_ - 1);
      next_ = close + 1;
      token_ = Token::quoted;
    } else if (in_name(text_[next_])) {
      // A hyphen belongs to the name, unless it begins an arrow.
      while (next_ < text_.size() && (in_name(text_[next_]) || (text_[next_] == '-' && !at("->"))))
        ++next_;
      word_ = text_.substr(begin_, next_ - begin_);
      token_ = Token::name;
    } else {
      std::size_t size = 1;
      for (std::string_view s : {"<->", "->", "!=", "&&", "||"}) {
        if (at(s)) {
          size = s.size();
          break;
        }
      }
      word_ = text_.substr(next_, size);
      next_ += size;
      token_ = Token::symbol;
    }
  }
  bool is(std::string_view word) const {
    return word_ == word && (token_ == Token::name || token_ == Token::symbol);
  }
  bool take(std::string_view word) {
    if (!is(word)) return false;
    advance();
    return true;
  }
  bool take(std::string_view word, std::string_view symbol) { return take(word) || take(symbol); }
  void need(std::string_view symbol) {
    if (!take(symbol)) stop("expected \"" + std::string(symbol) + "\", found " + found());
  }
  std::string found() const { return token_ == Token::end ? "the end of the rule" : quoted(word_); }
  void stop(const std::string& message) const { fail_(begin_, message); }

  // ---- the tree
  int add(FormulaNode node) {
    out_.nodes.push_back(node);
    return static_cast<int>(out_.nodes.size()) - 1;
  }
  int join(Op op, int left, int right) { return add({.op = op, .child = left, .child2 = right}); }
  int negate(int node) { return add({.op = Op::lnot, .child = node}); }

  bool at_quantifier() const { return is("forall") || is("exists") || is("for"); }

  int quantified(int depth) {
    if (depth > kMaxDepth) stop("this rule is nested too deeply");
    if (!at_quantifier()) return equivalence(depth);
    const Op op = is("exists") ? Op::exists : Op::forall;
    if (take("for")) {
      if (!is("all")) stop("expected \"for all\", found " + found());
    }
    advance();
    const int first = static_cast<int>(out_.variables.size());
    do {
      declare();
    } while (take(","));
    const int last = static_cast<int>(out_.variables.size());
    need(":");
    const int body = quantified(depth + 1);
    for (int v = first; v < last; ++v) bound_[v] = false;
    return add({.op = op, .a = first, .b = last, .child = body});
  }

  void declare() {
    if (token_ != Token::name) stop("expected a variable, found " + found());
    if (out_.variables.size() >= kMaxVariables)
      stop("more than " + std::to_string(kMaxVariables) + " variables in one rule");
    for (std::size_t v = 0; v < out_.variables.size(); ++v) {
      if (bound_[v] && out_.variables[v] == word_)
        stop("the variable " + quoted(word_) + " is already in use here");
    }
    bound_[out_.variables.size()] = true;
    out_.variables.emplace_back(word_);
    advance();
  }

  int equivalence(int depth) {
    int left = implication(depth);
    while (take("iff", "<->")) {
      const int right = implication(depth + 1);
      // Both ways round, by sharing the subtrees.
      left = join(Op::land, join(Op::lor, negate(left), right), join(Op::lor, left, negate(right)));
      grow();
    }
    return left;
  }
  int implication(int depth) {
    const int left = disjunction(depth);
    if (!take("implies", "->")) return left;
    if (depth > kMaxDepth) stop("this rule is nested too deeply");
    const int right = at_quantifier() ? quantified(depth + 1) : implication(depth + 1);
    return join(Op::lor, negate(left), right);
  }
  int disjunction(int depth) {
    int left = conjunction(depth);
    while (is("or") || is("|") || is("||")) {
      advance();
      left = join(Op::lor, left, conjunction(depth));
      grow();
    }
    return left;
  }
  int conjunction(int depth) {
    int left = unary(depth);
    while (is("and") || is("&") || is("&&")) {
      advance();
      left = join(Op::land, left, unary(depth));
      grow();
    }
    return left;
  }
  // Joined nodes lean to the left: their number is a depth too.
  void grow() {
    if (out_.nodes.size() > 400) stop("this rule is too long");
  }

  int unary(int depth) {
    if (depth > kMaxDepth) stop("this rule is nested too deeply");
    if (take("not", "!")) return negate(unary(depth + 1));
    if (at_quantifier()) return quantified(depth + 1);
    if (take("(")) {
      const int inner = quantified(depth + 1);
      need(")");
      return inner;
    }
    return atom();
  }

  int variable() {
    if (token_ != Token::name) stop("expected a variable, found " + found());
    for (int v = static_cast<int>(out_.variables.size()) - 1; v >= 0; --v) {
      if (bound_[v] && out_.variables[v] == word_) {
        advance();
        return v;
      }
    }
    stop("unknown variable " + quoted(word_) +
         "; \"forall x: ...\" or \"exists x: ...\" makes one");
    return -1;
  }

  int atom() {
    if (token_ != Token::name && token_ != Token::quoted)
      stop("expected an atom such as person(x), found " + found());
    const std::string name(word_);
    const std::size_t where = begin_;
    if (token_ == Token::name && is_variable(name)) return equality();
    const bool plain = token_ == Token::name;
    advance();
    need("(");
    const int a = variable();
    const int b = take(",") ? variable() : -1;
    need(")");
    if (const int fact = names_.fact(name); fact >= 0)
      return add({.op = Op::fact, .a = a, .b = b, .symbol = fact});
    if (b < 0) {
      const int type = names_.type(name);
      if (type < 0 && !(plain && name == "entity"))
        fail_(where, names_.relation(name) >= 0
                         ? "the relation " + quoted(name) + " needs two variables"
                         : "unknown entity type " + quoted(name));
      return add({.op = Op::type, .a = a, .symbol = type});
    }
    if (const int relation = names_.relation(name); relation >= 0)
      return add({.op = Op::relation, .a = a, .b = b, .symbol = relation});
    for (const auto& [word, op] : kTextAtoms) {
      if (plain && name == word) return add({.op = op, .a = a, .b = b});
    }
    fail_(where, names_.type(name) >= 0 ? "the type " + quoted(name) + " needs one variable"
                                        : "unknown relation " + quoted(name));
    return -1;
  }

  bool is_variable(std::string_view name) const {
    for (std::size_t v = 0; v < out_.variables.size(); ++v) {
      if (bound_[v] && out_.variables[v] == name) return !opens_bracket();
    }
    return false;
  }
  bool opens_bracket() const {
    const std::size_t i = text_.find_first_not_of(" \t\r\n", next_);
    return i != text_.npos && text_[i] == '(';
  }
  int equality() {
    const int a = variable();
    const bool differ = is("!=");
    if (!differ && !is("=")) stop("expected \"=\" or \"!=\", found " + found());
    advance();
    const int node = add({.op = Op::same, .a = a, .b = variable()});
    return differ ? negate(node) : node;
  }

  std::string_view text_;
  const FormulaNames& names_;
  const Fail& fail_;
  Formula out_;
  std::array<bool, kMaxVariables + 1> bound_{};
  std::size_t next_ = 0, begin_ = 0;
  Token token_ = Token::end;
  std::string_view word_;
};

}  // namespace

bool Formula::uses_text() const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const FormulaNode& n) { return n.op >= Op::before && n.op != Op::same; });
}

Formula parse_formula(std::string_view text, const FormulaNames& names, const Parser::Fail& fail) {
  return Parser(text, names, fail).run();
}

}  // namespace entente::schema
