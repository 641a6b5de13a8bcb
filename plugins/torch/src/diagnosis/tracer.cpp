#include "tracer.hpp"

#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

#include <optional>
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

}  // namespace

bool tracer_sees(const c10::Device& device) {
  return activity_of(device.type()).has_value();
}

base::Result<std::unique_ptr<Tracer>> Tracer::start(const c10::Device& device) {
  using Started = base::Result<std::unique_ptr<Tracer>>;
  const auto quiet = OutputCapture::start(STDERR_FILENO);  // Kineto announces start and end there
  return guarded(base::ErrorKind::failed, "tracer", "", [&]() -> Started {
    if (profiler::profilerEnabled()) {
      return base::Error{base::ErrorKind::failed, "another tracer is active", "tracer", ""};
    }
    profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
    profiler::prepareProfiler(config, activities(device));
    profiler::enableProfiler(config, activities(device));
    return std::unique_ptr<Tracer>(new Tracer);
  });
}

Tracer::~Tracer() {
  if (on_) static_cast<void>(stop({}));
}

base::Result<void> Tracer::stop(const std::filesystem::path& file) {
  on_ = false;
  const auto quiet = OutputCapture::start(STDERR_FILENO);
  return guarded(base::ErrorKind::failed, "tracer", "", [&]() -> base::Result<void> {
    const auto recorded = profiler::disableProfiler();
    if (!file.empty()) recorded->save(file.string());
    return {};
  });
}

}  // namespace batchscope::torch_plugin
