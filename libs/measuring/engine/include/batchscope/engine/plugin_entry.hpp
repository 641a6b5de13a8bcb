#pragma once

#include "batchscope/engine/plugin.hpp"

// What a plugin's one source of entry points includes; see plugin.hpp for what they are.

// Before a function that the program finds by its C name: nothing else of a plugin is visible.
#define BATCHSCOPE_ENTRY_POINT extern "C" __attribute__((visibility("default")))

// The entry points of a plugin whose engine is `EngineType`, made without arguments.
#define BATCHSCOPE_PLUGIN(EngineType)                                             \
  BATCHSCOPE_ENTRY_POINT int batchscope_plugin_abi() {                            \
    return batchscope::engine::kPluginAbi;                                        \
  }                                                                               \
  BATCHSCOPE_ENTRY_POINT batchscope::engine::Engine* batchscope_create_engine() { \
    return new EngineType();                                                      \
  }                                                                               \
  static_assert(true)
