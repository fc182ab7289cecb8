// `evaluate` of tasks whose layer is a column of CoNLL-U: two analyses of one text by the metrics of
// the CoNLL 2018 shared task.
//
//   void LemmasTask::evaluate(const EvaluateRequest& request) const {
//     evaluate_treebank(request, {"Lemmas"});
//   }
//
// What words are is always told. Linear in the files, but for where words differ (corpus/evaluation.h).
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/task.h"

namespace entente {

void evaluate_treebank(const EvaluateRequest& request,
                       std::initializer_list<std::string_view> metrics);

}  // namespace entente
