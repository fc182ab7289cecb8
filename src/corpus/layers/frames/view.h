// Frames, shown.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& frames_view();

}  // namespace entente
