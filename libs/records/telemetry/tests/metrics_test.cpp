#include "batchscope/telemetry/metrics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::telemetry {
namespace {

template <class Of>
void expect_sound(std::span<const MetricDescriptor<Of>> metrics) {
  std::set<std::string_view> names;
  for (const auto& metric : metrics) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.help.empty()) << metric.name;
    EXPECT_EQ(metric.kind == MetricKind::counter, metric.name.ends_with("_total")) << metric.name;
  }
}

TEST(Metrics, AreNamedOnceAndCountersEndInTotal) {
  expect_sound(gpu_metrics());
  expect_sound(host_metrics());
  expect_sound(process_metrics());
  expect_sound(training_metrics());
}

TEST(Metrics, WhatIsNotStatedIsAbsent) {
  for (const auto& metric : gpu_metrics()) EXPECT_FALSE(metric.get({})) << metric.name;
  for (const auto& metric : host_metrics()) EXPECT_FALSE(metric.get({})) << metric.name;
}

TEST(Metrics, AreCalledAsInALog) {
  Sample sample;
  GpuReading gpu;
  gpu.power_watts = 250.5;
  gpu.remap_pending = true;
  sample.gpus = {gpu};
  const std::string line = to_line(sample);
  for (const auto& metric : gpu_metrics()) {
    if (!metric.get(gpu)) continue;
    EXPECT_NE(line.find('"' + std::string(metric.name) + '"'), std::string::npos) << metric.name;
    EXPECT_EQ(metric.get(gpu), metric.name == "power_watts" ? 250.5 : 1) << metric.name;
  }
}

}  // namespace
}  // namespace batchscope::telemetry
