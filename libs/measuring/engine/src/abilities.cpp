#include "batchscope/engine/abilities.hpp"

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/description.hpp"

namespace batchscope::engine {
namespace {

const char* lack_of(Ability ability) {
  switch (ability) {
    case Ability::takes_tensors:
      return "this engine runs models only on its own inputs";
    case Ability::holds_back:
      return "this engine cannot reserve device memory";
    case Ability::tells_losses:
      return "this engine reports no losses";
    case Ability::shows_gradients:
      return "this engine does not expose its gradients";
    case Ability::imagines_usage:
      return "this engine runs in real time";
    case Ability::tells_interpreter:
      return "this engine runs its models without an interpreter";
    case Ability::diagnoses:
      return "this engine has no tracer";
  }
  return "this engine cannot do that";
}

}  // namespace

base::Error lacks(Ability ability) {
  const auto can = [&](const auto& engine) { return base::contains(engine.abilities, ability); };
  return {base::ErrorKind::failed, lack_of(ability), "--engine",
          "use the engine " + engines_that(can)};
}

}  // namespace batchscope::engine
