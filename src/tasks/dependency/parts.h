// The parts of a tree (oracle/tree_parts.h) under the parser's own names.
#pragma once

#include "oracle/tree_parts.h"

namespace entente::dependency {

using trees::Arc;
using trees::for_each_part;
using trees::Grandparent;
using trees::make_parts;
using trees::Order;
using trees::Parts;
using trees::PartScores;
using trees::score_of;
using trees::Sibling;

}  // namespace entente::dependency
