// A line with forests, the next with their certificate: what can be read is written and read back the
// same, and checking it ends in a verdict.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "engine/proof/forests.h"
#include "entente/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  try {
    entente::ForestProblem problem, again;
    entente::is_forest_problem(text.substr(0, end));
    entente::read_forests(text.substr(0, end), "fuzz", 1, problem);
    const std::string written = entente::write_forests(problem, "fuzz");
    entente::read_forests(written, "fuzz", 1, again);
    ENTENTE_CHECK(entente::write_forests(again, "fuzz") == written);
    if (end == text.size()) return 0;
    const auto c = entente::read_forest_certificate(problem, text.substr(end + 1), "fuzz", 2);
    const std::string claim = entente::write_forest_certificate(problem, c);
    const auto back = entente::read_forest_certificate(again, claim, "fuzz", 2);
    ENTENTE_CHECK(entente::write_forest_certificate(again, back) == claim);
    const entente::Verdict v = entente::verify(problem, c);
    ENTENTE_CHECK(v.accepted == v.reason.empty() && (v.accepted || !v.optimal));
  } catch (const entente::Error&) {
  }
  return 0;
}
