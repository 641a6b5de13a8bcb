#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

std::optional<ModelDescription> Engine::find_model(std::string_view name) const {
  for (ModelDescription& model : models()) {
    if (model.name == name) return std::move(model);
  }
  return std::nullopt;
}

base::Result<void> Engine::check_precision(const std::string&, schema::Precision) const {
  return {};
}

base::Result<std::vector<InputSpec>> Engine::inputs_of(const ModelSpec& spec) {
  if (!spec.inputs.empty()) return spec.inputs;
  return base::Error{base::ErrorKind::usage, "the inputs of this model file are unknown", spec.path,
                     "state each input, e.g. --input input_ids:BxS:int64 --input "
                     "attention_mask:BxS:int64=1, or --input x:Bx1024"};
}

}  // namespace batchscope::engine
