// Words with their tags, and the tree over them, shown: also what is shown where there is no other
// layer.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& dependency_view();

}  // namespace entente
