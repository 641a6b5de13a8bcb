// The shared library as the program opens it.
#include "testing/engines/plugin_contract.hpp"

namespace batchscope::torch_plugin {
namespace {

class Plugin : public engine::PluginContract {
 protected:
  void SetUp() override { open(TEST_PLUGIN); }
};

TEST_F(Plugin, HandsOutAnEngine) {
  hands_out_an_engine("torch");
}

TEST_F(Plugin, SeesDevicesOfDescribedKinds) {
  sees_devices_of_described_kinds("torch");
}

TEST_F(Plugin, ShowsNothingElse) {
  shows_nothing_else();
}

}  // namespace
}  // namespace batchscope::torch_plugin
