// entente agree: models that agree with each other, and the story of each run.
//
//   entente agree parse+tags dev.mrg.gz            a parser and a trigram tagger, on gold words
//   entente agree parse+dependency dev.conll.gz    phrases and heads, from columns with both
//   entente agree corpus-tags train.mrg.gz         one tagger for every sentence and a corpus model
//   entente agree tutorial                         the examples of Rush and Collins, round by round
#pragma once

#include <vector>

#include "model/task.h"

namespace entente::constituency {

std::vector<Setting> agree_settings();
int run_agree(const TaskRequest& request);

}  // namespace entente::constituency
