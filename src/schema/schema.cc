#include "schema/schema.h"

#include <algorithm>

#include "schema/schema_reader.h"

namespace entente::schema {

std::optional<Mode> mode_from_name(std::string_view name) {
  if (name == "entente") return Mode::entente;
  if (name == "gliner2") return Mode::gliner2;
  if (name == "gliner2_unchecked") return Mode::gliner2_unchecked;
  return std::nullopt;
}

int Schema::relation_count() const {
  return static_cast<int>(std::count_if(relations.begin(), relations.end(),
                                        [](const Relation& r) { return r.companion_of < 0; }));
}

std::optional<Scale> scale_from_name(std::string_view name) {
  if (name == "log_odds") return Scale::log_odds;
  if (name == "log_probability") return Scale::log_probability;
  if (name == "probability") return Scale::probability;
  return std::nullopt;
}

int Schema::find_type(std::string_view name) const {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int Schema::find_relation(std::string_view name) const {
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (relations[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

void Schema::drop_rule(std::string_view name) {
  const auto known = std::find(rule_names.begin(), rule_names.end(), name);
  if (known == rule_names.end()) {
    Nearest nearest(name);
    for (const std::string& n : rule_names) nearest.consider(n);
    throw Error("no rule is called " + quoted(name) + nearest.suggestion());
  }
  const int index = static_cast<int>(known - rule_names.begin());
  std::erase_if(rules, [&](const SchemaRule& r) { return r.name == index; });
  if (as_nodes() && std::none_of(rules.begin(), rules.end(), [](const SchemaRule& r) {
        return r.kind == RuleKind::overlap && r.hard();
      }))
    multi_label = true;
}

Schema read_schema(std::string_view text, std::string_view file, std::optional<Mode> mode) {
  Json json;
  json.parse({text, file, 1});
  return SchemaReader(json, mode).run();
}

}  // namespace entente::schema
