#include "tasks/translation/language_model.h"

#include <algorithm>
#include <cmath>

#include "learn/hash.h"
#include "tasks/translation/lm_builder.h"

namespace entente::translation {

WordHash LanguageModel::word(std::string_view text) const {
  const WordHash hash = hash_of(text);
  return find(1, hash) ? hash : unknown_;
}

bool LanguageModel::knows(std::string_view text) const { return find(1, hash_of(text)) != nullptr; }

Context LanguageModel::start() const {
  Context c{.complete = true};
  if (order_ > 1) c.words[c.size++] = start_;
  return c;
}

float LanguageModel::score(WordHash word, const Context& context, Context& next) const {
  // The longest n-gram that ends with the word and fits the context.
  const Entry* longest = find(1, word);
  std::uint64_t key = word;
  int matched = 0;  // words of context in it
  // What the context after the word is made of: its n-grams that something
  // longer begins with.
  std::array<bool, kMaxOrder> extends{};
  if (longest && longest->flags & 1) extends[0] = true;
  const Entry* found = longest;
  while (found && matched < context.size && matched + 2 <= order_) {
    key = ngram::key_of(key, context.words[matched]);
    found = find(matched + 2, key);
    if (!found) break;
    longest = found;
    ++matched;
    extends[matched] = found->flags & 1;
  }
  float score = longest ? longest->probability : ngram::kNoUnknown;
  const bool all_known = context.complete || context.size >= order_ - 1;
  if (matched == context.size && !all_known) {
    score = longest ? longest->best : ngram::kNoUnknown;
  } else if (matched < context.size) {
    // Back off from every longer context that there is.
    std::uint64_t back = context.words[0];
    float more = 0;
    for (int k = 1; k <= context.size; ++k) {
      if (k > 1) back = ngram::key_of(back, context.words[k - 1]);
      const Entry* e = find(k, back);
      if (!e) break;
      if (k > matched) score += e->back_off;
      if (k == context.size) more = e->best_back_off;
    }
    if (!all_known) score += more;
  }
  // The context after the word: as long as some n-gram begins with it.
  Context after;
  int keep = 0;
  const int most = std::min(matched + 1, order_ - 1);
  for (int k = 0; k < most; ++k) {
    if (extends[k]) keep = k + 1;
  }
  after.size = static_cast<std::int8_t>(keep);
  if (keep > 0) after.words[0] = word;
  for (int k = 1; k < keep; ++k) after.words[k] = context.words[k - 1];
  // Words that are not kept cannot matter, known or not, unless everything
  // known was kept and more may stand before it.
  after.complete = keep == order_ - 1 || keep < context.size + 1 || all_known;
  next = after;
  return score;
}

void LanguageModel::use_owned() {
  for (std::size_t k = 0; k < owned_.size(); ++k) tables_[k] = FlatTable<Entry>(owned_[k]);
  words_ = owned_words_;
  for (std::size_t k = 0; k < owned_grams_.size(); ++k) grams_[k] = owned_grams_[k];
}

void LanguageModel::write(ModelWriter& writer) const {
  writer.add_number("lm/order", order_);
  std::vector<double> counts(counts_.begin(), counts_.begin() + order_);
  writer.add<double>("lm/counts", counts);
  for (int k = 0; k < order_; ++k) {
    writer.add<Entry>("lm/" + std::to_string(k + 1), tables_[k].entries());
    writer.add<std::uint32_t>("lm/grams/" + std::to_string(k + 1), grams_[k]);
  }
  writer.add<std::uint64_t>("lm/words", words_);
}

LanguageModel::LanguageModel(const ModelFile& file)
    : start_(hash_of(ngram::kStart)),
      end_(hash_of(ngram::kEnd)),
      unknown_(hash_of(ngram::kUnknown)) {
  const double order = file.number("lm/order");
  const auto counts = file.array<double>("lm/counts");
  if (!(order >= 1 && order <= kMaxOrder) || counts.size() != static_cast<std::size_t>(order)) {
    file.fail("the sections of the language model do not fit together");
  }
  order_ = static_cast<int>(order);
  words_ = file.array<std::uint64_t>("lm/words");
  for (int k = 0; k < order_; ++k) {
    counts_[k] = static_cast<std::size_t>(counts[k]);
    tables_[k] = FlatTable<Entry>(file, "lm/" + std::to_string(k + 1));
    grams_[k] = file.array<std::uint32_t>("lm/grams/" + std::to_string(k + 1));
    if (grams_[k].size() % (k + 1) != 0 ||
        std::any_of(grams_[k].begin(), grams_[k].end(),
                    [&](std::uint32_t w) { return w >= words_.size(); })) {
      file.fail("the n-grams of the language model are damaged");
    }
    for (const Entry& e : tables_[k].entries()) {
      if (e.check != 0 && !(std::isfinite(e.probability) && std::isfinite(e.back_off) &&
                            std::isfinite(e.best) && std::isfinite(e.best_back_off))) {
        file.fail("the language model has numbers that are none");
      }
    }
  }
}

LanguageModel LanguageModel::restricted_to(std::span<const WordHash> words) const {
  std::vector<WordHash> wanted(words.begin(), words.end());
  wanted.insert(wanted.end(), {start_, end_, unknown_});
  std::sort(wanted.begin(), wanted.end());
  std::vector<bool> in(words_.size());
  for (std::size_t k = 0; k < words_.size(); ++k) {
    in[k] = std::binary_search(wanted.begin(), wanted.end(), words_[k]);
  }
  LmBuilder builder(order_);
  LmBuilder::keep(*this, in, builder);
  return builder.build(false);
}

}  // namespace entente::translation
