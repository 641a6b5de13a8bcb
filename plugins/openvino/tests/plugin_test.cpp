// The shared library as the program opens it.
#include "batchscope/engine/plugin.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <memory>

namespace batchscope::openvino_plugin {
namespace {

class Plugin : public testing::Test {
 protected:
  void SetUp() override {
    handle_ = ::dlopen(TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << ::dlerror();
  }
  void* handle_ = nullptr;
};

TEST_F(Plugin, HandsOutAnEngine) {
  const auto abi = reinterpret_cast<int (*)()>(::dlsym(handle_, "batchscope_plugin_abi"));
  ASSERT_NE(abi, nullptr);
  EXPECT_EQ(abi(), engine::kPluginAbi);
  const auto create =
      reinterpret_cast<engine::Engine* (*)()>(::dlsym(handle_, "batchscope_create_engine"));
  ASSERT_NE(create, nullptr);
  const std::unique_ptr<engine::Engine> engine(create());
  EXPECT_EQ(engine->name(), "openvino");
}

TEST_F(Plugin, ShowsNothingElse) {
  // A symbol of the core that the plugin carries too: were it visible, two copies would mix.
  EXPECT_EQ(::dlsym(handle_, "_ZN10batchscope6engine12steady_clockEv"), nullptr);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
