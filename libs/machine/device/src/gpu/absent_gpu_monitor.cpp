#include <utility>

#include "batchscope/device/gpu_monitor.hpp"

namespace batchscope::device {
namespace {

class AbsentGpuMonitor : public GpuMonitor {
 public:
  AbsentGpuMonitor(std::string why, std::string fix) : why_(std::move(why)), fix_(std::move(fix)) {}

  bool available() const override { return false; }
  std::string why_absent() const override { return why_; }
  std::string how_to_get() const override { return fix_; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return 0; }
  GpuInfo info(int index) const override { return {index, {}, {}, {}, {}, {}}; }
  GpuSample sample(int) const override { return {}; }

 private:
  std::string why_;
  std::string fix_;
};

}  // namespace

std::unique_ptr<GpuMonitor> absent_gpu_monitor(std::string why, std::string how_to_get) {
  return std::make_unique<AbsentGpuMonitor>(std::move(why), std::move(how_to_get));
}

}  // namespace batchscope::device
