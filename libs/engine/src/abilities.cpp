#include "batchscope/engine/abilities.hpp"

namespace batchscope::engine {
namespace {

struct Lack {
  const char* what;
  const char* fix;
};

Lack lack_of(Ability ability) {
  switch (ability) {
    case Ability::takes_tensors:
      return {"this engine runs models on inputs of its own making only",
              "use the engine torch or openvino"};
    case Ability::shows_gradients:
      return {"this engine does not show its gradients", "use the engine torch"};
    case Ability::holds_back:
      return {"this engine holds no memory of a device back", "use the engine torch"};
    case Ability::tells_losses:
      return {"this engine tells no losses", "use the engine torch"};
    case Ability::imagines_usage:
      return {"this engine runs in real time", "use the engine synthetic"};
    case Ability::diagnoses:
      return {"this engine has no tracer", "use the engine torch or openvino"};
  }
  return {"this engine cannot do that", "use another"};
}

}  // namespace

base::Error lacks(Ability ability) {
  const Lack lack = lack_of(ability);
  return {base::ErrorKind::failed, lack.what, "--engine", lack.fix};
}

}  // namespace batchscope::engine
