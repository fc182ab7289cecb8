// How a CCG derivation is shown: words above, lines with the categories they become below, as in
// papers; dependencies beside it in JSON.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& ccg_view();

}  // namespace entente
