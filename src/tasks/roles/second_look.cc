#include "tasks/roles/second_look.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "learn/hash.h"

namespace entente::roles {

namespace {

// Of everything that is combined, a template's number first.
template <typename... Parts>
std::uint64_t of(std::uint64_t first, Parts... parts) {
  ((first = mix(first, static_cast<std::uint64_t>(parts))), ...);
  return spread(first);
}

unsigned step_of(float p) {
  constexpr float kSteps[] = {0.02f, 0.05f, 0.1f, 0.2f, 0.3f,  0.4f, 0.5f,
                              0.6f,  0.7f,  0.8f, 0.9f, 0.95f, 0.98f};
  return static_cast<unsigned>(std::upper_bound(std::begin(kSteps), std::end(kSteps), p) -
                               std::begin(kSteps));
}

bool overlap(const Candidate& a, const Candidate& b) { return a.begin < b.end && b.begin < a.end; }
bool same(const Candidate& a, const Candidate& b) { return a.begin == b.begin && a.end == b.end; }

constexpr float kTaken = 0.35f;  // of a role that is taken for a guess

// How one predicate hangs on another.
std::uint64_t link(const Input& input, int p, int q) {
  const InputWord &a = input.words[p], &b = input.words[q];
  if (a.head == q) return of(1, a.relation);
  if (b.head == p) return of(2, b.relation);
  if (a.head == b.head) return of(3, a.relation, b.relation);
  return of(4, p < q);
}

}  // namespace

void guess(const RoleLabels& labels, Guess& g) {
  const std::size_t n = static_cast<std::size_t>(g.problem.labels);
  g.best.clear();
  for (std::size_t c = 0; c < g.problem.candidates.size(); ++c) {
    const float* s = g.problem.scores.data() + c * n;
    const float most = std::max(0.0f, *std::max_element(s, s + n));
    float roles = 0;
    for (std::size_t l = 1; l < n; ++l) roles += std::exp(s[l] - most);
    const float sum = roles + std::exp(-most);
    Guess::Best b;
    b.label = 1;
    for (std::size_t l = 2; l < n; ++l) {
      if (s[l] > s[b.label]) {
        b.second = b.label;
        b.label = static_cast<int>(l);
      } else if (b.second == 0 || s[l] > s[b.second]) {
        b.second = static_cast<int>(l);
      }
    }
    b.p = std::exp(s[b.label] - most) / sum;
    b.q = std::exp(s[b.second] - most) / sum;
    b.some = roles / sum;
    b.odds = std::log(roles) + most;
    g.best.push_back(b);
  }
  std::vector<int> order;
  for (std::size_t c = 0; c < g.best.size(); ++c) {
    if (g.best[c].p >= kTaken) order.push_back(static_cast<int>(c));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return g.best[a].p > g.best[b].p; });
  g.taken.clear();
  for (int c : order) {
    const int label = g.best[c].label;
    const bool bad = std::any_of(g.taken.begin(), g.taken.end(), [&](int t) {
      return overlap(g.problem.candidates[t], g.problem.candidates[c]) ||
             (labels.numbered[label] && g.best[t].label == label);
    });
    if (!bad) g.taken.push_back(c);
  }
  std::sort(g.taken.begin(), g.taken.end(), [&](int a, int b) {
    return g.problem.candidates[a].begin < g.problem.candidates[b].begin;
  });
}

void ContextMaker::add_own(const Guess& g, const Candidate& c, const Guess::Best& own,
                           FeatureList& out) const {
  const unsigned p = step_of(own.p), q = step_of(own.q), some = step_of(own.some);
  out.push_back(of(1, own.label, p, some, c.belief > 0));
  out.push_back(of(2, own.label, own.second, p, q, c.belief > 0));
  out.push_back(of(3, own.label, p, c.label, c.kind));
  out.push_back(of(4, own.label, p, c.belief, c.agrees));
  bool any = false;
  for (int t : g.taken) {
    const Candidate& x = g.problem.candidates[t];
    if (same(x, c) || !overlap(x, c)) continue;
    any = true;
    const unsigned how = x.begin <= c.begin && c.end <= x.end   ? 1u
                         : c.begin <= x.begin && x.end <= c.end ? 2u
                                                                : 3u;
    out.push_back(of(5, how, g.best[t].label, step_of(g.best[t].p), own.label, p));
    out.push_back(of(6, how, g.best[t].label, c.label, x.label));
    out.push_back(
        of(7, how, c.head == x.head, own.label == g.best[t].label, p, step_of(g.best[t].p)));
  }
  if (!any) out.push_back(of(8, own.label, p));
}

