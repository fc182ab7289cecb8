#include "tasks/constituency/heads.h"

#include <algorithm>
#include <array>
#include <vector>

namespace entente::constituency {

namespace {

struct Rule {
  std::string_view label;
  bool from_left;
  std::string_view wanted;  // in order of preference, blanks between
};

constexpr std::array kRules{
    Rule{"ADJP", true, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"},
    Rule{"ADVP", false, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"},
    Rule{"CONJP", false, "CC RB IN"},
    Rule{"FRAG", false, ""},
    Rule{"INTJ", true, ""},
    Rule{"LST", false, "LS :"},
    Rule{"NAC", true, "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"},
    Rule{"PP", false, "IN TO VBG VBN RP FW"},
    Rule{"PRN", true, ""},
    Rule{"PRT", false, "RP"},
    Rule{"QP", true, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"},
    Rule{"RRC", false, "VP NP ADVP ADJP PP"},
    Rule{"S", true, "TO IN VP S SBAR ADJP UCP NP"},
    Rule{"SBAR", true, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"},
    Rule{"SBARQ", true, "SQ S SINV SBARQ FRAG"},
    Rule{"SINV", true, "VBZ VBD VBP VB MD VP S SINV ADJP NP"},
    Rule{"SQ", true, "VBZ VBD VBP VB MD VP SQ"},
    Rule{"TOP", true, "S SINV SQ SBARQ VP FRAG NP"},
    Rule{"UCP", false, ""},
    Rule{"VP", true, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"},
    Rule{"WHADJP", true, "CC WRB JJ ADJP"},
    Rule{"WHADVP", false, "CC WRB"},
    Rule{"WHNP", true, "WDT WP WP$ WHADJP WHPP WHNP"},
    Rule{"WHPP", false, "IN TO FW"},
};

bool is_one_of(std::string_view label, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == label) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool is_punctuation(std::string_view label) {
  return is_one_of(label, ", : `` '' . -LRB- -RRB- HYPH NFP");
}

int find(std::span<const std::string> children, bool from_left, std::string_view list) {
  const int n = static_cast<int>(children.size());
  for (int k = 0; k < n; ++k) {
    const int i = from_left ? k : n - 1 - k;
    if (is_one_of(children[i], list)) return i;
  }
  return -1;
}

int noun_head(std::span<const std::string> children) {
  const int n = static_cast<int>(children.size());
  if (children[n - 1] == "POS") return n - 1;
  for (const auto& [from_left, list] :
       {std::pair<bool, std::string_view>{false, "NN NNP NNPS NNS NX JJR NML GW ADD"},
        {true, "NP"},
        {false, "$ ADJP PRN"},
        {false, "CD"},
        {false, "JJ JJS RB QP PRP DT"}}) {
    const int found = find(children, from_left, list);
    if (found >= 0) return found;
  }
  return -1;
}

}  // namespace

int head_child(std::string_view label, std::span<const std::string> children) {
  int head = -1;
  bool from_left = true;
  if (label == "NP" || label == "NML" || label == "NX" || label == "X") {
    head = noun_head(children);
    from_left = false;
  } else {
    const auto* rule =
        std::find_if(kRules.begin(), kRules.end(), [&](const Rule& r) { return r.label == label; });
    if (rule != kRules.end()) {
      from_left = rule->from_left;
      for (std::string_view list = rule->wanted; head < 0 && !list.empty();) {
        const std::size_t end = std::min(list.find(' '), list.size());
        head = find(children, from_left, list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
      }
    }
  }
  const int n = static_cast<int>(children.size());
  for (int k = 0; k < n && head < 0; ++k) {  // the first that is no punctuation
    const int i = from_left ? k : n - 1 - k;
    if (!is_punctuation(children[i])) head = i;
  }
  if (head < 0) head = from_left ? 0 : n - 1;
  // In "a and b" the first is the head.
  if (head > 2 && (children[head - 1] == "CC" || children[head - 1] == "CONJP") &&
      !is_punctuation(children[head - 2])) {
    head -= 2;
  } else if (head == 2 && (children[1] == "CC" || children[1] == "CONJP") &&
             !is_punctuation(children[0])) {
    head = 0;
  }
  return head;
}

}  // namespace entente::constituency
