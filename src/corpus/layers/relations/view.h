// Relations between entities, shown.
//
//   "relations": [{"type": "Live_In", "head": "e0", "tail": "e1", "confidence": 0.93}],
//   "status": "optimal"
//
// In CoNLL-U a comment each: "# relation = Live_In <tab> 1 <tab> 2", where entities count from 1 in
// the order of their comments.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& relations_view();

}  // namespace entente
