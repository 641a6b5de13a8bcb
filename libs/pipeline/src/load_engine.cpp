#include "batchscope/engine/plugin.hpp"
#include "batchscope/pipeline/text_engine.hpp"

namespace batchscope::pipeline {

base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name) {
  auto engine = engine::load_engine(name);
  if (!engine) return engine;
  return with_texts(*std::move(engine), engine::load_tokenizer);
}

}  // namespace batchscope::pipeline
