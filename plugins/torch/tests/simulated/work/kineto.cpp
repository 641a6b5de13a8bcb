// What runs on a simulated device, for LibTorch's profiler: kernels and copies with their times.
#include <libkineto.h>
#include <output_base.h>
#include <unistd.h>

#include <chrono>

#include "activity.hpp"
#include "state/clock.hpp"

namespace batchscope::simulated {
namespace {

using libkineto::ActivityType;

const std::set<ActivityType>& kinds() {
  static const std::set<ActivityType> all{ActivityType::CONCURRENT_KERNEL, ActivityType::GPU_MEMCPY,
                                          ActivityType::GPU_MEMSET, ActivityType::CUDA_RUNTIME};
  return all;
}

// From this host's clock to that of the trace.
int64_t offset_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
             .count() -
         now_ns();
}

ActivityType type_of(Kind kind) {
  if (kind == Kind::kernel) return ActivityType::CONCURRENT_KERNEL;
  return kind == Kind::call ? ActivityType::CUDA_RUNTIME : ActivityType::GPU_MEMCPY;
}

// Calls are of the process, as those of a real driver are.
void describe(const Activity& activity, libkineto::GenericTraceActivity& made) {
  made.setDevice(activity.kind == Kind::call ? getpid() : activity.device);
  made.resource = static_cast<int32_t>(activity.stream);
  if (activity.correlation > 0) {
    made.id = static_cast<int32_t>(activity.correlation);
    made.addMetadata("correlation", activity.correlation);
  }
  if (activity.kind == Kind::call) return;
  made.addMetadata("device", activity.device);
  made.addMetadata("stream", activity.stream);
  if (activity.kind != Kind::kernel) {
    made.addMetadata("bytes", activity.bytes);
    return;
  }
  made.addMetadata("grid", "[8, 1, 1]");
  made.addMetadata("block", "[256, 1, 1]");
  made.addMetadata("blocks per SM", 2.0);
}

class Session final : public libkineto::IActivityProfilerSession {
 public:
  void start() override {
    take_traced();
    set_tracing(true);
    status_ = libkineto::TraceStatus::RECORDING;
  }
  void stop() override {
    set_tracing(false);
    status_ = libkineto::TraceStatus::PROCESSING;
  }
  std::vector<std::string> errors() override { return {}; }
  void processTrace(libkineto::ActivityLogger& logger) override;
  std::unique_ptr<libkineto::DeviceInfo> getDeviceInfo() override { return nullptr; }
  std::vector<libkineto::ResourceInfo> getResourceInfos() override { return {}; }
  std::unique_ptr<libkineto::CpuTraceBuffer> getTraceBuffer() override {
    return std::move(buffer_);
  }

 private:
  std::unique_ptr<libkineto::CpuTraceBuffer> buffer_;
};

void Session::processTrace(libkineto::ActivityLogger& logger) {
  const int64_t offset = offset_ns();
  buffer_ = std::make_unique<libkineto::CpuTraceBuffer>();
  for (const Activity& each : take_traced()) {
    buffer_->emplace_activity(buffer_->span, type_of(each.kind), each.name);
    libkineto::GenericTraceActivity& made = *buffer_->activities.back();
    made.startTime = each.start_ns + offset;
    made.endTime = each.end_ns + offset;
    describe(each, made);
    logger.handleGenericActivity(made);
  }
}

class Profiler final : public libkineto::IActivityProfiler {
 public:
  const std::string& name() const override { return name_; }
  const std::set<ActivityType>& availableActivities() const override { return kinds(); }
  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      const std::set<ActivityType>& types, const libkineto::Config& /*config*/) override {
    for (const ActivityType each : kinds()) {
      if (types.count(each) > 0) return std::make_unique<Session>();
    }
    return nullptr;
  }
  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      int64_t /*ts_ms*/, int64_t /*duration_ms*/, const std::set<ActivityType>& types,
      const libkineto::Config& config) override {
    return configure(types, config);
  }

 private:
  std::string name_ = "simulated device";
};

struct Registered {
  Registered() {
    libkineto::api().registerProfilerFactory([] { return std::make_unique<Profiler>(); });
  }
};
const Registered registered;

}  // namespace
}  // namespace batchscope::simulated
