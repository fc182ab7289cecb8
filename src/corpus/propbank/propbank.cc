#include "corpus/propbank/propbank.h"

#include <algorithm>

#include "base/text.h"
#include "corpus/gzip.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::propbank {

namespace {
constexpr std::size_t kFixed = 9;  // columns before the roles
}

void Reader::fail(int row, std::size_t column, const std::string& message) const {
  const int line = source_.line_number();
  const int rows = static_cast<int>(starts_.size());
  // Rows stand one a line, and the sentence's blank line may have been read.
  Place place = source_.place(starts_[row][column]);
  place.line = line - (rows - 1 - row) - (line_.empty() ? 1 : 0);
  throw Error(message, place);
}

void Reader::read_row(PropSentence& sentence) {
  std::vector<std::string> fields;
  std::vector<int>& starts = starts_.emplace_back();
  for (std::size_t at = 0;;) {
    const std::size_t tab = std::min(line_.find('\t', at), line_.size());
    fields.push_back(line_.substr(at, tab - at));
    starts.push_back(static_cast<int>(at) + 1);
    if (tab == line_.size()) break;
    at = tab + 1;
  }
  const int row = sentence.size();
  if (fields.size() < kFixed) {
    fail(row, 0,
         "expected at least 9 columns separated by tabs, found " + std::to_string(fields.size()));
  }
  for (std::size_t c = 0; c < fields.size(); ++c) {
    if (fields[c].empty()) fail(row, c, "column " + std::to_string(c + 1) + " is empty");
  }
  if (row > 0 && starts.size() != starts_[0].size()) {
    fail(row, 0,
         "expected " + std::to_string(starts_[0].size()) +
             " columns as in the sentence's first row, found " + std::to_string(fields.size()));
  }
  if (fields[0] != std::to_string(row)) {
    fail(row, 0, "expected the index " + std::to_string(row) + ", found " + quoted(fields[0]));
  }
  if ((fields[4] == "-") != (fields[5] == "-")) {
    fail(row, 4, "expected both a predicate's lemma and its roleset, or - and -");
  }
  const auto head = parse_integer(fields[6]);
  if (fields[6] != "_" && (!head || *head < 0 || *head > 100000)) {
    fail(row, 6, "expected a head (0, a word from 1, or _), found " + quoted(fields[6]));
  }
  if (fields[4] != "-") {
    sentence.propositions.push_back({row, fields[4], fields[5], {}});
  }
  sentence.words.push_back(std::move(fields[1]));
  sentence.tags.push_back(std::move(fields[2]));
  bits_.push_back(std::move(fields[3]));
  sentence.heads.push_back(head ? static_cast<int>(*head) - 1 : kNoHead);
  sentence.relations.push_back(std::move(fields[7]));
  sentence.lemmas.push_back(std::move(fields[8]));
  role_columns_.emplace_back(std::make_move_iterator(fields.begin() + kFixed),
                             std::make_move_iterator(fields.end()));
}

void Reader::read_roles(PropSentence& sentence, std::size_t p) {
  Proposition& proposition = sentence.propositions[p];
  int begin = -1;
  std::string label;
  bool has_verb = false;
  for (int row = 0; row < sentence.size(); ++row) {
    const std::string& text = role_columns_[row][p];
    const std::size_t star = text.find('*');
    if (star == text.npos) {
      fail(row, kFixed + p,
           "expected a piece of roles such as (ARG0*, * or *), found " + quoted(text));
    }
    if (star > 0) {
      if (text[0] != '(' || star == 1)
        fail(row, kFixed + p, "expected (LABEL*, found " + quoted(text));
      if (begin >= 0) fail(row, kFixed + p, "the role " + label + " before this one is not closed");
      begin = row;
      label = text.substr(1, star - 1);
    }
    const std::string_view rest = std::string_view(text).substr(star + 1);
    if (rest != "" && rest != ")") fail(row, kFixed + p, "expected * or *), found " + quoted(text));
    if (rest == ")") {
      if (begin < 0) fail(row, kFixed + p, "a ) closes no role");
      proposition.roles.push_back({label, begin, row + 1});
      has_verb |=
          bare_role(label) == "V" && begin <= proposition.predicate && proposition.predicate <= row;
      begin = -1;
    }
  }
  if (begin >= 0) fail(begin, kFixed + p, "the role " + label + " is not closed");
  if (!has_verb) {
    fail(proposition.predicate, kFixed + p,
         "expected V or C-V at the predicate " + quoted(sentence.words[proposition.predicate]) +
             ": the columns of roles stand in the order of their predicates");
  }
}

