#include "tasks/translation/grammar.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "entente/error.h"

namespace entente::translation {

class GrammarReader {
 public:
  explicit GrammarReader(LineSource& file) : file_(file) {}

  Grammar read() {
    while (file_.read_line(line_)) {
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      if (line_.find_first_not_of(" \t") != std::string::npos) add_rule();
    }
    if (g_.rules_.empty()) throw Error("expected rules, found none", file_.place(0));
    spread_features();
    return std::move(g_);
  }

 private:
  struct Field {
    std::string_view text;
    int column = 1;
  };

  [[noreturn]] void fail(const std::string& message, int column) const {
    throw Error(message, file_.place(column));
  }

  // Words of a field with their columns.
  static std::vector<Field> words_of(const Field& field) {
    std::vector<Field> out;
    std::size_t at = field.text.find_first_not_of(" \t");
    while (at != std::string_view::npos) {
      const std::size_t end = std::min(field.text.find_first_of(" \t", at), field.text.size());
      out.push_back({field.text.substr(at, end - at), field.column + static_cast<int>(at)});
      at = field.text.find_first_not_of(" \t", end);
    }
    return out;
  }

  std::vector<Field> fields() const {
    std::vector<Field> out;
    std::size_t at = 0;
    while (true) {
      const std::size_t bar = line_.find("|||", at);
      const std::size_t end = std::min(bar, line_.size());
      out.push_back({std::string_view(line_).substr(at, end - at), static_cast<int>(at) + 1});
      if (bar == std::string::npos) return out;
      at = bar + 3;
    }
  }

  int label(std::string_view text) { return add(g_.labels_, text); }
  static int add(NameTable& table, std::string_view text) {
    const int known = table.find(text);
    return known >= 0 ? known : table.add(table.keep(std::string(text))).index;
  }

  // "[X,1]" -> label and number; nothing if it is a word.
  std::optional<std::pair<int, int>> nonterminal(const Field& field) {
    const std::string_view t = field.text;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (t.size() < 5 || t.front() != '[' || t.back() != ']' || t[t.size() - 3] != ',' ||
        !is_digit(t[t.size() - 2])) {
      refuse_if_broken(field);
      return {};
    }
    const char digit = t[t.size() - 2];
    if (digit != '1' && digit != '2') {
      fail("expected nonterminal 1 or 2, found " + quoted(t), field.column);
    }
    return std::pair{label(t.substr(1, t.size() - 4)), digit - '1'};
  }

  // Words may have brackets; but what would be a nonterminal if a bracket or its number were there is not meant as a word.
  void refuse_if_broken(const Field& field) const {
    const std::string_view t = field.text, label = g_.labels_.name(head_);
    const auto numbered = [](std::string_view s) {  // "X,1"
      return s.size() >= 3 && s[s.size() - 2] == ',' && s.back() >= '0' && s.back() <= '9';
    };
    const bool opened = t.front() == '[', closed = t.back() == ']';
    const std::string_view inside = t.substr(opened, t.size() - opened - (t.size() > 1 && closed));
    const bool of_head =
        inside.starts_with(label) && inside.size() > label.size() && inside[label.size()] == ',';
    const bool broken = opened && closed ? of_head || inside == label
                        : opened         ? of_head || numbered(inside)
                                         : closed && of_head && numbered(inside);
    if (broken) {
      fail("expected a nonterminal such as [" + std::string(label) + ",1], found " + quoted(t),
           field.column);
    }
  }

  void add_rule() {
    const std::vector<Field> parts = fields();
    if (parts.size() < 3) {
      fail("expected `[X] ||| source ||| target ||| features`", 1);
    }
    const std::vector<Field> head = words_of(parts[0]);
    if (head.size() != 1 || head[0].text.size() < 3 || head[0].text.front() != '[' ||
        head[0].text.back() != ']') {
      fail("expected a nonterminal such as [X]", head.empty() ? 1 : head[0].column);
    }
    Grammar::Rule rule;
    rule.label = label(head[0].text.substr(1, head[0].text.size() - 2));
    head_ = rule.label;
    const int node = add_source(words_of(parts[1]), parts[1].column, rule);
    add_target(words_of(parts[2]), parts[2].column, rule);
    if (parts.size() > 3) add_features(words_of(parts[3]));
    rule.features = static_cast<std::uint32_t>(g_.rules_.size());
    first_value_.push_back(values_.size());
    g_.nodes_[node].rules.push_back(static_cast<std::int32_t>(g_.rules_.size()));
    g_.rules_.push_back(rule);
  }

