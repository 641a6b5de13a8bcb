#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/csv/import_csv.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "imported.hpp"

namespace batchscope::csv {
namespace {

using schema::RunFile;
using testing::ElementsAre;
using testing::HasSubstr;

// The values of a column in two rows of batch 1, and in two of batch 8, and what became of them.
struct Kept {
  std::size_t configs = 0;  // 0: refused
  std::string error;
};

Kept kept_of(const std::string& column, const std::vector<std::string>& values,
             const ImportOptions& options = {}) {
  std::string text = column + ",batch_size,latency_ms\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += values[i] + (i % 4 < 2 ? ",1,5\n" : ",8,9\n");
  }
  const auto run = import_csv(text, "t.csv", options);
  return run ? Kept{run->configs.size(), ""} : Kept{0, base::to_string(run.error())};
}

TEST(ImportCsv, FractionsThatMayBeSetAreNeverPooled) {
  for (const std::string name :
       {"driver", "dropout", "temperature", "top_p", "alpha", "loss", "learning_rate",
        "request_rate", "max_delay_ms", "temp", "power_limit_w", "cuda", "scale"}) {
    const Kept kept = kept_of(name, {"0.1", "0.5"});
    EXPECT_TRUE(kept.configs == 2 || kept.error.find("'" + name + "'") != std::string::npos)
        << name << kept.configs << kept.error;
    EXPECT_EQ(kept_of(name, {"0.1", "0.5", "0.1", "0.5"}).configs, 4u) << name;
    EXPECT_EQ(kept_of(name, {"0.1", "0.5"}, {.ignore = {name}}).configs, 1u) << name;
    EXPECT_EQ(kept_of(name, {"0.1", "0.1", "0.5", "0.5"}).configs, 2u) << "one of each size";
  }
  EXPECT_THAT(kept_of("driver", {"535.1", "550.2"}).error, HasSubstr("--ignore 'driver'"));
  EXPECT_THAT(kept_of("tokens", {"808", "812", "809", "811"}).error, HasSubstr("'tokens'"));
  EXPECT_THAT(error_of("a,batch,time_ms\n1,1,2\n", {.ignore = {"b"}}), HasSubstr("'b'"));
}

TEST(ImportCsv, WhatIsMeasuredByItsNameMayDifferBetweenRepeats) {
  for (const char* name :
       {"power_w", "gpu_util", "p99", "p99.9 latency", "forward_ms", "images_per_sec", "fps",
        "GPU Utilization (avg)", "temp_c", "gpu_temp", "mfu", "host_memory_mb", "rss_gb",
        "stdev_ms", "median", "tokens/s", "energy (J)", "TFLOPS"}) {
    EXPECT_EQ(kept_of(name, {"0.31", "0.52", "0.73", "0.64"}).configs, 2u) << name;
    EXPECT_EQ(kept_of(name, {"a", "b", "a", "b"}).configs, 4u) << name << ": words are none";
  }
}

TEST(ImportCsv, AColumnThatFollowsAnotherRefusesNothing) {
  const auto run = import_csv(
      "gpu,price,batch_size,latency_ms\nT4,0.53,1,5\nT4,0.53,8,24\nA100,3.67,1,3\nA100,3.67,8,8\n",
      "t.csv", {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->configs.size(), 4u);
}

TEST(ImportCsv, MemoryIsANameAndAUnit) {
  const auto bytes = [](const std::string& name, const std::string& cell) {
    const auto run = import_csv("batch_size,latency_ms," + name + "\n1,5," + cell + "\n", "t", {});
    EXPECT_TRUE(run) << name << (run ? "" : base::to_string(run.error()));
    return run ? run->visits.front().memory.peak_allocated_bytes.value_or(0) : -1;
  };
  constexpr int64_t kGiB = int64_t{1} << 30;
  for (const char* name : {"memory", "mem", "peak_memory", "gpu_mem", "Peak GPU Memory", "vram",
                           "max_memory", "memory.used", "memory usage", "max_mem_allocated"}) {
    const std::string stem = name;
    EXPECT_EQ(bytes(stem + "_gb", "1.5"), 1'500'000'000) << name;
    EXPECT_EQ(bytes(stem + " (MiB)", "1536"), 3 * kGiB / 2) << name;
    EXPECT_EQ(bytes(stem + " [GiB]", "1.5"), 3 * kGiB / 2) << name;
    EXPECT_EQ(bytes(stem + "_bytes", "1500"), 1500) << name;
    EXPECT_EQ(bytes(stem + "_mb", "1.5"), 1'500'000) << name;
    EXPECT_EQ(bytes(stem, "1.5 GiB"), 3 * kGiB / 2) << name;
    const std::string unit = error_of("batch,time_ms," + stem + "_gigs\n1,5,1.5\n");
    EXPECT_THAT(unit, HasSubstr("gigs")) << name;
  }
  EXPECT_EQ(bytes("max_memory_allocated", "949944320"), 949944320) << "torch counts bytes";
  EXPECT_THAT(error_of("batch,time_ms,memory\n1,5,612\n"), HasSubstr("no unit"));
  EXPECT_EQ(import_ok("batch,time_ms,memory\n1,5,612\n", {.ignore = {"memory"}}).visits.size(), 1u);
  // Of something else.
  for (const char* name : {"memory_total_mb", "memory_limit_gb", "memory_clock", "host_memory_mb",
                           "memory_bandwidth_gbs", "memory (%)", "mem_util", "memory_format"}) {
    EXPECT_EQ(bytes(name, "3"), 0) << name;
  }
}

}  // namespace
}  // namespace batchscope::csv
