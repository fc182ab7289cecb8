// How a lemma is made from a form: a casing, and ends that are replaced.
//
//   EditScript s = find_script("Cities", "city");   // lower case; "ies" at the end becomes "y"
//   std::string lemma;
//   if (apply(s, CasedForm("Parties"), lemma)) ...   // "party"
//
// A script applies to a form that has the ends it takes away. Where form and lemma share nothing
// ("am", "be") it takes away the whole form and applies to that form alone. Linear in the form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace entente::lemmas {

enum class Casing : std::uint8_t {
  keep = 'k',
  lower = 'l',
  title = 't',  // first character as it is, the rest in lower case
  whole = 'w',  // lower case; replaces the whole form
  any = 'a',    // whatever the form, the lemma is suffix_to ("_")
};

struct EditScript {
  Casing casing = Casing::keep;
  std::string prefix_from, prefix_to, suffix_from, suffix_to;

  auto tied() const { return std::tie(casing, prefix_from, prefix_to, suffix_from, suffix_to); }
  bool operator<(const EditScript& o) const { return tied() < o.tied(); }
  bool operator==(const EditScript& o) const { return tied() == o.tied(); }
};

// A form in the three casings. read() again reuses the memory.
class CasedForm {
 public:
  CasedForm() = default;
  explicit CasedForm(std::string_view form) { read(form); }
  void read(std::string_view form);
  std::string_view cased(Casing casing) const {
    return casing == Casing::keep ? keep_ : casing == Casing::title ? title_ : lower_;
  }

 private:
  std::string keep_, lower_, title_;
};

// The script that makes `lemma` of `form`, as general as it can be.
EditScript find_script(std::string_view form, std::string_view lemma);
// False if it does not apply; `lemma` is then left as it was. Never makes an empty lemma.
bool applies(const EditScript& script, const CasedForm& form);
bool apply(const EditScript& script, const CasedForm& form, std::string& lemma);

// One line of text and back; false if it is no such line.
std::string to_text(const EditScript& script);
bool from_text(std::string_view text, EditScript& script);

}  // namespace entente::lemmas
