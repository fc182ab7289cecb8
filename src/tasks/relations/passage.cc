#include "tasks/relations/passage.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "base/text.h"
#include "corpus/conll04_document.h"
#include "entente/error.h"

namespace entente::relations {

namespace {

int find_label(const std::vector<std::string>& labels, const std::string& label) {
  const auto at = std::find(labels.begin(), labels.end(), label);
  return at == labels.end() ? -1 : static_cast<int>(at - labels.begin());
}

[[noreturn]] void fail_label(const Conll04Sentence& s, const std::string& kind,
                             const std::string& label) {
  throw Error("sentence " + quoted(s.id) + ", line " + std::to_string(s.line) + ": " + kind + " " +
              quoted(label) + " is not one the model knows");
}

}  // namespace

LabelSet collect_labels(std::span<const Conll04Sentence> sentences) {
  std::set<std::string> entities, relations;
  for (const Conll04Sentence& s : sentences) {
    for (const Conll04Row& row : s.rows) {
      if (row.label != "O") entities.insert(row.label);
    }
    for (const Conll04Relation& r : s.relations) relations.insert(r.label);
  }
  LabelSet out;
  out.entities.assign(entities.begin(), entities.end());
  out.relations = {"none"};
  out.relations.insert(out.relations.end(), relations.begin(), relations.end());
  for (const Conll04Sentence& s : sentences) {
    for (const Conll04Relation& r : s.relations) {
      const Signature found{find_label(out.relations, r.label),
                            find_label(out.entities, s.rows[r.head].label),
                            find_label(out.entities, s.rows[r.tail].label)};
      if (!out.allows(found.relation, found.head, found.tail)) out.signatures.push_back(found);
    }
  }
  std::sort(out.signatures.begin(), out.signatures.end(), [](const auto& a, const auto& b) {
    return std::tie(a.relation, a.head, a.tail) < std::tie(b.relation, b.head, b.tail);
  });
  return out;
}

std::vector<Passage> make_passages(std::span<const Conll04Sentence> sentences,
                                   const LabelSet& labels, bool strict) {
  std::vector<Passage> out;
  std::vector<int> mention_of;
  for (const Conll04Sentence& s : sentences) {
    Passage& p = out.emplace_back();
    p.id = s.id;
    mention_of.assign(s.rows.size(), -1);
    for (std::size_t i = 0; i < s.rows.size(); ++i) {
      const int begin = p.size();
      append_row(s.rows[i], p.words, p.tags);
      if (s.rows[i].label == "O") continue;
      const int label = find_label(labels.entities, s.rows[i].label);
      if (label < 0 && strict) fail_label(s, "entity label", s.rows[i].label);
      mention_of[i] = p.mention_count();
      p.mentions.push_back({begin, p.size(), label});
    }
    for (const Conll04Relation& r : s.relations) {
      const int label = find_label(labels.relations, r.label);
      if (label < 0 && strict) fail_label(s, "relation", r.label);
      if (label > kNone) p.links.push_back({mention_of[r.head], mention_of[r.tail], label});
    }
  }
  return out;
}

std::string mention_text(const Passage& passage, const Mention& mention) {
  std::string out;
  for (int i = mention.begin; i < mention.end; ++i) {
    out += (i > mention.begin ? " " : "") + passage.words[i];
  }
  return out;
}

}  // namespace entente::relations
