#include "batchscope/engine/plugin_entry.hpp"
#include "openvino_engine.hpp"
#include "tokenizer.hpp"

BATCHSCOPE_PLUGIN(batchscope::openvino_plugin::OpenvinoEngine);

BATCHSCOPE_ENTRY_POINT void batchscope_load_tokenizer(
    const batchscope::engine::TokenizerSpec& spec,
    batchscope::base::Result<std::unique_ptr<batchscope::engine::Tokenizer>>& loaded) {
  loaded = batchscope::openvino_plugin::load_tokenizer(spec);
}
