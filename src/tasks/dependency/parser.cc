#include "tasks/dependency/parser.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace entente::dependency {
namespace {

// Of this thread's work: what others do on the machine does not count.
double seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Where a stretch that starts at `begin` should end: behind the last full stop within reach, else
// behind the last other punctuation, else at the limit.
std::size_t end_of_stretch(std::span<const Word> words, std::size_t begin) {
  if (words.size() - begin <= kLongest) return words.size();
  std::size_t stop = 0, pause = 0;
  for (std::size_t i = begin + kLongest / 4; i < begin + kLongest; ++i) {
    const std::string& form = words[i].form;
    if (form == "." || form == "!" || form == "?" || form == ";") stop = i + 1;
    if (words[i].upos == "PUNCT" || form == ",") pause = i + 1;
  }
  return stop != 0 ? stop : pause != 0 ? pause : begin + kLongest;
}

// Rounds and nodes that are worth some two seconds of cubic work; little where the words are so
// many that they are hardly language.
void bound_effort(std::size_t stretch, std::size_t whole, DecodeOptions& options) {
  const double cube = std::pow(static_cast<double>(stretch), 3);
  int rounds = static_cast<int>(std::clamp(2e8 / cube, 60.0, 400.0));
  int nodes = static_cast<int>(std::clamp(1e7 / cube, 2.0, 2000.0));
  if (whole > 4 * kLongest) {
    rounds = 10;
    nodes = 1;
  }
  if (options.max_nodes == 0) options.max_nodes = nodes;
  if (options.max_iterations == 0 && rounds < 400) options.max_iterations = rounds;
}

int whole_number(const ModelFile& file, const std::string& name, int least, int most) {
  const double x = file.number(name);
  if (!(x >= least && x <= most)) file.fail("section \"" + name + "\" is out of range");
  return static_cast<int>(x);
}

}  // namespace

void ParserStatistics::add(const ParserStatistics& o) {
  sentences += o.sentences;
  words += o.words;
  arcs += o.arcs;
  pairs += o.pairs;
  optimal += o.optimal;
  by_dual_alone += o.by_dual_alone;
  iterations += o.iterations;
  nodes += o.nodes;
  pruning += o.pruning;
  scoring += o.scoring;
  decoding += o.decoding;
  labelling += o.labelling;
}

void write_options(ModelWriter& writer, const ParserOptions& options) {
  writer.add_number("dependency/order", options.order == Order::second ? 2 : 1);
  writer.add_number("dependency/projective", options.prune.projective);
  writer.add_number("dependency/single_root", options.prune.single_root);
  writer.add_number("dependency/threshold", options.prune.threshold);
  writer.add_number("dependency/heads", options.prune.most);
}

Parser::Parser(const ModelFile& file)
    : pruner_(file, "dependency/pruner"),
      arcs_(file, "dependency/arcs"),
      labels_(file, "dependency/label_weights"),
      label_set_(file, "dependency/labels"),
      label_rules_(file, "dependency/rules", label_set_.names().size()),
      classes_(file, "clusters") {
  const int version = whole_number(file, "dependency/features", 0, 1 << 20);
  if (version != static_cast<int>(kFeatureVersion)) {
    file.fail("the parser was trained with other features; train it again");
  }
  options_.order = whole_number(file, "dependency/order", 1, 2) == 2 ? Order::second : Order::first;
  options_.prune.projective = whole_number(file, "dependency/projective", 0, 1) != 0;
  options_.prune.single_root = whole_number(file, "dependency/single_root", 0, 1) != 0;
  options_.prune.most = whole_number(file, "dependency/heads", 1, 1000);
  options_.prune.threshold = file.number("dependency/threshold");
  options_.margin = usual_margin(options_.prune.projective);
}

Parser::Parser(const ParserOptions& options, LaidOut pruner, LaidOut arcs, LabelSet label_set,
               LabelRules label_rules, LaidOut labels, WordClasses classes)
    : options_(options),
      pruner_(pruner),
      arcs_(arcs),
      labels_(labels),
      label_set_(std::move(label_set)),
      label_rules_(std::move(label_rules)),
      classes_(classes) {}

void Parser::set_decoding(Method method, int max_iterations, int max_nodes) {
  options_.decode.method = method;
  options_.decode.max_iterations = max_iterations;
  options_.decode.max_nodes = max_nodes;
}

DecodeOptions Parser::decode_options(std::size_t words) const {
  DecodeOptions decode = options_.decode;
  decode.projective = options_.prune.projective;
  decode.single_root = options_.prune.single_root;
  bound_effort(words, words, decode);
  return decode;
}

void Parser::prune(std::span<const Word> words, ParserScratch& s) const {
  const int n = static_cast<int>(words.size());
  s.atoms.read(words);
  arc_scores(s.atoms, pruner_, s.pruner);
  keep_arcs(n, options_.prune, {}, s.pruner, s.kept);
  make_parts(n, s.kept, Order::first, s.parts);
}

// What is left holds a tree: the pruner's.
void Parser::drop_hopeless(ParserScratch& s) const {
  s.best_into.assign(s.parts.words + 1, -std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < s.parts.arcs.size(); ++a) {
    double& best = s.best_into[s.parts.arcs[a].modifier];
    best = std::max(best, s.scores.arcs[a]);
  }
  s.kept.clear();
  std::size_t left = 0;
  for (std::size_t a = 0; a < s.parts.arcs.size(); ++a) {
    const Arc& arc = s.parts.arcs[a];
    if (s.scores.arcs[a] < s.best_into[arc.modifier] - options_.margin &&
        s.pruner.heads[arc.modifier - 1] != arc.head) {
      continue;
    }
    s.scores.arcs[left++] = s.scores.arcs[a];
    s.kept.push_back(arc);
  }
  s.scores.arcs.resize(left);
  make_parts(s.parts.words, s.kept, Order::first, s.parts);
}

