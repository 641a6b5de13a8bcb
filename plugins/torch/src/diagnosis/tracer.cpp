#include "tracer.hpp"

#include <kineto/ActivityType.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "libtorch/errors.hpp"
#include "output_capture.hpp"

namespace batchscope::torch_plugin {
namespace {

namespace profiler = torch::autograd::profiler;

// The kind of device as the tracer names it; nothing for one that it knows nothing of.
std::optional<profiler::ActivityType> activity_of(c10::DeviceType type) {
  using profiler::ActivityType;
  switch (type) {
    case c10::DeviceType::CUDA:  // AMD's GPUs too, which ROCm calls so
    case c10::DeviceType::HIP:
      return ActivityType::CUDA;
    case c10::DeviceType::XPU:
      return ActivityType::XPU;
    case c10::DeviceType::HPU:
      return ActivityType::HPU;
    case c10::DeviceType::MTIA:
      return ActivityType::MTIA;
    case c10::DeviceType::PrivateUse1:
      return ActivityType::PrivateUse1;
    default:
      return std::nullopt;
  }
}

std::set<profiler::ActivityType> activities(const c10::Device& device) {
  std::set<profiler::ActivityType> wanted{profiler::ActivityType::CPU};
  if (const auto of_device = activity_of(device.type())) wanted.insert(*of_device);
  return wanted;
}

TraceEvent converted(const profiler::KinetoEvent& event, TraceEvent::Kind kind) {
  TraceEvent result;
  result.name = event.name();
  result.kind = kind;
  result.thread = event.deviceResourceId();  // of a host event: the system's number of the thread
  result.start_ns = static_cast<int64_t>(event.startNs());
  result.end_ns = std::max(result.start_ns, static_cast<int64_t>(event.endNs()));
  const bool on_device =
      kind != TraceEvent::Kind::host_operator && kind != TraceEvent::Kind::runtime;
  if (on_device) result.facts = read_launch_facts(event.metadataJson());
  return result;
}

}  // namespace

bool tracer_sees(const c10::Device& device) {
  return activity_of(device.type()).has_value();
}

std::optional<TraceEvent::Kind> kind_of_activity(uint8_t type) {
  using libkineto::ActivityType;
  switch (static_cast<ActivityType>(type)) {
    case ActivityType::CPU_OP:
    case ActivityType::USER_ANNOTATION:
      return TraceEvent::Kind::host_operator;
    case ActivityType::CUDA_RUNTIME:
    case ActivityType::CUDA_DRIVER:
    case ActivityType::XPU_RUNTIME:
    case ActivityType::XPU_DRIVER:
    case ActivityType::MTIA_RUNTIME:
    case ActivityType::HPU_OP:
    case ActivityType::PRIVATEUSE1_RUNTIME:
    case ActivityType::PRIVATEUSE1_DRIVER:
      return TraceEvent::Kind::runtime;
    case ActivityType::CONCURRENT_KERNEL:
    case ActivityType::MTIA_CCP_EVENTS:
      return TraceEvent::Kind::kernel;
    case ActivityType::GPU_MEMCPY:
      return TraceEvent::Kind::memcpy;
    case ActivityType::GPU_MEMSET:
      return TraceEvent::Kind::memset;
    default:
      return std::nullopt;
  }
}

base::Result<std::unique_ptr<Tracer>> Tracer::start(const c10::Device& device) {
  using Started = base::Result<std::unique_ptr<Tracer>>;
  const auto quiet = OutputCapture::start(STDERR_FILENO);  // Kineto announces start and end there
  return guarded(base::ErrorKind::failed, "tracer", "", [&]() -> Started {
    if (profiler::profilerEnabled()) {
      return base::Error{base::ErrorKind::failed, "another tracer is on", "tracer", ""};
    }
    profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
    config.experimental_config.expose_kineto_event_metadata = true;
    profiler::prepareProfiler(config, activities(device));
    profiler::enableProfiler(config, activities(device));
    return std::unique_ptr<Tracer>(new Tracer);
  });
}

Tracer::~Tracer() {
  if (on_) static_cast<void>(stop());
}

base::Result<std::vector<TraceEvent>> Tracer::stop() {
  on_ = false;
  using Stopped = base::Result<std::vector<TraceEvent>>;
  const auto quiet = OutputCapture::start(STDERR_FILENO);
  return guarded(base::ErrorKind::failed, "tracer", "", []() -> Stopped {
    const auto recorded = profiler::disableProfiler();
    std::vector<TraceEvent> events;
    events.reserve(recorded->events().size());
    for (const auto& event : recorded->events()) {
      if (event.isHiddenEvent()) continue;
      const auto kind = kind_of_activity(event.activityType());
      if (kind) events.push_back(converted(event, *kind));
    }
    return events;
  });
}

}  // namespace batchscope::torch_plugin
