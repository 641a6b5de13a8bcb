#include "batchscope/engine/plugin.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/engines/text_engine.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::engines {
namespace {

base::Result<std::unique_ptr<engine::Engine>> find_engine(std::string_view name,
                                                          const engine::InstallPaths& places) {
  if (name == schema::kEngineOfLaws) return make_synthetic_engine(0);
  return engine::load_plugin(name, places);
}

}  // namespace

TokenizerLoader tokenizers_of(const engine::InstallPaths& places) {
  return
      [places](const engine::TokenizerSpec& spec) { return engine::load_tokenizer(spec, places); };
}

base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name,
                                                          const engine::InstallPaths& places) {
  auto engine = find_engine(name, places);
  if (!engine) return engine;
  return with_texts(*std::move(engine), tokenizers_of(places));
}

}  // namespace batchscope::engines
