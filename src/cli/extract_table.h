// An extraction as a table for people.
#pragma once

#include <string>

#include "schema/extract.h"

namespace entente::cli {

// Ends in an empty line. title: what it is of, may be empty.
std::string extract_table(const schema::Schema& schema, const schema::Candidates& candidates,
                          const schema::Extraction& e, const std::string& title, bool color);

}  // namespace entente::cli
