#include "diagnosis/tracer.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "batchscope/trace/reader.hpp"
#include "batchscope/trace/recording_file.hpp"

namespace batchscope::torch_plugin {
namespace {

TEST(Tracer, KnowsTheAcceleratorsThatKinetoHasATypeFor) {
  for (const auto type :
       {c10::kCUDA, c10::kHIP, c10::kXPU, c10::kHPU, c10::kMTIA, c10::kPrivateUse1}) {
    EXPECT_TRUE(tracer_sees(c10::Device(type, 0))) << c10::DeviceTypeName(type);
  }
  for (const auto type : {c10::kCPU, c10::kMPS, c10::kVulkan, c10::kMeta}) {
    EXPECT_FALSE(tracer_sees(c10::Device(type, 0))) << c10::DeviceTypeName(type);
  }
}

void work_a_little() {
  at::Tensor x = at::rand({16, 16}).set_requires_grad(true);
  for (int i = 0; i < 5; ++i) at::relu(at::linear(x, x, x[0])).sum().backward();
}

TEST(Tracer, LeavesAFileThatTheReaderReads) {
  const auto recording = trace::RecordingFile::begin({});
  ASSERT_TRUE(recording);
  const auto tracer = Tracer::start(at::kCPU);
  ASSERT_TRUE(tracer) << base::to_string(tracer.error());
  work_a_little();
  ASSERT_TRUE((*tracer)->stop(recording->file()));
  const auto read = trace::TraceReader().read(recording->file());
  ASSERT_TRUE(read) << base::to_string(read.error());
  EXPECT_EQ(read->read.skipped, 0);
  EXPECT_FALSE(read->read.truncated);
  int linear = 0;
  for (size_t row = 0; row < read->activities.size(); ++row) {
    linear += read->name_of(row) == "aten::linear" ? 1 : 0;
  }
  EXPECT_EQ(linear, 5);
}

// That nothing is lost on the way through the file: every event that the profiler holds, hidden
// ones too, stands in it with its times to the nanosecond.
TEST(KinetosFile, HoldsWhatTheProfilerHolds) {
  namespace profiler = torch::autograd::profiler;
  const std::set<profiler::ActivityType> host{profiler::ActivityType::CPU};
  const profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
  profiler::prepareProfiler(config, host);
  profiler::enableProfiler(config, host);
  work_a_little();
  const auto held = profiler::disableProfiler();
  const auto recording = trace::RecordingFile::begin({});
  ASSERT_TRUE(recording);
  held->save(recording->file().string());
  const auto read = trace::TraceReader().read(recording->file());
  ASSERT_TRUE(read) << base::to_string(read.error());

  using Event = std::tuple<std::string, int64_t, int64_t, int64_t>;
  std::map<Event, int> in_process, in_file;
  for (const auto& event : held->events()) {
    ++in_process[{event.name(), static_cast<int64_t>(event.startNs()),
                  static_cast<int64_t>(event.durationNs()), event.deviceResourceId()}];
  }
  for (size_t row = 0; row < read->activities.size(); ++row) {
    if (read->activities.kind[row] == trace::ActivityKind::overhead) continue;
    ++in_file[{std::string(read->name_of(row)), read->activities.start_ns[row] + read->base_time_ns,
               read->activities.duration_ns[row], read->track_of(row).thread}];
  }
  EXPECT_GT(in_process.size(), 50);
  EXPECT_EQ(in_file, in_process);
}

}  // namespace
}  // namespace batchscope::torch_plugin
