#include "tasks/entities/examples.h"

#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "corpus/conll04_document.h"
#include "corpus/corpus.h"
#include "corpus/word_offsets.h"

namespace entente::entities {

Example ExampleMaker::example(const Conll04Sentence& from) {
  Sentence given;
  read_conll04_sentence(from, given);
  const JoinedText joined = join_words(given);
  Example out;
  out.text = joined.text;
  for (const Entity& e : given.entities) {
    out.gold.push_back({joined.begin[static_cast<std::size_t>(e.words.begin)],
                        joined.end[static_cast<std::size_t>(e.words.end) - 1], e.type});
  }
  Document document;
  document.text = out.text;
  worker_->segment(document);
  if (document.sentences.empty()) return out;
  out.sentence = join_sentences(std::move(document.sentences));
  worker_->annotate(out.sentence);
  const std::vector<WordPlace> places = word_offsets(out.sentence, out.text);
  for (const TextEntity& e : out.gold) {
    Span words{-1, -1};
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
      const WordPlace& place = places[static_cast<std::size_t>(i)];
      if (place.begin >= e.end || place.end <= e.begin) continue;
      if (words.begin < 0) words.begin = i;
      words.end = i + 1;
    }
    if (words.begin >= 0) out.sentence.entities.push_back({words, e.type});
  }
  return out;
}

std::vector<Example> read_examples(const std::vector<std::string>& paths, const LowerLayers& layers,
                                   int threads, Monitor& monitor) {
  const std::vector<Conll04Sentence> sentences = read_all_conll04(paths);
  std::vector<Example> out(sentences.size());
  std::vector<std::unique_ptr<ExampleMaker>> makers;
  for (int t = 0; t < threads; ++t) makers.push_back(std::make_unique<ExampleMaker>(layers));
  std::mutex mutex;  // of the monitor
  monitor.stage("words and tags", static_cast<std::int64_t>(sentences.size()));
  parallel_for(static_cast<int>(sentences.size()), threads, [&](int i, int thread) {
    if (monitor.stopped()) return;
    out[static_cast<std::size_t>(i)] =
        makers[static_cast<std::size_t>(thread)]->example(sentences[static_cast<std::size_t>(i)]);
    const std::lock_guard lock(mutex);
    monitor.advance(1);
  });
  return out;
}

std::vector<TextEntity> entities_in_text(const Sentence& sentence, const std::string& text) {
  const std::vector<WordPlace> places = word_offsets(sentence, text);
  std::vector<TextEntity> out;
  for (const Entity& e : sentence.entities) {
    const WordPlace place = place_of_words(places, e.words.begin, e.words.end - 1);
    out.push_back({place.begin, place.end, e.type});
  }
  return out;
}

}  // namespace entente::entities
