#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "batchscope/telemetry/metrics.hpp"
#include "described_gpus.hpp"
#include "reading/gpu_reader.hpp"

namespace batchscope::gpu {

// Reads the GPUs that are described, one second after the other.
class ReadGpus {
 public:
  static constexpr int64_t kBegin = 1'000'000'000, kSecond = 1'000'000'000;

  GpuAnswer answer(unsigned gpu) {
    auto& reader = readers_[gpu];
    if (reader == nullptr) {
      reader = std::make_unique<GpuReader>(
          library_, gpu, [](const std::string&) { return telemetry::CountByName{}; });
    }
    const int64_t now = now_ns_[gpu];
    now_ns_[gpu] += kSecond;
    return reader->read(kBegin + now);
  }

  // Of one that answers.
  telemetry::GpuReading read(unsigned gpu) {
    const GpuAnswer answered = answer(gpu);
    EXPECT_FALSE(answered.readings.empty()) << answered.why_down;
    return answered.readings.empty() ? telemetry::GpuReading{} : answered.readings.front();
  }

 private:
  static std::shared_ptr<const nvml::Library> loaded() {
    auto library = nvml::Library::load(FAKE_NVML);
    EXPECT_TRUE(library) << to_string(library.error());
    return *std::move(library);
  }
  std::shared_ptr<const nvml::Library> library_ = loaded();
  std::map<unsigned, std::unique_ptr<GpuReader>> readers_;
  std::map<unsigned, int64_t> now_ns_;
};

}  // namespace batchscope::gpu
