#include "batchscope/engine/plugin.hpp"
#include "batchscope/pipeline/text_engine.hpp"
#include "batchscope/synthetic/synthetic.hpp"

namespace batchscope::pipeline {
namespace {

base::Result<std::unique_ptr<engine::Engine>> find_engine(std::string_view name) {
  if (name == "synthetic") return synthetic::make_synthetic_engine(0);
  return engine::load_engine(name);
}

}  // namespace

base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name) {
  auto engine = find_engine(name);
  if (!engine) return engine;
  return with_texts(*std::move(engine), engine::load_tokenizer);
}

}  // namespace batchscope::pipeline
