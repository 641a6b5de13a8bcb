#include "batchscope/engine/plugin_entry.hpp"
#include "torch_engine.hpp"

BATCHSCOPE_PLUGIN(batchscope::torch_plugin::TorchEngine);
