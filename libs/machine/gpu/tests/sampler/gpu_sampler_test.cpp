#include "batchscope/gpu/gpu_sampler.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>

#include "described_gpus.hpp"
#include "driver/library.hpp"
#include "testing/clocks/manual_clock.hpp"

namespace batchscope::gpu {
namespace {

using std::chrono::seconds;
using telemetry::GpuReading;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using ::testing::Pair;
using ::testing::SizeIs;

class GpuSamplerTest : public testing::Test {
 protected:
  // The fake driver is of the whole process: a thread that outlives its test would take what the
  // driver tells the next.
  std::unique_ptr<GpuSampler> sampler(seconds last_wait = seconds(600)) const {
    GpuSamplerOptions options;
    options.library = FAKE_NVML;
    options.clock = clock_;
    options.last_wait = last_wait;
    return std::make_unique<GpuSampler>(options);
  }

  std::unique_ptr<GpuSampler> started() const {
    auto begun = sampler();
    begun->start();
    return begun;
  }

  // Until the GPU was read at the time that it is now.
  bool is_read(const GpuSampler& sampler, std::size_t gpu) const {
    return clock_->until([&] { return sampler.latest().at(gpu).read_ns == clock_->now_ns(); });
  }

  // Each has a thread of its own: one that has not run yet must not miss its deadline.
  bool are_read_but(const GpuSampler& sampler, std::size_t hanging) const {
    const std::size_t gpus = sampler.latest().size();
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      if (gpu != hanging && !is_read(sampler, gpu)) return false;
    }
    return true;
  }

  bool all(const GpuSampler& sampler, bool up) const {
    return clock_->until([&] {
      const auto readings = sampler.latest();
      return !readings.empty() &&
             std::all_of(readings.begin(), readings.end(),
                         [&](const GpuReading& each) { return each.up == up; });
    });
  }

