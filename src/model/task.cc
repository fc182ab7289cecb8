#include "model/task.h"

namespace entente {

void Task::evaluate(const EvaluateRequest& /*request*/) const {
  throw Error(std::string(name()) + " has no evaluation");
}

void Task::list(const TaskRequest& /*request*/) const {
  throw Error(std::string(name()) + " has nothing to list");
}

}  // namespace entente
