// A plugin of the smallest kind. FIXTURE_GOOD, FIXTURE_OLD (an interface version that never was) or
// FIXTURE_STRANGER (a library that is no plugin) say which one is built.

#include "batchscope/engine/plugin.hpp"
#include "testing/engines/stub_engine.hpp"

namespace {

#if defined(FIXTURE_OLD)
constexpr int kAbi = -1;
#else
constexpr int kAbi = batchscope::engine::kPluginAbi;
#endif

}  // namespace

#if defined(FIXTURE_STRANGER)
extern "C" int stranger() {
  return kAbi;
}
#else
namespace batchscope::engine {
namespace {

class FixtureEngine final : public StubEngine {
 public:
  base::Result<std::unique_ptr<Model>> load(const ModelSpec&, const ExecutionSpec&) override {
    return std::unique_ptr<Model>(std::make_unique<StubModel>());
  }
};

}  // namespace
}  // namespace batchscope::engine

extern "C" int batchscope_plugin_abi() {
  return kAbi;
}
extern "C" batchscope::engine::Engine* batchscope_create_engine() {
  return std::make_unique<batchscope::engine::FixtureEngine>().release();
}
#endif