void ContextMaker::add_roles_around(const Input& input, const Guess& g, const Candidate& c,
                                    const Guess::Best& own, FeatureList& out) const {
  const unsigned p = step_of(own.p);
  const std::uint64_t lemma = input.words[g.word].lemma;
  const std::uint64_t voice = of(9, input.passive(g.word), input.words[g.word].tag);
  std::uint64_t core = 1, all = 1, left = 0, right = 0, claimed = 0;
  bool verb = false, here = false;
  const auto before = [&](int begin) {  // the predicate and the span, where they stand
    const bool verb_first = g.word < c.begin;
    for (int step = 0; step < 2; ++step) {
      if ((step == 0) == verb_first) {
        if (!verb && g.word < begin) verb = true, core = mix(core, 1001), all = mix(all, 1001);
      } else if (!here && c.begin < begin) {
        here = true, core = mix(core, 1002), all = mix(all, 1002);
      }
    }
  };
  for (int t : g.taken) {
    const Candidate& x = g.problem.candidates[t];
    if (overlap(x, c)) continue;
    const int label = g.best[t].label;
    before(x.begin);
    all = mix(all, static_cast<std::uint64_t>(label));
    if (labels_.numbered[label]) core = mix(core, static_cast<std::uint64_t>(label));
    if (x.end <= c.begin) left = static_cast<std::uint64_t>(label);
    if (x.begin >= c.end && right == 0) right = static_cast<std::uint64_t>(label);
    if (label == own.label) claimed = 1 + step_of(g.best[t].p);
  }
  before(input.size() + 1);
  out.push_back(of(10, core));
  out.push_back(of(11, core, lemma));
  out.push_back(of(12, core, voice, c.label));
  out.push_back(of(13, core, own.label, p));
  out.push_back(of(14, all));
  out.push_back(of(15, all, own.label));
  const std::uint64_t side = c.begin > g.word;
  out.push_back(of(16, left, right, side));
  out.push_back(of(17, left, right, own.label, side));
  out.push_back(of(18, left, right, c.label, side));
  out.push_back(of(19, own.label, claimed, p));
  out.push_back(of(20, core, voice, own.label));
}

void ContextMaker::add_other_predicates(const Input& input, std::span<const Guess> guesses,
                                        const Guess& g, const Candidate& c, const Guess::Best& own,
                                        FeatureList& out) const {
  const unsigned p = step_of(own.p);
  int takers = 0, crossed = 0;
  for (const Guess& other : guesses) {
    if (&other == &g) continue;
    const std::uint64_t how = link(input, g.word, other.word);
    for (int t : other.taken) {
      const Candidate& x = other.problem.candidates[t];
      const int label = other.best[t].label;
      if (same(x, c)) {
        ++takers;
        out.push_back(of(21, how, label, c.begin > g.word));
        out.push_back(of(22, how, label, own.label, p));
        out.push_back(of(23, how, label, input.words[g.word].lemma));
      } else if (overlap(x, c)) {
        const bool in = x.begin <= c.begin && c.end <= x.end;
        const bool around = c.begin <= x.begin && x.end <= c.end;
        crossed += !in && !around;
        if (c.head == x.head) out.push_back(of(24, how, in, around, own.label, p));
      }
    }
  }
  out.push_back(of(25, std::min(takers, 3), own.label, p));
  out.push_back(of(26, std::min(crossed, 2), own.label, p));
}

void ContextMaker::features(const Input& input, std::span<const Guess> guesses,
                            std::size_t predicate, std::size_t candidate, FeatureList& out) {
  const Guess& g = guesses[predicate];
  const Candidate& c = g.problem.candidates[candidate];
  const Guess::Best& own = g.best[candidate];
  out.clear();
  add_own(g, c, own, out);
  add_roles_around(input, g, c, own, out);
  add_other_predicates(input, guesses, g, c, own, out);
}

void SecondLook::correct(const Input& input, std::span<Guess> guesses, Work& work) const {
  std::int32_t sums[2];
  float scores[2];
  // Scores change only where nothing looks at them again: `best` and `taken` stay.
  for (std::size_t p = 0; p < guesses.size(); ++p) {
    for (std::size_t c = 0; c < guesses[p].best.size(); ++c) {
      if (guesses[p].hopeless(c)) continue;
      work.maker.features(input, guesses, p, c, work.features);
      weights_.scores(work.features, sums, scores);
      const std::size_t n = static_cast<std::size_t>(guesses[p].problem.labels);
      float* const to = guesses[p].problem.scores.data() + c * n;
      for (std::size_t l = 1; l < n; ++l) to[l] += scores[1] - scores[0];
    }
  }
}

}  // namespace entente::roles
