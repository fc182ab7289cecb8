// Training of the frame-semantic parser from a FrameNet release, on our own tags and trees.
//
//   ReleasePlan plan{.release = "fndata-1.5", .documents = {"ANC__110CYL067"}, .exemplars = true};
//   if (!train_from_release(plan, request)) ...    // stopped; the same request goes on
//
// The model holds the frames layer only and is used beside the one that gave the trees. What is
// finished lies in the request's work folder until the model is written: parsed exemplars, four
// thousand a file, and the state after each epoch. Same release, settings and seed: same model,
// whatever the threads and however often it was stopped.
#pragma once

#include <string>
#include <vector>

#include "model/task.h"
#include "tasks/frames/training.h"

namespace entente::frames {

struct ReleasePlan {
  std::string release;
  std::vector<std::string> documents;  // names of full texts
  bool exemplars = false;
  FramesSettings settings;
};

// Writes the sections of the model. Returns false if the monitor stopped it.
bool train_from_release(const ReleasePlan& plan, const TrainRequest& request);

}  // namespace entente::frames