void Reader::finish(PropSentence& sentence) {
  const std::size_t columns = starts_[0].size() - kFixed;
  if (columns != sentence.propositions.size()) {
    fail(0, std::min(kFixed, starts_[0].size() - 1),
         "the sentence has " + std::to_string(sentence.propositions.size()) + " predicates and " +
             std::to_string(columns) + " columns of roles");
  }
  for (int row = 0; row < sentence.size(); ++row) {
    if (sentence.heads[row] >= sentence.size() || sentence.heads[row] == row) {
      fail(row, 6,
           "the head " + std::to_string(sentence.heads[row] + 1) +
               " is the word itself or none of the sentence");
    }
  }
  for (std::size_t p = 0; p < columns; ++p) read_roles(sentence, p);
  if (std::all_of(bits_.begin(), bits_.end(), [](const std::string& b) { return b == "_"; }))
    return;
  try {
    sentence.tree = PhraseTree::from_bits(bits_, sentence.tags);
  } catch (const Error& e) {
    fail(e.place().line - 1, 3, e.message());
  }
  probabilities_.move_to(sentence);
}

bool Reader::read(PropSentence& sentence) {
  sentence = {};
  bits_.clear();
  role_columns_.clear();
  starts_.clear();
  probabilities_.clear();
  while (source_.read_line(line_)) {
    if (line_.ends_with('\r')) line_.pop_back();
    check_utf8(line_, source_.place(1));
    if (source_.line_number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
    if (line_.empty()) {
      if (sentence.words.empty()) continue;
      finish(sentence);
      return true;
    }
    if (line_[0] == '#' && sentence.words.empty() && line_.find('\t') == line_.npos) {
      if (!probabilities_.read(line_, source_.place(1))) sentence.comments.push_back(line_);
      continue;
    }
    if (sentence.words.empty()) sentence.line = source_.line_number();
    read_row(sentence);
  }
  if (sentence.words.empty()) return false;
  finish(sentence);
  return true;
}

std::vector<PropSentence> read_propbank(const std::string& path) {
  CorpusFile file(path);
  Reader reader(file);
  std::vector<PropSentence> out;
  for (PropSentence s; reader.read(s);) out.push_back(std::move(s));
  return out;
}

namespace {

std::vector<std::string> role_bits(const PropSentence& s, const Proposition& p, bool shorten) {
  std::vector<std::string> out(s.words.size(), "*");
  for (const RoleSpan& r : p.roles) {
    out[r.begin].insert(0, "(" + (shorten ? short_role(r.label) : r.label));
    out[r.end - 1] += ')';
  }
  return out;
}

}  // namespace

void append_columns(std::string& out, const PropSentence& s) {
  for (const std::string& comment : s.comments) out += comment + "\n";
  const std::vector<std::string> bits = s.tree.bits();
  std::vector<std::vector<std::string>> roles;
  for (const Proposition& p : s.propositions) roles.push_back(role_bits(s, p, false));
  std::size_t next = 0;
  for (int i = 0; i < s.size(); ++i) {
    const bool is_predicate = next < s.propositions.size() && s.propositions[next].predicate == i;
    out += std::to_string(i) + "\t" + s.words[i] + "\t" + s.tags[i] + "\t";
    out += (bits.empty() ? std::string("_") : bits[i]) + "\t";
    out += is_predicate ? s.propositions[next].lemma + "\t" + s.propositions[next].roleset : "-\t-";
    out += "\t" + (s.heads[i] == kNoHead ? std::string("_") : std::to_string(s.heads[i] + 1)) +
           "\t" + s.relations[i] + "\t" + s.lemmas[i];
    for (const auto& column : roles) out += "\t" + column[i];
    out += "\n";
    next += is_predicate;
  }
  out += "\n";
}

void append_props(std::string& out, const PropSentence& s) {
  std::vector<std::vector<std::string>> roles;
  for (const Proposition& p : s.propositions) roles.push_back(role_bits(s, p, true));
  std::size_t next = 0;
  for (int i = 0; i < s.size(); ++i) {
    const bool is_predicate = next < s.propositions.size() && s.propositions[next].predicate == i;
    out += is_predicate ? s.propositions[next].lemma : "-";
    for (const auto& column : roles) out += "\t" + column[i];
    out += "\n";
    next += is_predicate;
  }
  out += "\n";
}

std::string_view role_prefix(std::string_view label) {
  return label.starts_with("C-") || label.starts_with("R-") ? label.substr(0, 2)
                                                            : std::string_view{};
}

bool is_numbered(std::string_view label) {
  return label.size() >= 4 && label.starts_with("ARG") && label[3] != 'M';
}

std::string short_role(std::string_view label) {
  const std::string_view prefix = role_prefix(label), bare = bare_role(label);
  std::string out(prefix);
  if (bare.starts_with("ARGM-")) return out + "AM-" + std::string(bare.substr(5));
  if (bare.starts_with("ARG")) return out + "A" + std::string(bare.substr(3));
  return out + std::string(bare);
}

std::string long_role(std::string_view label) {
  const std::string_view prefix = role_prefix(label), bare = bare_role(label);
  std::string out(prefix);
  if (bare.starts_with("AM-")) return out + "ARGM-" + std::string(bare.substr(3));
  if (bare.size() > 1 && bare[0] == 'A' && !bare.starts_with("ARG")) {
    return out + "ARG" + std::string(bare.substr(1));
  }
  return out + std::string(bare);
}

}  // namespace entente::propbank
