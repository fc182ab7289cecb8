// Settings given by name, brought to the layers that have them.
//
//   configure_layers(pipeline, pipeline.layers_for({"frames"}), {{"decoder", "exact"}, {"dependency.rounds", "60"}});
//
// A name alone goes to every layer that runs and has it, "layer.name" to that one. An Error says which layers have a
// setting that none of those that run has. Before any worker is made.
#pragma once

#include <span>
#include <string>

#include "pipeline/pipeline.h"

namespace entente {

void configure_layers(Pipeline& pipeline, std::span<const std::string> running,
                      const GivenSettings& settings);

}  // namespace entente
