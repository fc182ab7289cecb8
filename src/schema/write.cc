#include "schema/write.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/json.h"

namespace entente::schema {

double rounded(double confidence) { return std::round(confidence * 1e6) / 1e6; }

std::vector<std::string> span_names(const Candidates& c) {
  std::vector<std::string> out(c.spans.size());
  std::unordered_set<std::string> taken;
  for (std::size_t s = 0; s < c.spans.size(); ++s) {
    if (c.spans[s].id.empty()) continue;
    out[s] = c.spans[s].id;
    // The same id in another sentence is another span.
    for (int k = c.spans[s].sentence + 1; !taken.insert(out[s]).second; ++k)
      out[s] = c.spans[s].id + "@" + std::to_string(k);
  }
  for (std::size_t s = 0; s < c.spans.size(); ++s) {
    if (!out[s].empty()) continue;
    out[s] = "e" + std::to_string(s);
    while (!taken.insert(out[s]).second) out[s] += "_";
  }
  return out;
}

std::vector<std::string> ChosenEntities::ids(const std::vector<std::string>& span_names) const {
  std::vector<std::string> out;
  std::unordered_set<std::string> taken(span_names.begin(), span_names.end());
  for (std::size_t k = 0; k < choice_.types.size(); ++k) {
    const TypeScore& t = c_.types[choice_.types[k]];
    const bool again = k > 0 && c_.types[choice_.types[k - 1]].span == t.span;
    out.push_back(span_names[t.span]);
    if (!again) continue;
    out.back() += ":" + schema_.types[t.type].name;
    while (!taken.insert(out.back()).second) out.back() += "_";
  }
  return out;
}

int ChosenEntities::end_of(const Pair& pair, bool head) const {
  const int span = head ? pair.head : pair.tail;
  const std::vector<int>& types =
      head ? schema_.relations[pair.relation].head : schema_.relations[pair.relation].tail;
  const auto first =
      std::lower_bound(choice_.types.begin(), choice_.types.end(), c_.spans[span].first);
  for (auto at = first; at != choice_.types.end() && c_.types[*at].span == span; ++at) {
    if (std::find(types.begin(), types.end(), c_.types[*at].type) != types.end())
      return static_cast<int>(at - choice_.types.begin());
  }
  return static_cast<int>(first - choice_.types.begin());
}

namespace {

class Writer {
 public:
  Writer(const Schema& schema, const Candidates& c, const Extraction& e,
         const WriteOptions& options)
      : schema_(schema), c_(c), e_(e), options_(options), names_(span_names(c)) {}

  std::string run() {
    w_.begin_object();
    if (c_.sentences.size() == 1 && !c_.sentences[0].id.empty())
      w_.key("id").string(c_.sentences[0].id);
    if (!c_.document.empty()) w_.key("document").string(c_.document);
    write_choice(e_.chosen, e_.type_margins, e_.pair_margins);
    w_.key("status").string(status_name(e_.status));
    number("value", e_.value);
    number("bound", e_.bound);
    if (e_.status == Status::infeasible) write_names("conflict", e_.conflict);
    if (!options_.brief) {
      write_names("active_rules", e_.active_rules);
      if (!e_.paid_rules.empty()) write_names("paid_rules", e_.paid_rules);
      w_.key("unconstrained").begin_object();
      number("value", e_.unconstrained.value);
      write_choice(e_.unconstrained, {}, {});
      w_.end_object();
    }
    if (!e_.type_reasons.empty() || !e_.pair_reasons.empty()) write_reasons();
    if (!e_.k_best.empty()) {
      w_.key("k_best").begin_array();
      for (const Choice& choice : e_.k_best) {
        w_.begin_object();
        number("value", choice.value);
        write_choice(choice, {}, {});
        w_.end_object();
      }
      w_.end_array();
    }
    w_.end_object();
    return w_.take() + "\n";
  }

 private:
  void number(const char* key, double x) {
    w_.key(key);
    if (std::isfinite(x)) {
      w_.number(x);
    } else {
      w_.null();
    }
  }

