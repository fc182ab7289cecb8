// Training of the frame-semantic parser from a FrameNet release, on our own tags and trees.
//
//   FramesPlan plan{.release = "fndata-1.5", .documents = {"ANC__110CYL067"}, .output =
//   "frames.model"}; if (!train_frames(plan, pipeline, monitor)) ...    // stopped; the same call
//   goes on
//
// The model holds the frames layer only and is used beside the one that gave the trees. What is
// finished lies in the folder <output>.work until the model is written: parsed exemplars, four
// thousand a file, and the state after each epoch. Same release, settings and seed: same model,
// whatever the threads and however often it was stopped.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.h"
#include "pipeline/pipeline.h"
#include "tasks/frames/training.h"

namespace entente {

struct FramesPlan {
  std::string release;
  std::vector<std::string> documents, dev;  // names of full texts; dev may be empty
  bool exemplars = false;
  frames::FramesSettings settings;
  std::string output;
  bool restart = false;  // forget unfinished work
  int threads = 1;
};

// Returns false if the monitor stopped it.
bool train_frames(const FramesPlan& plan, const Pipeline& pipeline, Monitor& monitor);

// Settings of the frames task by name, as its settings() lists them; an Error for others.
frames::FramesSettings frames_settings(const std::map<std::string, std::string>& settings);

}  // namespace entente
