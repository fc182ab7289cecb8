#include "tasks/lemmas/script.h"

#include <algorithm>

#include "corpus/utf8.h"

namespace entente::lemmas {
namespace {

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

struct Common {
  std::size_t in_form = 0, in_lemma = 0, length = 0;
};

// The longest piece both share, cut at characters; of equals the one earliest in the form. A piece
// at the front of both is preferred unless another is clearly longer: most languages change ends.
Common common_piece(std::string_view form, std::string_view lemma) {
  constexpr std::size_t kLongest = 100;  // longer words are names and addresses
  Common front;
  while (front.length < std::min(form.size(), lemma.size()) &&
         form[front.length] == lemma[front.length]) {
    ++front.length;
  }
  while (inside_character(form, front.length) || inside_character(lemma, front.length)) {
    --front.length;
  }
  if (form.size() > kLongest || lemma.size() > kLongest) return front;
  Common best = front;
  for (std::size_t i = 0; i < form.size(); ++i) {
    for (std::size_t j = 0; j < lemma.size(); ++j) {
      if (inside_character(form, i) || inside_character(lemma, j)) continue;
      std::size_t n = 0;
      while (i + n < form.size() && j + n < lemma.size() && form[i + n] == lemma[j + n]) ++n;
      while (n > 0 && (inside_character(form, i + n) || inside_character(lemma, j + n))) --n;
      if (n > best.length) best = {i, j, n};
    }
  }
  return best.length > front.length + 1 ? best : front;
}

}  // namespace

void CasedForm::read(std::string_view form) {
  keep_.assign(form);
  lower_.clear();
  title_.clear();
  for (std::size_t i = 0; i < form.size();) {
    const Utf8Char c = decode_utf8(form, i);
    const std::size_t length = static_cast<std::size_t>(std::max(c.length, 1));
    if (c.length == 0) {
      lower_ += form[i];
      title_ += form[i];
    } else {
      const char32_t low = unicode::to_lower(c.code);
      append_utf8(lower_, low);
      append_utf8(title_, i == 0 ? c.code : low);
    }
    i += length;
  }
}

EditScript find_script(std::string_view form, std::string_view lemma) {
  EditScript script;
  if (lemma == "_" && form != "_") {
    script.casing = Casing::any;
    script.suffix_to = "_";
    return script;
  }
  const CasedForm cased(form);
  Common best;
  bool found = false;
  for (Casing casing : {Casing::lower, Casing::keep, Casing::title}) {
    const Common common = common_piece(cased.cased(casing), lemma);
    if (!found || common.length > best.length) {
      best = common;
      script.casing = casing;
      found = true;
    }
  }
  std::string_view from = cased.cased(script.casing);
  if (best.length == 0) {
    script.casing = Casing::whole;
    script.suffix_from = from;
    script.suffix_to = lemma;
    return script;
  }
  script.prefix_from = from.substr(0, best.in_form);
  script.prefix_to = lemma.substr(0, best.in_lemma);
  script.suffix_from = from.substr(best.in_form + best.length);
  script.suffix_to = lemma.substr(best.in_lemma + best.length);
  return script;
}

bool applies(const EditScript& s, const CasedForm& form) {
  if (s.casing == Casing::any) return true;
  const std::string_view from = form.cased(s.casing);
  if (s.casing == Casing::whole) return from == s.suffix_from;
  return from.size() > s.prefix_from.size() + s.suffix_from.size() &&
         from.ends_with(s.suffix_from) && from.starts_with(s.prefix_from);
}

bool apply(const EditScript& s, const CasedForm& form, std::string& lemma) {
  if (!applies(s, form)) return false;
  if (s.casing == Casing::any || s.casing == Casing::whole) {
    lemma = s.suffix_to;
    return true;
  }
  std::string_view middle = form.cased(s.casing);
  middle.remove_prefix(s.prefix_from.size());
  middle.remove_suffix(s.suffix_from.size());
  lemma = s.prefix_to;
  lemma += middle;
  lemma += s.suffix_to;
  return true;
}

std::string to_text(const EditScript& s) {
  std::string out(1, static_cast<char>(s.casing));
  for (const std::string* part : {&s.prefix_from, &s.prefix_to, &s.suffix_from, &s.suffix_to}) {
    out += '\t';
    out += *part;
  }
  return out;
}

bool from_text(std::string_view text, EditScript& script) {
  if (text.empty() || std::string_view("kltwa").find(text[0]) == std::string_view::npos) {
    return false;
  }
  script.casing = static_cast<Casing>(text[0]);
  text.remove_prefix(1);
  for (std::string* part :
       {&script.prefix_from, &script.prefix_to, &script.suffix_from, &script.suffix_to}) {
    if (text.empty() || text[0] != '\t') return false;
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('\t'), text.size());
    *part = text.substr(0, end);
    text.remove_prefix(end);
  }

  const bool whole = script.casing == Casing::any || script.casing == Casing::whole;
  return text.empty() && !(whole && script.suffix_to.empty());  // no empty lemmas
}

}  // namespace entente::lemmas