  // Second by second, in each of which every other GPU is read. -1: it does not go down.
  int seconds_until_down(const GpuSampler& sampler, std::size_t gpu) const {
    constexpr int kMost = 1000;
    for (int passed = 0; passed < kMost; ++passed) {
      if (!sampler.latest().at(gpu).up) return passed;
      clock_->advance(seconds(1));
      if (!are_read_but(sampler, gpu)) return -1;
    }
    return -1;
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(1'000'000'000);
};

TEST_F(GpuSamplerTest, AllAreThereWhenItHasStarted) {
  const DescribedGpus machine(eight_gpus());
  const auto sampler = started();
  const auto readings = sampler->latest();
  ASSERT_THAT(readings, SizeIs(8));
  EXPECT_EQ(sampler->absent(), "");
  for (std::size_t gpu = 0; gpu < readings.size(); ++gpu) {
    EXPECT_TRUE(readings[gpu].up);
    EXPECT_EQ(readings[gpu].gpu, std::to_string(gpu));
    EXPECT_EQ(readings[gpu].read_ns, clock_->now_ns());
  }
}

TEST_F(GpuSamplerTest, ReadsAgainAfterAnInterval) {
  Json machine = eight_gpus();
  machine["gpus"][2]["power_milliwatts"] = {{"series", {1000, 2000, 3000}}};
  const DescribedGpus described(machine);
  const auto sampler = started();
  for (const double watts : {1, 2, 3}) {
    ASSERT_TRUE(is_read(*sampler, 2));
    EXPECT_EQ(sampler->latest()[2].power_watts, watts);
    clock_->advance(seconds(1));
  }
}

// GPU 0 of these hangs in its second reading.
Json hanging(const Json& until) {
  Json machine = eight_gpus();
  machine["gpus"][0]["power_milliwatts"] = {
      {"series", {1000, {{"hang", until}, {"value", 2000}}, 3000}}};
  return machine;
}

TEST_F(GpuSamplerTest, OneThatHangsIsDownAfterTheDeadlineAndTheOthersGoOn) {
  const DescribedGpus machine(eight_gpus());
  machine.change(hanging(machine.fifo()));
  const auto sampler = started();
  const int64_t first_ns = clock_->now_ns();
  EXPECT_EQ(sampler->latest()[0].power_watts, 1);
  ASSERT_GE(seconds_until_down(*sampler, 0), 6) << "an interval and the deadline";
  const auto readings = sampler->latest();
  EXPECT_EQ(readings[0].why_down, "no answer for 5.0 s");
  EXPECT_EQ(readings[0].power_watts, std::nullopt);
  EXPECT_EQ(readings[0].memory_total_bytes, std::nullopt);
  EXPECT_THAT(readings[0].processes, IsEmpty());
  EXPECT_EQ(readings[0].uuid, "GPU-4274c105-28e2-dc38-643e-ea982f8d38a0");
  EXPECT_EQ(readings[0].read_ns, first_ns);
  for (std::size_t gpu = 1; gpu < readings.size(); ++gpu) EXPECT_TRUE(readings[gpu].up);
  machine.let_go();
  ASSERT_TRUE(all(*sampler, true)) << "it comes back by itself";
}

TEST_F(GpuSamplerTest, AThreadThatHangsForEverHindersNothing) {
  const DescribedGpus machine(hanging(true));
  auto sampler = this->sampler(seconds(1));
  sampler->start();
  ASSERT_GE(seconds_until_down(*sampler, 0), 6);
  sampler.reset();
}

TEST_F(GpuSamplerTest, StartEndsAfterTheDeadlineWhereAGpuHangsFromTheBeginning) {
  Json machine = eight_gpus();
  const DescribedGpus described(machine);
  machine["gpus"][7]["uuid"] = {{"hang", described.fifo()}, {"value", "GPU-7"}};
  described.change(machine);
  const auto sampler = this->sampler();
  auto start = std::async(std::launch::async, [&] { sampler->start(); });
  ASSERT_TRUE(clock_->until([&] {
    const auto readings = sampler->latest();
    return readings.size() == 8 &&
           std::count_if(readings.begin(), readings.end(), [](auto& each) { return each.up; }) == 7;
  }));
  EXPECT_EQ(sampler->latest()[7].why_down, "has not answered yet");
  clock_->advance(seconds(5));
  start.get();
  ASSERT_TRUE(clock_->until([&] {
    clock_->advance(seconds(1));
    return sampler->latest()[7].why_down.starts_with("no answer for ");
  }));
  EXPECT_EQ(sampler->latest()[7].gpu, "7");
  described.let_go();
  ASSERT_TRUE(all(*sampler, true));
}

TEST_F(GpuSamplerTest, ADriverThatIsAbsentIsLookedForAgain) {
  const DescribedGpus machine(Json::object({{"init_status", nvml::kDriverNotLoaded}}));
  const auto sampler = started();
  EXPECT_THAT(sampler->latest(), IsEmpty());
  EXPECT_THAT(sampler->absent(), HasSubstr("Driver Not Loaded"));
  EXPECT_THAT(sampler->absent(), HasSubstr("modprobe nvidia"));
  machine.change(eight_gpus());
  int waited_seconds = 0;
  ASSERT_TRUE(clock_->until([&] {
    clock_->advance(seconds(1));
    ++waited_seconds;
    return !sampler->latest().empty();
  }));
  EXPECT_GE(waited_seconds, 30);
  ASSERT_TRUE(all(*sampler, true));
  EXPECT_EQ(sampler->absent(), "");
}

TEST_F(GpuSamplerTest, WithoutTheLibraryItSaysHowToGetIt) {
  GpuSamplerOptions options;
  options.library = "/nonexistent/libnvidia-ml.so.1";
  options.clock = clock_;
  GpuSampler sampler(options);
  EXPECT_THAT(sampler.absent(), HasSubstr("not answered yet"));
  sampler.start();
  EXPECT_THAT(sampler.latest(), IsEmpty());
  EXPECT_THAT(sampler.absent(), HasSubstr("/nonexistent/libnvidia-ml.so.1"));
  EXPECT_THAT(sampler.absent(), HasSubstr("install the NVIDIA driver"));
}

TEST_F(GpuSamplerTest, ADriverWithoutGpusSaysSo) {
  const DescribedGpus machine(machine_of(Json::array()));
  const auto sampler = started();
  EXPECT_THAT(sampler->latest(), IsEmpty());
  EXPECT_THAT(sampler->absent(), HasSubstr("finds no GPU"));
}

TEST_F(GpuSamplerTest, ADriverThatIsRemovedTakesItsGpusDownAndBringsThemBack) {
  Json machine = eight_gpus();
  const DescribedGpus described(machine);
  const auto sampler = started();
  machine["gpus"][0]["violations_ns"]["power"] = 32477264800 + 500;
  described.change(machine);
  clock_->advance(seconds(1));
  ASSERT_TRUE(
      clock_->until([&] { return sampler->latest()[0].throttle_ns_total.at("power_cap") == 500; }));
  described.change({{"init_status", nvml::kLibraryVersionMismatch}});
  clock_->advance(seconds(1));
  ASSERT_TRUE(all(*sampler, false));
  EXPECT_THAT(sampler->latest(), SizeIs(8));
  EXPECT_THAT(sampler->latest()[3].why_down, HasSubstr("updated while loaded"));
  EXPECT_EQ(sampler->latest()[3].memory_used_bytes, std::nullopt);
  described.change(machine);
  ASSERT_TRUE(clock_->until([&] {
    clock_->advance(seconds(30));
    return sampler->latest()[0].up;
  }));
  EXPECT_EQ(sampler->latest()[0].throttle_ns_total.at("power_cap"), 500) << "it never falls";
}

// Calls fail without saying why where the driver went and came back between two of them.
TEST_F(GpuSamplerTest, WhereNoGpuAnswersTheDriverIsLoadedAnew) {
  const DescribedGpus machine(eight_gpus());
  const auto sampler = started();
  machine.change({{"init_status", nvml::kDriverNotLoaded}});
  EXPECT_FALSE(nvml::Library::load(FAKE_NVML));
  machine.change(eight_gpus());
  clock_->advance(seconds(1));
  ASSERT_TRUE(all(*sampler, false));
  EXPECT_EQ(sampler->latest()[5].why_down, "unknown error of the driver");
  int64_t waited_seconds = 0;
  ASSERT_TRUE(clock_->until([&] {
    clock_->advance(seconds(1));
    ++waited_seconds;
    return sampler->latest()[5].up;
  }));
  EXPECT_GE(waited_seconds, 30);
}

TEST_F(GpuSamplerTest, ErrorsAreCountedByTheirNumberAndStayWhereTheGpuIsLost) {
  Json machine = eight_gpus();
  machine["gpus"][4]["xid_events"] = {{{"xid", 31}}, {{"xid", 31}, {"at_wait", 1}}, {{"xid", 79}}};
  const DescribedGpus described(machine);
  const auto sampler = started();
  ASSERT_TRUE(clock_->until([&] {
    clock_->advance(seconds(1));
    const auto xids = sampler->latest()[4].xid_errors_total;
    return xids.contains("79") && xids.at("31") == 2;
  }));
  EXPECT_THAT(sampler->latest()[4].xid_errors_total, ElementsAre(Pair("31", 2), Pair("79", 1)));
  EXPECT_THAT(sampler->latest()[5].xid_errors_total, IsEmpty());
  machine["gpus"][4]["lost_after_calls"] = 0;
  described.change(machine);
  clock_->advance(seconds(1));
  ASSERT_TRUE(clock_->until([&] { return !sampler->latest()[4].up; }));
  EXPECT_THAT(sampler->latest()[4].xid_errors_total, ElementsAre(Pair("31", 2), Pair("79", 1)));
}

TEST_F(GpuSamplerTest, ASliceKeepsThePlaceBehindItsGpu) {
  Json machine = eight_gpus();
  machine["gpus"][0]["mig"] = true;
  machine["gpus"][0]["slices"] = {{{"uuid", "MIG-a"}, {"memory", {{"total", 10}, {"used", 5}}}}};
  const DescribedGpus described(machine);
  const auto sampler = started();
  const auto readings = sampler->latest();
  ASSERT_THAT(readings, SizeIs(9));
  EXPECT_EQ(readings[1].gpu, "0:0");
  EXPECT_EQ(readings[1].memory_used_bytes, 5);
  EXPECT_EQ(readings[2].gpu, "1");
}

}  // namespace
}  // namespace batchscope::gpu
