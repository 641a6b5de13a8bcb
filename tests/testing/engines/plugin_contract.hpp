#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "batchscope/engine/description.hpp"
#include "batchscope/engine/plugin.hpp"

namespace batchscope::engine {

// What every plugin's shared library has to keep to, opened as the program opens it.
class PluginContract : public testing::Test {
 protected:
  void open(const char* library) {
    handle_ = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << ::dlerror();
  }

  void hands_out_an_engine(std::string_view name) {
    const auto abi = find<int()>("batchscope_plugin_abi");
    ASSERT_NE(abi, nullptr);
    EXPECT_EQ(abi(), kPluginAbi);
    const auto create = find<Engine*()>("batchscope_create_engine");
    ASSERT_NE(create, nullptr);
    const std::unique_ptr<Engine> engine(create());
    EXPECT_EQ(engine->name(), name);
  }

  // Of the devices that are there: their kinds are what can be known without the framework.
  void sees_devices_of_described_kinds(std::string_view name) {
    const auto described = find_description(name, {});
    ASSERT_TRUE(described);
    const auto create = find<Engine*()>("batchscope_create_engine");
    ASSERT_NE(create, nullptr);
    const std::unique_ptr<Engine> engine(create());
    const auto& kinds = described->device_kinds;
    for (const std::string& device : engine->devices()) {
      const std::string kind = device.substr(0, device.find(':'));
      EXPECT_NE(std::find(kinds.begin(), kinds.end(), kind), kinds.end()) << device;
    }
  }

  // A symbol of the core that the plugin carries too: were it visible, two copies would mix.
  void shows_nothing_else() {
    EXPECT_EQ(::dlsym(handle_, "_ZN10batchscope6engine12steady_clockEv"), nullptr);
  }

 private:
  template <class Function>
  Function* find(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(handle_, name));
  }

  void* handle_ = nullptr;
};

}  // namespace batchscope::engine
