#include "batchscope/engine/plugin.hpp"
#include "batchscope/pipeline/text_engine.hpp"

namespace batchscope::pipeline {

TokenizerLoader tokenizers_of(const engine::Places& places) {
  return
      [places](const engine::TokenizerSpec& spec) { return engine::load_tokenizer(spec, places); };
}

base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name,
                                                          const engine::Places& places) {
  auto engine = name == "synthetic" ? engine::load_engine(name) : engine::load_plugin(name, places);
  if (!engine) return engine;
  return with_texts(*std::move(engine), tokenizers_of(places));
}

}  // namespace batchscope::pipeline
