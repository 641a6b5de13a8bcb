// A diagnosis where oneDNN keeps no primitive; ctest runs it with
// ONEDNN_PRIMITIVE_CACHE_CAPACITY=0.
#include <ATen/Version.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "batchscope/engine/abilities.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

TEST(UncachedDiagnosis, CountsPrimitivesThatAreMadeAnew) {
  const char* capacity = std::getenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY");
  if (capacity == nullptr || std::string_view(capacity) != "0") {
    GTEST_SKIP() << "run by ctest, which sets ONEDNN_PRIMITIVE_CACHE_CAPACITY=0";
  }
  if (!at::get_cpu_capability().starts_with("AVX512")) {
    GTEST_SKIP() << "oneDNN has no bf16 on this processor";
  }
  engine::ModelSpec spec;
  spec.name = "mlp";
  engine::ExecutionSpec execution;
  execution.precision = schema::Precision::bf16;
  TorchEngine engine;
  const auto model = engine.load(spec, execution);
  ASSERT_TRUE(model) << base::to_string(model.error());
  const auto batch = *(*model)->prepare({4, {}});
  RecordingSink sink;
  ASSERT_TRUE((*model)->run(*batch, sink));
  schema::Diagnosis diagnosis;
  ASSERT_TRUE((*model)->as<engine::Diagnoses>()->diagnose(*batch, {}, diagnosis));
  ASSERT_FALSE(diagnosis.primitives.empty());
  for (const schema::Primitive& primitive : diagnosis.primitives) {
    EXPECT_EQ(primitive.created, primitive.calls) << primitive.implementation;
    EXPECT_GT(primitive.creation_ns, 0) << primitive.implementation;
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
