#include "engine/core/joint_nodes.h"

namespace entente {

namespace {

constexpr double kSlack = 1e-9;

// The rows of one node, whose states run every `step` choices: sum of the choices with state i, less
// state i, is 0. `row`: what a proof calls the first of them; the others count down.
void tie(Core& core, const JointTable& table, int side, std::size_t step, int first,
         std::int32_t row_id) {
  const auto size = static_cast<std::size_t>(core.size(side));
  for (std::size_t i = 0; i < size; ++i) {
    Core::Row row{
        static_cast<std::int32_t>(core.row_state.size()), 0, -kSlack, kSlack, true, row_id, 0};
    if (row_id != Core::kNoOrigin) --row_id;
    core.row_state.push_back(core.begin[side] + static_cast<std::int32_t>(i));
    core.row_coefficient.push_back(-1.0);
    int at = first;
    for (std::size_t x = 0; x < table.score.size(); ++x) {
      if (table.score[x] == -kInfinity) continue;
      if (x / step % size == i) {
        core.row_state.push_back(at);
        core.row_coefficient.push_back(1.0);
      }
      ++at;
    }
    row.end = static_cast<std::int32_t>(core.row_state.size());
    core.rows.push_back(row);
  }
}

// What a proof calls the choices of the last node; returns what it calls the first row.
std::int32_t record_node(Core& core, const JointTable& table, Recorder& record) {
  std::vector<std::span<const std::int32_t>> states;
  for (int n : table.nodes)
    states.push_back(std::span<const std::int32_t>(core.id).subspan(core.begin[n], core.size(n)));
  const Recorder::Joint made = record.joint(table.factor, states);
  for (std::size_t x = 0; x < table.score.size(); ++x) {
    if (table.score[x] != -kInfinity) core.id.push_back(made.state + static_cast<std::int32_t>(x));
  }
  return made.row;
}

}  // namespace

void add_joint_node(Core& core, const JointTable& table, Recorder* record) {
  const int first = core.states(), node = core.nodes();
  Literal none;
  none.code = kNoLiteral;
  for (double score : table.score) {
    if (score == -kInfinity) continue;
    core.node.push_back(node);
    core.score.push_back(score);
    core.literal.push_back(none);
  }
  core.begin.push_back(core.states());
  std::int32_t row = Core::kNoOrigin;
  if (record) row = record_node(core, table, *record);
  std::size_t step = table.score.size();
  for (int n : table.nodes) {
    const auto size = static_cast<std::size_t>(core.size(n));
    step /= size;
    tie(core, table, n, step, first, row);
    if (record) row -= static_cast<std::int32_t>(size);
  }
}

}  // namespace entente
