// Sentences of a FrameNet release with our tokens, tags and trees, and its frames as a gold layer.
//
//   FrameCorpusMaker make(layers);                                // one per thread
//   const Sentence s = make.sentence(annotated, report);          // s.frames: what was annotated
//   std::vector<Sentence> dev = read_frame_corpus(release, docs, layers, threads, report, monitor);
//
// A sentence of the release is one sentence here, whatever our own splitter thinks. An argument or
// target covers the words that its characters touch. Predicates are kept whatever their status;
// labels of rank 2 and null instantiations are left out. Cost: that of parsing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "corpus/framenet/annotation.h"
#include "model/task.h"

namespace entente::frames {

class FrameCorpusMaker {
 public:
  explicit FrameCorpusMaker(const LowerLayers& layers) : worker_(layers.make_worker()) {}
  Sentence sentence(const framenet::AnnotatedSentence& annotated, framenet::Report& report);

 private:
  std::unique_ptr<LowerLayers::Worker> worker_;
  Document document_;
};

// All sentences of the documents, in their order, for any number of threads. Stopped by the
// monitor, it gives what it has.
std::vector<Sentence> read_frame_corpus(const std::string& release,
                                        const std::vector<std::string>& documents,
                                        const LowerLayers& layers, int threads,
                                        framenet::Report& report, Monitor& monitor);

}  // namespace entente::frames
