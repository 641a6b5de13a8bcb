#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

base::Result<std::vector<Tensor>> Model::infer(std::span<const Tensor>, const Pool&, PhaseSink&) {
  return base::Error{base::ErrorKind::failed,
                     "this engine runs models on inputs of its own making only",
                     base::Subject::engine, "use the engine torch or openvino"};
}

base::Result<GradientNorms> Model::step_with_norms(Batch&, uint64_t) {
  return base::Error{base::ErrorKind::failed, "this engine does not show its gradients",
                     base::Subject::engine, "use the engine torch"};
}

base::Result<void> Engine::check_precision(const std::string&, schema::Precision) const {
  return {};
}

base::Result<std::vector<InputSpec>> Engine::inputs_of(const ModelSpec& spec) {
  if (!spec.inputs.empty()) return spec.inputs;
  return base::Error{base::ErrorKind::usage, "a model file needs to be told its inputs", spec.path,
                     "add e.g. " + mention(base::Subject::input) + " input_ids:BxS:int64 " +
                         mention(base::Subject::input) + " attention_mask:BxS:int64=1, or " +
                         mention(base::Subject::input) + " x:Bx1024"};
}

base::Result<void> Model::diagnose(Batch&, schema::Diagnosis& diagnosis) {
  diagnosis.absent["operations"] = "the engine has no tracer";
  diagnosis.absent["primitives"] = "the engine has no log of its kernel library";
  return {};
}

}  // namespace batchscope::engine
