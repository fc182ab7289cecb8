#include "tasks/tokens/trainer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "learn/hash.h"
#include "learn/online_trainer.h"
#include "tasks/tokens/limits.h"
#include "tasks/tokens/segmenter.h"

namespace entente::tokens {
namespace {

constexpr int kEpochs = 6;
constexpr int kWordBits = 16;
constexpr double kTokenPrice = 0.5;

}  // namespace

Trainer::Trainer(std::span<const Sentence> sentences, const TrainingOptions& options,
                 const TrainerSettings& settings)
    : options_(options),
      settings_(settings),
      paragraphs_(paragraphs_of(sentences, options.seed, settings.copies)),
      gaps_(GapTable::learn(originals())),
      rules_(MultiwordRules::learn(originals())),
      token_learner_(settings.token_bits, static_cast<float>(settings.rate)),
      sentence_learner_(settings.sentence_bits, static_cast<float>(settings.rate)),
      word_learner_(kWordBits, static_cast<float>(settings.rate)),
      token_lattice_(kTokenWindow),
      sentence_lattice_(kSentenceWindow) {
  LexiconBuilder builder;
  for (const Paragraph& p : originals()) builder.add(p, 1);
  lexicon_ = builder.table();
  const int n = static_cast<int>(originals().size());
  for (int part = 0; part < kParts; ++part) {
    const auto add = [&](int times) {
      for (int i = 0; i < n; ++i) {
        if (part_of(i) == part) builder.add(paragraphs_[i], times);
      }
    };
    add(-1);
    others_.push_back(builder.table());
    add(1);
  }
}

std::span<const Paragraph> Trainer::originals() const {
  const auto end = std::find_if(paragraphs_.begin(), paragraphs_.end(),
                                [](const Paragraph& p) { return p.copy_of >= 0; });
  return {paragraphs_.begin(), end};
}

std::uint64_t Trainer::fingerprint() const {
  std::uint64_t h = mix(Segmenter::kVersion, options_.seed);
  for (const Paragraph& p : paragraphs_) h = spread(mix(h, hash_of(p.text)));
  for (double x : {settings_.sentence_price, static_cast<double>(settings_.token_bits),
                   static_cast<double>(settings_.sentence_bits), settings_.rate}) {
    h = mix(h, std::bit_cast<std::uint64_t>(x));
  }
  return h;
}

bool Trainer::run(Monitor& monitor) {
  const OnlinePlan plan{
      .name = "tokens",
      .epochs = options_.epochs > 0 ? options_.epochs : kEpochs,
      .examples = paragraphs_.size(),
      .seed_of = [&](int epoch) { return mix(options_.seed, static_cast<std::uint64_t>(epoch)); },
      .checkpoint = options_.checkpoint,
      .checkpoint_task = "tokens checkpoint",
      .fingerprint = fingerprint()};
  const auto learn_paragraphs = [&](std::span<const int> paragraphs, const OnlineStep&) {
    for (const int p : paragraphs) learn(p);
  };
  const auto save = [&](ModelWriter& writer) {
    token_learner_.save(writer, "tokens");
    sentence_learner_.save(writer, "sentences");
    word_learner_.save(writer, "words");
  };
  const auto load = [&](const ModelFile& file) {
    token_learner_.load(file, "tokens");
    sentence_learner_.load(file, "sentences");
    word_learner_.load(file, "words");
  };
  return train_online(plan, {.learn = learn_paragraphs, .save = save, .load = load}, monitor);
}

void Trainer::learn(int index) {
  const Paragraph& p = paragraphs_[index];
  characters_.read(p.text);
  if (characters_.size() == 0) return;
  const LexiconView lexicon(others_[part_of(index)]);
  token_ends_.clear();
  int k = 0;
  for (const GoldToken& t : p.tokens) {
    while (k < characters_.size() && characters_[k].end <= t.end) ++k;
    token_ends_.push_back(k);
  }
  TokenSource tokens(GapTable(gaps_), lexicon);
  learn_tokens(tokens);
  SentenceSource sentences(lexicon);
  learn_sentences(p, sentences);
  learn_words(p, lexicon);
}

void Trainer::learn_tokens(TokenSource& source) {
  source.start(characters_);
  std::size_t token = 0;
  while (source.next_chunk()) {
    ends_.clear();
    const int pieces = source.pieces();
    for (int i = 1; i <= pieces; ++i) {
      const int at = source.character(i);
      // Ends that no cut stands for (words run together) cannot be learned.
      while (token < token_ends_.size() && token_ends_[token] < at) ++token;
      if (i == pieces || (token < token_ends_.size() && token_ends_[token] == at)) {
        ends_.push_back(i);
      }
    }
    if (pieces == 1) continue;
    token_lattice_.fill(source, token_learner_.weights());
    token_lattice_.learn(source, ends_, token_learner_);
  }
}

void Trainer::learn_sentences(const Paragraph& p, SentenceSource& source) {
  source.start(characters_, token_ends_);
  source.focus(0, source.size());
  ends_.clear();
  for (int i = 0; i < source.size(); ++i) {
    if (p.tokens[i].ends_sentence || i + 1 == source.size()) ends_.push_back(i + 1);
  }
  sentence_lattice_.fill(source, sentence_learner_.weights());
  sentence_lattice_.learn(source, ends_, sentence_learner_);
}

void Trainer::learn_words(const Paragraph& p, const LexiconView& lexicon) {
  std::vector<std::string> words;
  for (int i = 0; i < static_cast<int>(token_ends_.size()); ++i) {
    const GoldToken& t = p.tokens[i];
    rules_.candidates(characters_, i == 0 ? 0 : token_ends_[i - 1], token_ends_[i], candidates_);
    for (const int rule : candidates_) {
      rules_.apply(rule, std::string_view(p.text).substr(t.begin, t.end - t.begin), words);
      bool right = t.last - t.first + 1 == static_cast<int>(words.size());
      for (std::size_t w = 0; right && w < words.size(); ++w) {
        right = words[w] == t.sentence->words[t.first + static_cast<int>(w)].form;
      }
      features_.clear();
      rules_.features(characters_, token_ends_, i, rule, lexicon, features_);
      const float score = word_learner_.weights().score(features_);
      word_learner_.step(features_, (right ? 1.0f : 0.0f) - 1 / (1 + std::exp(-score)));
    }
    if (!candidates_.empty()) word_learner_.next_example();
  }
}

void Trainer::write(ModelWriter& writer) const {
  writer.add_number("tokens/version", Segmenter::kVersion);
  writer.add_number("tokens/token_price", kTokenPrice);
  writer.add_number("tokens/sentence_price", settings_.sentence_price);
  writer.add<std::uint8_t>("tokens/gaps", gaps_);
  writer.add<LexiconEntry>("tokens/lexicon", lexicon_);
  rules_.write(writer, "tokens/rules");
  token_learner_.weights().packed().write(writer, "tokens/token_weights");
  sentence_learner_.weights().packed().write(writer, "tokens/sentence_weights");
  word_learner_.weights().packed().write(writer, "tokens/word_weights");
}

}  // namespace entente::tokens
