// Sentences of conll04 as raw text with entities in it, cut into our own words with our own tags.
//
//   ExampleMaker make(layers);                               // one per thread
//   const Example e = make.example(conll04_sentence);
//   e.sentence.entities;                                     // on our words, to learn from
//   e.gold;                                                  // in bytes of e.text, to be measured on
//
// The text is the words joined by spaces; a sentence of the corpus is one sentence here, whatever our
// own splitter thinks. An entity covers the words that it touches. Cost: that of tagging.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "corpus/conll04.h"
#include "corpus/document.h"
#include "model/task.h"

namespace entente::entities {

struct TextEntity {
  std::int64_t begin = 0, end = 0;  // bytes
  std::string type;
  friend bool operator==(const TextEntity&, const TextEntity&) = default;
};

struct Example {
  std::string text;
  Sentence sentence;
  std::vector<TextEntity> gold;
};

class ExampleMaker {
 public:
  explicit ExampleMaker(const LowerLayers& layers) : worker_(layers.make_worker()) {}
  Example example(const Conll04Sentence& from);

 private:
  std::unique_ptr<LowerLayers::Worker> worker_;
};

// All of some files, in order, whatever the threads. Stopped by the monitor, it gives what it has.
std::vector<Example> read_examples(const std::vector<std::string>& paths, const LowerLayers& layers,
                                   int threads, Monitor& monitor);

// The entities of a sentence of an example, in bytes of its text.
std::vector<TextEntity> entities_in_text(const Sentence& sentence, const std::string& text);

}  // namespace entente::entities
