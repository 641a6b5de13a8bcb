#include "batchscope/engine/plugin.hpp"

#include "openvino_engine.hpp"

#define BATCHSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

BATCHSCOPE_EXPORT int batchscope_plugin_abi() {
  return batchscope::engine::kPluginAbi;
}

BATCHSCOPE_EXPORT batchscope::engine::Engine* batchscope_create_engine() {
  return new batchscope::openvino_plugin::OpenvinoEngine();
}
