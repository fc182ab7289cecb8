// All of the public interface. Read in this order: ids.h, graph.h, options.h, solution.h, solve.h,
// verify.h, session.h, structured.h, formats.h, error.h.
#pragma once

#include "entente/error.h"
#include "entente/formats.h"
#include "entente/graph.h"
#include "entente/ids.h"
#include "entente/options.h"
#include "entente/session.h"
#include "entente/solution.h"
#include "entente/solve.h"
#include "entente/structured.h"
#include "entente/verify.h"
