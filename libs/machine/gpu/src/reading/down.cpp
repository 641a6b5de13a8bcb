#include "down.hpp"

#include <utility>

namespace batchscope::gpu {

telemetry::GpuReading down(const telemetry::GpuReading& known, std::string why) {
  telemetry::GpuReading reading;
  reading.gpu = known.gpu;
  reading.uuid = known.uuid;
  reading.name = known.name;
  reading.pci_bus_id = known.pci_bus_id;
  reading.gpu_instance = known.gpu_instance;
  reading.read_ns = known.read_ns;
  reading.why_down = std::move(why);
  return reading;
}

}  // namespace batchscope::gpu
