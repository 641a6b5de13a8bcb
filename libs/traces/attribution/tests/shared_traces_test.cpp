#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/reader.hpp"

// Recorded traces that are published, and what is known of them. They lie beside the checkout,
// where somebody has put them.
namespace batchscope::attribution {
namespace {

std::filesystem::path folder() {
  const char* const elsewhere = std::getenv("BATCHSCOPE_TRACES");
  return elsewhere != nullptr ? elsewhere : SHARED_TRACES;
}

class SharedTrace : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder())) {
      GTEST_SKIP() << "no ../shared/traces beside this checkout; BATCHSCOPE_TRACES names another";
    }
  }

  static Attribution of(const std::string& name) {
    const auto trace = trace::TraceReader().read(folder() / (name + ".json.gz"));
    EXPECT_TRUE(trace) << name << ": " << base::to_string(trace.error());
    return trace ? attribute(*trace) : Attribution{};
  }
  static DeviceTime device_of(const std::string& name) {
    const Attribution found = of(name);
    EXPECT_EQ(found.devices.size(), 1U);
    return found.devices.empty() ? DeviceTime{} : found.devices.front();
  }
};

double ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

TEST_F(SharedTrace, Owlv2IdlesUnderItsLoader) {
  const TimeParts parts = device_of("tracelens_h100_owlv2").parts;
  // 512 and 491 ms between its kernels, and 128 ms of loading before the first.
  EXPECT_NEAR(ms(parts.idle_ns()), 644, 2);
  EXPECT_NEAR(parts.share(Part::data_loading), 0.511, 0.002);
}

TEST_F(SharedTrace, TimesformerWaitsForItsPreprocessing) {
  const DeviceTime device = device_of("tracelens_h100_timesformer");
  EXPECT_NEAR(device.parts.busy_share(), 0.414, 0.001);
  EXPECT_NEAR(ms(device.wall_ns()), 382, 1);
  ASSERT_FALSE(device.places.empty());
  EXPECT_NE(device.places[0].call.find("preprocess"), std::string::npos) << device.places[0].call;
  EXPECT_TRUE(device.places[0].holds_others);
  EXPECT_NEAR(ms(device.places[0].ns), 217, 1);
}

TEST_F(SharedTrace, OneKernelOfAStepIsAlmostNothing) {
  const auto trace = trace::TraceReader().read(folder() / "hta_backward_thread.json");
  ASSERT_TRUE(trace);
  const DeviceTime device = attribute(*trace).devices.at(0);
  EXPECT_NEAR(ms(device.wall_ns()), 413, 1);
  EXPECT_NEAR(device.parts.busy_share(), 0.0001, 0.00005);
}

TEST_F(SharedTrace, QwenIsBusyThoughItsKernelsAreShort) {
  const DeviceTime device = device_of("tracelens_h100_qwen");
  EXPECT_NEAR(device.parts.busy_share(), 0.92, 0.005);
  EXPECT_EQ(device.orphans, 509);
}

TEST_F(SharedTrace, BertIsBusyWithLaunching) {
  const TimeParts parts = device_of("tracelens_h100_bert_small").parts;
  EXPECT_NEAR(parts.busy_share(), 0.07, 0.001) << "of the step";
  EXPECT_GT(parts[Part::launch], parts.idle_ns() * 8 / 10);
}

TEST_F(SharedTrace, VllmReplaysAGraphAndIsBusy) {
  EXPECT_NEAR(device_of("tracelens_vllm_hipgraph").parts.busy_share(), 0.998, 0.001);
}

TEST_F(SharedTrace, HtaHasHolesInItsGraphs) {
  const TimeParts parts = device_of("hta_a100_sync_rank0").parts;
  EXPECT_NEAR(ms(parts.idle_ns()), 793, 2);
  EXPECT_GT(ms(parts[Part::device]), 687) << "launched before the gap began";
  EXPECT_LT(ms(parts[Part::synchronisation]), 20);
}

TEST_F(SharedTrace, ResnetWaitsForSamplesUnlessWorkersMakeThem) {
  const Attribution without = of("kineto_resnet50_workers0");
  ASSERT_EQ(without.devices.size(), 1U);
  EXPECT_EQ(without.steps.size(), 6U);
  EXPECT_EQ(without.step_source, StepSource::recorded);
  const TimeParts& parts = without.devices.front().parts;
  EXPECT_NEAR(ms(parts.idle_ns()), 462, 2);
  // 355.6 ms lie under the loader, 3 of them between what had been launched before.
  EXPECT_NEAR(ms(parts[Part::data_loading]), 354, 3);
  EXPECT_LT(ms(device_of("kineto_resnet50_workers4").parts[Part::data_loading]), 9);
}

TEST_F(SharedTrace, ParamsResnetWaitsForSamples) {
  const TimeParts parts = device_of("param_resnet_2080ti").parts;
  EXPECT_GT(parts[Part::data_loading], parts.idle_ns() / 2);
}

TEST_F(SharedTrace, AnotherKindOfDeviceIsNotCalledIdle) {
  for (const DeviceTime& device : of("hta_mtia_inference_rank0").devices) {
    EXPECT_GT(device.parts.busy_share(), 0.95);
  }
}

TEST_F(SharedTrace, AProcessorHasNoDevice) {
  EXPECT_TRUE(of("hta_cpu_only").devices.empty());
}

}  // namespace
}  // namespace batchscope::attribution