  void write_names(const char* key, const std::vector<std::string>& names) {
    w_.key(key).begin_array();
    for (const std::string& name : names) w_.string(name);
    w_.end_array();
  }

  void write_reason(double weight, bool kept, const Reason& reason) {
    number("weight", weight);
    w_.key("kept").boolean(kept);
    if (!std::isnan(reason.margin)) number("margin", reason.margin);
    write_names("because", reason.because);
    w_.end_object();
  }

  // Companions that nobody needed are no candidates.
  void write_reasons() {
    auto has = [](const std::vector<int>& list, std::size_t i) {
      return std::binary_search(list.begin(), list.end(), static_cast<int>(i));
    };
    w_.key("candidates").begin_array();
    for (std::size_t i = 0; i < c_.types.size(); ++i) {
      const TypeScore& t = c_.types[i];
      w_.begin_object().key("type").string(schema_.types[t.type].name);
      w_.key("span").string(names_[t.span]);
      write_reason(t.weight, has(e_.chosen.types, i), e_.type_reasons[i]);
    }
    for (std::size_t p = 0; p < c_.pairs.size(); ++p) {
      const Pair& pair = c_.pairs[p];
      const bool kept = has(e_.chosen.pairs, p);
      if (pair.added && !kept) continue;
      w_.begin_object().key("type").string(schema_.relations[pair.relation].name);
      w_.key("head").string(names_[pair.head]).key("tail").string(names_[pair.tail]);
      write_reason(pair.weight, kept, e_.pair_reasons[p]);
    }
    w_.end_array();
  }

  void write_choice(const Choice& choice, std::span<const double> type_margins,
                    std::span<const double> pair_margins) {
    // The choice without rules may have a relation of spans that it leaves alone.
    const ChosenEntities entities(schema_, c_, choice);
    const std::vector<std::string> ids = entities.ids(names_);
    std::vector<std::uint8_t> there(c_.spans.size());
    for (int i : choice.types) there[c_.types[i].span] = 1;
    auto end_name = [&](const Pair& p, bool head) {
      const int span = head ? p.head : p.tail;
      return there[span] ? ids[entities.end_of(p, head)] : names_[span];
    };
    w_.key("entities").begin_array();
    for (std::size_t k = 0; k < choice.types.size(); ++k) {
      const TypeScore& t = c_.types[choice.types[k]];
      const Span& span = c_.spans[t.span];
      w_.begin_object().key("id").string(ids[k]);
      w_.key("type").string(schema_.types[t.type].name);
      if (!span.text.empty()) w_.key("text").string(span.text);
      w_.key("start").integer(span.start).key("end").integer(span.end);
      if (options_.document) w_.key("sentence").integer(span.sentence);
      w_.key("confidence").number(rounded(t.confidence));
      if (k < type_margins.size() && !std::isnan(type_margins[k]))
        number("margin", type_margins[k]);
      w_.end_object();
    }
    w_.end_array().key("relations").begin_array();
    for (std::size_t k = 0; k < choice.pairs.size(); ++k) {
      const Pair& p = c_.pairs[choice.pairs[k]];
      w_.begin_object().key("type").string(schema_.relations[p.relation].name);
      w_.key("head").string(end_name(p, true)).key("tail").string(end_name(p, false));
      w_.key("confidence").number(rounded(p.confidence));
      if (p.added) w_.key("implied").boolean(true);
      if (k < pair_margins.size() && !std::isnan(pair_margins[k]))
        number("margin", pair_margins[k]);
      w_.end_object();
    }
    w_.end_array();
  }

  const Schema& schema_;
  const Candidates& c_;
  const Extraction& e_;
  const WriteOptions& options_;
  std::vector<std::string> names_;
  JsonWriter w_;
};

}  // namespace

std::string write_json(const Schema& schema, const Candidates& c, const Extraction& e,
                       const WriteOptions& options) {
  return Writer(schema, c, e, options).run();
}

}  // namespace entente::schema
