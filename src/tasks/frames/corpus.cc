#include "tasks/frames/corpus.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "base/utf8.h"
#include "corpus/corpus.h"
#include "corpus/word_offsets.h"

namespace entente::frames {

namespace {

// The byte where each character starts, and one more for the end.
std::vector<std::int64_t> character_starts(const std::string& text) {
  std::vector<std::int64_t> starts;
  for (std::size_t i = 0; i < text.size();) {
    starts.push_back(static_cast<std::int64_t>(i));
    i += static_cast<std::size_t>(std::max(decode_utf8(text, i).length, 1));
  }
  starts.push_back(static_cast<std::int64_t>(text.size()));
  return starts;
}

class LabelMapper {
 public:
  LabelMapper(const Sentence& sentence, const std::string& text)
      : starts_(character_starts(text)), places_(word_offsets(sentence, text)) {}

  // First and last word that the label touches; {-1, -1} if none.
  std::pair<int, int> words(const framenet::Label& label) const {
    const std::int64_t begin = starts_[label.begin], end = starts_[label.end];
    int first = -1, last = -1;
    for (int i = 0; i < static_cast<int>(places_.size()); ++i) {
      if (places_[i].begin >= end || places_[i].end <= begin) continue;
      if (first < 0) first = i;
      last = i;
    }
    return {first, last};
  }

 private:
  std::vector<std::int64_t> starts_;
  std::vector<WordPlace> places_;
};

FrameInstance instance_of(const framenet::Predicate& predicate, const LabelMapper& map,
                          framenet::Report& report) {
  FrameInstance out;
  out.frame = predicate.frame;
  out.lexical_unit = predicate.lexical_unit;
  for (const framenet::Label& label : predicate.target) {
    const auto [first, last] = map.words(label);
    for (int i = first; i >= 0 && i <= last; ++i) {
      if (out.target.empty() || out.target.back() < i) out.target.push_back(i);
    }
  }
  for (const framenet::Label& label : predicate.arguments) {
    const auto [first, last] = map.words(label);
    if (first < 0) {
      report.skip("arguments of white space only");
      continue;
    }
    out.arguments.push_back({.role = label.name, .words = {first, last + 1}});
  }
  return out;
}

}  // namespace

Sentence FrameCorpusMaker::sentence(const framenet::AnnotatedSentence& annotated,
                                    framenet::Report& report) {
  document_ = {};
  document_.text = annotated.text;
  worker_->segment(document_);
  if (document_.sentences.empty()) return {};
  Sentence sentence = join_sentences(std::move(document_.sentences));
  worker_->annotate(sentence);
  const LabelMapper map(sentence, annotated.text);
  for (const framenet::Predicate& p : annotated.predicates) {
    FrameInstance instance = instance_of(p, map, report);
    if (instance.target.empty()) {
      report.skip("predicates whose target is white space");
    } else {
      sentence.frames.push_back(std::move(instance));
    }
  }
  std::stable_sort(sentence.frames.begin(), sentence.frames.end(),
                   [](const auto& a, const auto& b) { return a.target < b.target; });
  return sentence;
}

std::vector<Sentence> read_frame_corpus(const std::string& release,
                                        const std::vector<std::string>& documents,
                                        const LowerLayers& layers, int threads,
                                        framenet::Report& report, Monitor& monitor) {
  std::vector<framenet::AnnotatedSentence> annotated;
  for (const std::string& name : documents) {
    std::vector<framenet::AnnotatedSentence> more = framenet::read_full_text(release, name, report);
    std::move(more.begin(), more.end(), std::back_inserter(annotated));
  }
  std::vector<Sentence> sentences(annotated.size());
  std::vector<std::unique_ptr<FrameCorpusMaker>> makers;
  for (int t = 0; t < threads; ++t) makers.push_back(std::make_unique<FrameCorpusMaker>(layers));
  std::mutex mutex;  // of report and monitor
  monitor.stage("tags and trees", static_cast<std::int64_t>(annotated.size()));
  parallel_for(static_cast<int>(annotated.size()), threads, [&](int i, int thread) {
    if (monitor.stopped()) return;
    framenet::Report own;
    sentences[i] = makers[thread]->sentence(annotated[i], own);
    const std::lock_guard<std::mutex> lock(mutex);
    report.add(own);
    monitor.advance(1);
  });
  return sentences;
}

}  // namespace entente::frames