void Parser::score_kept(ParserScratch& s) const {
  score_arcs(s.atoms, s.parts, arcs_, s.scores);
  const bool pairs = options_.order != Order::first;
  if (pairs && options_.margin > 0) drop_hopeless(s);
  score_labels(s.atoms, s.parts, label_set_, arcs_, {}, s.features, s.scores, s.arc_labels);
  if (pairs) make_parts(s.atoms.words(), s.kept, options_.order, s.parts);
  score_pairs(s.atoms, s.parts, arcs_, s.scores);
}

void Parser::score(std::span<const Word> words, ParserScratch& s) const {
  s.atoms.use(&classes_);
  prune(words, s);
  score_kept(s);
}

void Parser::parse_stretch(std::span<const Word> words, std::size_t whole, ParserScratch& s) const {
  const int n = static_cast<int>(words.size());
  const double start = seconds();
  prune(words, s);
  const double pruned = seconds();
  score_kept(s);
  const double scored = seconds();
  DecodeOptions decode = options_.decode;
  decode.projective = options_.prune.projective;
  decode.single_root = options_.prune.single_root;
  bound_effort(words.size(), whole, decode);
  const Decoded d = s.decoder.decode(s.parts, s.scores, decode);
  // The pruner keeps the arcs of a tree.
  ENTENTE_CHECK(static_cast<int>(d.heads.size()) == n);
  s.heads.assign(d.heads.begin(), d.heads.end());
  s.proof.value += d.value;
  s.proof.bound += d.bound;
  s.proof.proven = s.proof.proven && d.status == Status::optimal;
  if (s.proofs) {
    Graph graph;
    build(s.parts, s.scores, decode, graph);
    prove(*s.proofs, "dependency", graph);
  }
  ParserStatistics& t = s.statistics;
  t.arcs += static_cast<std::int64_t>(s.parts.arcs.size());
  t.pairs += static_cast<std::int64_t>(s.parts.siblings.size() + s.parts.grandparents.size());
  t.sentences += 1;
  t.words += n;
  t.optimal += d.status == Status::optimal;
  t.by_dual_alone += d.by_dual_alone;
  t.iterations += d.iterations;
  t.nodes += d.nodes;
  t.pruning += pruned - start;
  t.scoring += scored - pruned;
  t.decoding += seconds() - scored;
}

void Parser::label(ParserScratch& s) const {
  const double start = seconds();
  const int n = s.atoms.words();
  s.children.read(s.heads);
  s.labels.resize(n);
  // A word's own modifiers are labelled before it.
  s.order.assign(1, 0);
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    for (const std::int32_t m : s.children.of(s.order[i])) s.order.push_back(m);
  }
  for (std::size_t at = s.order.size(); at-- > 0;) {
    const int h = s.order[at];
    const auto modifiers = s.children.of(h);
    if (modifiers.empty()) continue;
    s.choice.begin();
    for (const std::int32_t m : modifiers) {
      const auto candidates = label_set_.candidates(s.atoms, h, m);
      s.features.start_labelled();
      if (candidates.size() > 1) label_features(s.atoms, s.heads, s.children, m, s.features);
      label_scores(labels_, candidates, s.features, s.label_scores);
      if (candidates.size() > 1) {
        s.features.start_labelled();
        labelled_arc_features(s.atoms, h, m, s.features);
        label_scores(arcs_, candidates, s.features, s.arc_scores);
        const float share = options_.blend * arcs_.scale() / labels_.scale();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
          s.label_scores[i] += share * s.arc_scores[i];
        }
      }
      bool marked = false;
      for (const std::int32_t own : s.children.of(m)) {
        marked |= !label_rules_.empty() && label_rules_.marks(s.labels[own - 1]);
      }
      s.choice.add(candidates, s.label_scores, s.atoms[m].lemma, marked);
    }
    s.choice.solve(label_rules_, options_.rules, s.atoms[h].tag);
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
      s.labels[modifiers[i] - 1] = s.choice.label(static_cast<int>(i));
    }
  }
  s.statistics.labelling += seconds() - start;
}

void Parser::parse(std::span<const Word> words, ParserScratch& s) const {
  s.heads.clear();
  s.labels.clear();
  s.proof = {.known = !words.empty(), .proven = !words.empty()};
  s.atoms.use(&classes_);
  s.best.values.clear();
  if (words.empty()) return;
  if (words.size() <= kLongest) {
    parse_stretch(words, words.size(), s);
    if (options_.others > 0) s.decoder.k_best(options_.others + 1, s.best);
    label(s);
    return;
  }
  s.whole.clear();
  std::int32_t root = 0;  // of the first stretch: the others hang from it
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = end_of_stretch(words, begin);
    parse_stretch(words.subspan(begin, end - begin), words.size(), s);
    for (std::size_t i = 0; i < end - begin; ++i) {
      const std::int32_t h = s.heads[i];
      const auto here = static_cast<std::int32_t>(begin);
      s.whole.push_back(h != 0 ? h + here : options_.prune.single_root ? root : 0);
    }
    if (begin == 0) {
      root = static_cast<std::int32_t>(std::find(s.heads.begin(), s.heads.end(), 0) -
                                       s.heads.begin()) +
             1;
    }
    begin = end;
  }
  s.heads.swap(s.whole);
  s.proof.proven = false;  // each stretch is, but not where they were cut
  s.atoms.read(words);
  label(s);
}

}  // namespace entente::dependency
