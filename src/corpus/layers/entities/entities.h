// The entities layer: names of persons, places, organizations.
#pragma once

#include <string>

#include "corpus/span.h"

namespace entente {

struct Entity {
  Span words;
  std::string type;       // "Peop", "Loc", "Org"
  double confidence = 1;  // probability of what was chosen, where a model gave it
};

}  // namespace entente
