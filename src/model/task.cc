#include "model/task.h"

namespace entente {

void Task::evaluate(const EvaluateRequest& /*request*/) const {
  throw Error(std::string(name()) + " has no evaluation");
}

void Task::list(const TaskRequest& /*request*/) const {
  throw Error(std::string(name()) + " has nothing to list");
}

void expect_some(std::size_t found, std::string_view what, const std::string& path) {
  if (found > 0) return;
  throw Error("expected " + std::string(what) + ", found none",
              {.file = path == "-" ? "<stdin>" : path});
}

}  // namespace entente
