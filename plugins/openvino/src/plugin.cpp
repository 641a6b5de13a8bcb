#include "batchscope/engine/plugin.hpp"

#include "openvino_engine.hpp"
#include "tokenizer.hpp"

#define BATCHSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

BATCHSCOPE_EXPORT int batchscope_plugin_abi() {
  return batchscope::engine::kPluginAbi;
}

BATCHSCOPE_EXPORT batchscope::engine::Engine* batchscope_create_engine() {
  return new batchscope::openvino_plugin::OpenvinoEngine();
}

BATCHSCOPE_EXPORT void batchscope_load_tokenizer(
    const batchscope::engine::TokenizerSpec& spec,
    batchscope::base::Result<std::unique_ptr<batchscope::engine::Tokenizer>>& loaded) {
  loaded = batchscope::openvino_plugin::load_tokenizer(spec);
}
