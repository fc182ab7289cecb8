#include "tasks/tokens/segmenter.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "tasks/tokens/limits.h"

namespace entente {

using tokens::Characters;
using tokens::Features;

namespace {

// What is very long is cut in blocks. The last segment of a block may go on beyond it: the next
// block starts with it, unless it is so long that this would not get us on.
void keep_sure(std::vector<int>& ends) {
  if (ends.size() > 1 && ends[ends.size() - 2] > ends.back() / 2) ends.pop_back();
}

}  // namespace

struct Segmenter::Work : Scratch {
  explicit Work(const Segmenter& s)
      : token_source(s.gaps_, s.lexicon_), sentence_source(s.lexicon_) {
    sentence_source.use_rules();
  }

  Characters characters;
  tokens::TokenSource token_source;
  tokens::SentenceSource sentence_source;
  tokens::SegmentLattice token_lattice{tokens::kTokenWindow};
  tokens::SegmentLattice sentence_lattice{tokens::kSentenceWindow};
  std::vector<int> token_ends;     // first character after each token
  std::vector<int> sentence_ends;  // first token after each sentence
  std::vector<int> ends, rules;
  std::vector<std::string> words;
  Features features;
};

Segmenter::Segmenter(const ModelFile& file)
    : token_weights_(file, "tokens/token_weights"),
      sentence_weights_(file, "tokens/sentence_weights"),
      word_weights_(file, "tokens/word_weights"),
      rules_(tokens::MultiwordRules::read(file, "tokens/rules")),
      token_price_(static_cast<float>(file.number("tokens/token_price"))),
      sentence_price_(static_cast<float>(file.number("tokens/sentence_price"))) {
  if (file.number("tokens/version") != kVersion) {
    file.fail("its tokenizer was made by another version of this program: train it again");
  }
  const auto gaps = file.array<std::uint8_t>("tokens/gaps");
  const auto lexicon = file.array<tokens::LexiconEntry>("tokens/lexicon");
  if (gaps.size() != tokens::GapTable::kSize) file.fail("section \"tokens/gaps\" has a bad size");
  if (!tokens::LexiconView::is_table(lexicon)) file.fail("section \"tokens/lexicon\" is no table");
  gaps_ = tokens::GapTable(gaps);
  lexicon_ = tokens::LexiconView(lexicon);
}

std::unique_ptr<Scratch> Segmenter::make_scratch() const { return std::make_unique<Work>(*this); }

void Segmenter::segment(Document& document, Scratch& scratch) const {
  Work* work = dynamic_cast<Work*>(&scratch);
  ENTENTE_CHECK(work != nullptr);
  work->characters.read(document.text);
  find_tokens(*work);
  find_sentences(*work);
  write(document, *work);
}

void Segmenter::find_tokens(Work& work) const {
  work.token_ends.clear();
  work.token_source.start(work.characters);
  while (work.token_source.next_chunk()) {
    const int pieces = work.token_source.pieces();
    work.ends.assign(1, pieces);
    if (pieces > 1) {
      work.token_lattice.fill(work.token_source, token_weights_);
      work.token_lattice.marginals();
      work.token_lattice.best_cuts(token_price_, work.ends);
      if (work.token_source.is_cut()) keep_sure(work.ends);
      work.token_source.resume_at(work.ends.back());
    }
    for (const int end : work.ends) work.token_ends.push_back(work.token_source.character(end));
  }
}

void Segmenter::find_sentences(Work& work) const {
  tokens::SentenceSource& source = work.sentence_source;
  source.start(work.characters, work.token_ends);
  work.sentence_ends.clear();
  for (int begin = 0; begin < source.size();) {
    int end = begin + 1;
    const int limit = std::min(source.size(), begin + tokens::kSentenceBlock);
    while (end < limit && !source.starts_block(end)) ++end;
    const bool whole = end == source.size() || source.starts_block(end);
    source.focus(begin, end);
    work.sentence_lattice.fill(source, sentence_weights_, tokens::kSentenceFloor);
    work.sentence_lattice.marginals();
    work.sentence_lattice.best_cuts(sentence_price_, work.ends);
    if (!whole) keep_sure(work.ends);
    for (const int sentence_end : work.ends) work.sentence_ends.push_back(begin + sentence_end);
    begin = work.sentence_ends.back();
  }
}

int Segmenter::split_rule(Work& work, int i) const {
  const int begin = i == 0 ? 0 : work.token_ends[i - 1];
  int best = rules_.sure(work.characters, begin, work.token_ends[i]);
  if (best >= 0) return best;
  rules_.candidates(work.characters, begin, work.token_ends[i], work.rules);
  float best_score = 0;
  for (const int rule : work.rules) {
    if (!rules_.may_split(work.characters, begin, work.token_ends[i], rule, lexicon_)) continue;
    work.features.clear();
    rules_.features(work.characters, work.token_ends, i, rule, lexicon_, work.features);
    const float score = word_weights_.score(work.features);
    if (score > best_score) {
      best = rule;
      best_score = score;
    }
  }
  return best;
}

void Segmenter::write(Document& document, Work& work) const {
  document.sentences.clear();
  document.sentences.reserve(work.sentence_ends.size());
  int token = 0;
  for (const int end : work.sentence_ends) {
    Sentence& sentence = document.sentences.emplace_back();
    sentence.new_paragraph = token == 0 || work.sentence_source.starts_paragraph(token);
    sentence.tokens.reserve(end - token);
    sentence.words.reserve(end - token);
    for (; token < end; ++token) {
      const int first = token == 0 ? 0 : work.token_ends[token - 1];
      const int last = work.token_ends[token] - 1;
      Token& t = sentence.tokens.emplace_back();
      t.begin = work.characters[first].begin;
      t.end = work.characters[last].end;
      t.first = sentence.size();
      std::string form = document.text.substr(t.begin, t.end - t.begin);
      const bool space_after = last + 1 == work.characters.size() ||
                               work.characters[last + 1].before != tokens::Gap::kNone;
      std::string misc = space_after ? "_" : "SpaceAfter=No";
      const int rule = split_rule(work, token);
      if (rule >= 0) {
        rules_.apply(rule, form, work.words);
        for (const std::string& word : work.words) sentence.words.emplace_back().form = word;
        t.form = std::move(form);
        t.misc = std::move(misc);
      } else {
        Word& word = sentence.words.emplace_back();
        word.form = std::move(form);
        word.misc = std::move(misc);
      }
      t.last = sentence.size() - 1;
    }
    sentence.begin = sentence.tokens.front().begin;
    sentence.end = sentence.tokens.back().end;
  }
}

}  // namespace entente
