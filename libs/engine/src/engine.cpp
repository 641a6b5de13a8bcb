#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

base::Result<void> Model::diagnose(Batch&, schema::Diagnosis& diagnosis) {
  diagnosis.absent["operations"] = "the engine has no tracer";
  diagnosis.absent["primitives"] = "the engine has no log of its kernel library";
  return {};
}

}  // namespace batchscope::engine
