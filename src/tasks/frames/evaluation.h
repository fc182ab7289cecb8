// `entente evaluate frames`, and what the settings of training and evaluation name.
#pragma once

#include <string>
#include <vector>

#include "model/task.h"

namespace entente::frames {

// Of settings "framenet" and "docs". `verb` is named in the message where the release is missing.
std::string release_of(const Settings& settings, const char* verb);
std::vector<std::string> documents_of(const Settings& settings, const std::string& release);

void evaluate_frames(const EvaluateRequest& request);

}  // namespace entente::frames
