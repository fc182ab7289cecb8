// What can be set about a task: one table, from which the options of the command line, `--help`,
// `train --set`, configure() and the tables of the docs are made.
//
//   std::vector<Setting> table = {
//       setting::number("rate", 0.04, 1e-4, 10, "size of the steps"),       // train --set rate=0.1
//       setting::flag("explain", "say why").in(kAnnotate),                  // parse --explain
//       setting::list("require", "a role that must be filled").in(kAnnotate | kEvaluate)};
//   const Settings s("frames", table, kTrain, {{"rate", "0.1"}});  // Error: unknown, out of range
//   s.number("rate");
//
// Every setting can be given as `--set name=value`; one that is an option() also as `--name value`,
// with dashes for underscores. Settings of anything but training are options. A name that is not in
// the table is a broken invariant when asked for, an Error when given. Immutable; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace entente {

// The commands that a setting is for, as bits.
enum Verb : unsigned {
  kTrain = 1,
  kPredict = 2,
  kParse = 4,
  kEvaluate = 8,
  kOwn = 16,    // the task's own command (Task::commands)
  kBench = 32,  // the task's own `entente bench NAME`
  kList = 64,   // `entente TASK list`
};
inline constexpr unsigned kAnnotate = kPredict | kParse;

struct Setting {
  enum class Kind { flag, integer, number, text };

  std::string name;  // words_with_underscores
  Kind kind = Kind::text;
  std::string otherwise;  // where it is not given; empty: nothing
  double least = 0, most = 0;
  std::vector<std::string> choices = {};  // of a text; empty: any
  bool is_list = false;                   // may be given several times
  std::string help;
  unsigned verbs = kTrain;
  bool is_option = false;

  Setting in(unsigned which) const;  // for these commands
  Setting option() const;            // as --name, too
  Setting only_set() const;          // not as --name
  std::string option_name() const;   // "--gold-targets"
  std::string range() const;         // "0 to 1", "exact, local", "" if anything goes
};

namespace setting {

Setting flag(std::string name, std::string help);
Setting integer(std::string name, int otherwise, int least, int most, std::string help);
Setting number(std::string name, double otherwise, double least, double most, std::string help);
Setting text(std::string name, std::string otherwise, std::string help);
Setting choice(std::string name, std::vector<std::string> choices, std::string otherwise,
               std::string help);
Setting list(std::string name, std::string help);

}  // namespace setting

// As given: a name may come several times; flags have an empty value, or 0 or 1.
using GivenSettings = std::vector<std::pair<std::string, std::string>>;

class Settings {
 public:
  Settings() = default;
  // `owner` is named in messages. Takes those of the table that are for one of `verbs`.
  Settings(std::string owner, std::vector<Setting> table, unsigned verbs,
           const GivenSettings& given = {});

  bool given(std::string_view name) const;
  bool flag(std::string_view name) const;
  int integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;
  // What was given, in the order of the table: for fingerprints.
  GivenSettings all_given() const;

 private:
  struct Value {
    Setting setting;
    std::vector<std::string> values;  // the last counts, but for lists
  };
  const Value& find(std::string_view name, Setting::Kind kind) const;
  void check(const Setting& setting, const std::string& value) const;

  std::string owner_;
  std::vector<Value> values_;
};

}  // namespace entente