  int add_source(const std::vector<Field>& words, int column, Grammar::Rule& rule) {
    if (words.empty()) fail("expected a source side", column);
    int node = 0, nonterminals = 0;
    for (const Field& word : words) {
      std::int64_t key;
      if (const auto n = nonterminal(word)) {
        if (n->second != nonterminals) {
          fail("nonterminals of the source are numbered in their order", word.column);
        }
        ++nonterminals;
        rule.labels[n->second] = n->first;
        key = Grammar::label_key(n->first, n->second);
      } else {
        key = add(g_.source_, word.text);
      }
      const auto [at, fresh] =
          g_.nodes_[node].next.try_emplace(key, static_cast<std::int32_t>(g_.nodes_.size()));
      node = at->second;
      if (fresh) g_.nodes_.emplace_back();
    }
    if (static_cast<int>(words.size()) == nonterminals && nonterminals == 1) {
      fail("a rule from one nonterminal to one would go round in circles", words[0].column);
    }
    return node;
  }

  void add_target(const std::vector<Field>& words, int column, Grammar::Rule& rule) {
    rule.target = static_cast<std::uint32_t>(g_.targets_.size());
    rule.target_size = static_cast<std::uint32_t>(words.size());
    bool seen[2] = {};
    for (const Field& word : words) {
      if (const auto n = nonterminal(word)) {
        if (rule.labels[n->second] != n->first || seen[n->second]) {
          fail("expected each nonterminal of the source once, found " + quoted(word.text),
               word.column);
        }
        seen[n->second] = true;
        g_.targets_.push_back(-1 - n->second);
      } else {
        g_.targets_.push_back(add(g_.target_, word.text));
      }
    }
    for (int k = 0; k < 2; ++k) {
      if ((rule.labels[k] >= 0) != seen[k]) {
        fail("nonterminal " + std::to_string(k + 1) + " is missing in the target", column);
      }
    }
  }

  void add_features(const std::vector<Field>& words) {
    int place = 0;
    for (const Field& word : words) {
      std::string_view text = word.text;
      std::string name;
      if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
        name = text.substr(0, equals);
        text = text.substr(equals + 1);
      } else {
        name = "tm" + std::to_string(place++);
      }
      const auto value = parse_number(text);
      if (!value || std::abs(*value) > 1e9) {
        fail("expected a feature such as 0.5 or name=0.5, found " + quoted(word.text), word.column);
      }
      const auto at = std::find(g_.feature_names_.begin(), g_.feature_names_.end(), name);
      const auto index = static_cast<std::int32_t>(at - g_.feature_names_.begin());
      if (at == g_.feature_names_.end()) {
        if (g_.feature_names_.size() >= 256) fail("more than 256 features", word.column);
        g_.feature_names_.push_back(name);
      }
      values_.emplace_back(index, static_cast<float>(*value));
    }
  }

  // Values by rule, now that all names are known.
  void spread_features() {
    g_.features_.assign(g_.rules_.size() * g_.feature_names_.size(), 0);
    std::size_t begin = 0;
    for (std::size_t r = 0; r < g_.rules_.size(); ++r) {
      for (std::size_t k = begin; k < first_value_[r]; ++k) {
        g_.features_[r * g_.feature_names_.size() + values_[k].first] += values_[k].second;
      }
      begin = first_value_[r];
    }
  }

  LineSource& file_;
  std::string line_;
  Grammar g_;
  int head_ = 0;  // the label of the rule being read
  std::vector<std::pair<std::int32_t, float>> values_;
  std::vector<std::size_t> first_value_;  // one past the values of each rule
};

Grammar read_grammar(LineSource& file) { return GrammarReader(file).read(); }

}  // namespace entente::translation
