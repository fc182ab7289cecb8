#include "model/settings.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/text.h"
#include "entente/error.h"

namespace entente {

namespace {

std::string written(double x) {
  std::string out;
  append_number(out, x);
  return out;
}

Setting make(std::string name, Setting::Kind kind, std::string otherwise, std::string help) {
  Setting s;
  s.name = std::move(name);
  s.kind = kind;
  s.otherwise = std::move(otherwise);
  s.help = std::move(help);
  return s;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

Setting Setting::in(unsigned which) const {
  Setting out = *this;
  out.verbs = which;
  out.is_option = is_option || (which & ~static_cast<unsigned>(kTrain)) != 0;
  return out;
}

Setting Setting::option() const {
  Setting out = *this;
  out.is_option = true;
  return out;
}

Setting Setting::only_set() const {
  Setting out = *this;
  out.is_option = false;
  return out;
}

std::string Setting::option_name() const {
  std::string out = (name.size() == 1 ? "-" : "--") + name;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::string Setting::range() const {
  if (kind == Kind::text) return joined(choices);
  if (kind == Kind::flag) return "";
  return written(least) + " to " + written(most);
}

namespace setting {

Setting flag(std::string name, std::string help) {
  return make(std::move(name), Setting::Kind::flag, "", std::move(help));
}

Setting integer(std::string name, int otherwise, int least, int most, std::string help) {
  Setting s =
      make(std::move(name), Setting::Kind::integer, std::to_string(otherwise), std::move(help));
  s.least = least;
  s.most = most;
  return s;
}

Setting number(std::string name, double otherwise, double least, double most, std::string help) {
  Setting s = make(std::move(name), Setting::Kind::number, written(otherwise), std::move(help));
  s.least = least;
  s.most = most;
  return s;
}

Setting text(std::string name, std::string otherwise, std::string help) {
  return make(std::move(name), Setting::Kind::text, std::move(otherwise), std::move(help));
}

Setting choice(std::string name, std::vector<std::string> choices, std::string otherwise,
               std::string help) {
  Setting s = text(std::move(name), std::move(otherwise), std::move(help));
  s.choices = std::move(choices);
  return s;
}

Setting list(std::string name, std::string help) {
  Setting s = text(std::move(name), "", std::move(help));
  s.is_list = true;
  return s.option();
}

}  // namespace setting

Settings::Settings(std::string owner, std::vector<Setting> table, unsigned verbs,
                   const GivenSettings& given)
    : owner_(std::move(owner)) {
  for (Setting& s : table) {
    if ((s.verbs & verbs) != 0) values_.push_back({std::move(s), {}});
  }
  for (auto [name, value] : given) {
    std::replace(name.begin(), name.end(), '-', '_');
    Nearest nearest(name);
    Value* found = nullptr;
    for (Value& v : values_) {
      if (v.setting.name == name) found = &v;
      nearest.consider(v.setting.name);
    }
    if (!found) throw Error(owner_ + " has no setting " + quoted(name) + nearest.suggestion());
    check(found->setting, value);
    if (!found->setting.is_list) found->values.clear();
    found->values.push_back(value);
  }
}

void Settings::check(const Setting& s, const std::string& value) const {
  const auto fail = [&](const std::string& wanted) {
    throw Error(owner_ + ": setting " + quoted(s.name) + " must be " + wanted + ", not " +
                quoted(value));
  };
  switch (s.kind) {
    case Setting::Kind::flag:
      if (!value.empty() && value != "0" && value != "1") fail("0 or 1");
      return;
    case Setting::Kind::text:
      if (s.choices.empty() ||
          std::find(s.choices.begin(), s.choices.end(), value) != s.choices.end()) {
        return;
      }
      return fail("one of " + s.range());
    case Setting::Kind::integer:
    case Setting::Kind::number:
      break;
  }
  const std::optional<double> number = parse_number(value);
  if (!number || !(*number >= s.least && *number <= s.most)) fail("a number from " + s.range());
  if (s.kind == Setting::Kind::integer && *number != std::floor(*number)) fail("a whole number");
}

const Settings::Value& Settings::find(std::string_view name, Setting::Kind kind) const {
  const auto at = std::find_if(values_.begin(), values_.end(),
                               [&](const Value& v) { return v.setting.name == name; });
  ENTENTE_CHECK(at != values_.end());
  ENTENTE_CHECK(at->setting.kind == kind);
  return *at;
}

bool Settings::given(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const Value& v) { return v.setting.name == name && !v.values.empty(); });
}

bool Settings::flag(std::string_view name) const {
  const Value& v = find(name, Setting::Kind::flag);
  return !v.values.empty() && v.values.back() != "0";
}

int Settings::integer(std::string_view name) const {
  const Value& v = find(name, Setting::Kind::integer);
  return static_cast<int>(*parse_number(v.values.empty() ? v.setting.otherwise : v.values.back()));
}

double Settings::number(std::string_view name) const {
  const Value& v = find(name, Setting::Kind::number);
  return *parse_number(v.values.empty() ? v.setting.otherwise : v.values.back());
}

const std::string& Settings::text(std::string_view name) const {
  const Value& v = find(name, Setting::Kind::text);
  return v.values.empty() ? v.setting.otherwise : v.values.back();
}

const std::vector<std::string>& Settings::list(std::string_view name) const {
  return find(name, Setting::Kind::text).values;
}

GivenSettings Settings::all_given() const {
  GivenSettings out;
  for (const Value& v : values_) {
    for (const std::string& value : v.values) out.emplace_back(v.setting.name, value);
  }
  return out;
}

}  // namespace entente
