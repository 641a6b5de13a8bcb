#include "options.hpp"

#include <cstdlib>
#include <string>

namespace batchscope::simulated {
namespace {

int64_t from_environment(const std::string& name, int64_t otherwise) {
  const char* const text = std::getenv(("SIMULATED_" + name).c_str());
  return text == nullptr || *text == 0 ? otherwise : std::atoll(text);
}

Options read_options() {
  Options o;
  o.devices = static_cast<int>(from_environment("DEVICES", o.devices));
  o.capacity_bytes = static_cast<std::size_t>(from_environment("CAPACITY_MIB", 512)) << 20;
  o.virtual_time = from_environment("VIRTUAL_TIME", 0) != 0;
  o.launch_ns = from_environment("LAUNCH_NS", o.launch_ns);
  o.call_ns = from_environment("CALL_NS", o.call_ns);
  o.operation_ns = from_environment("OPERATION_NS", o.operation_ns);
  o.memory_bytes_per_us = from_environment("MEMORY_BYTES_PER_US", o.memory_bytes_per_us);
  o.copy_bytes_per_us = from_environment("COPY_BYTES_PER_US", o.copy_bytes_per_us);
  o.copy_ns = from_environment("COPY_NS", o.copy_ns);
  o.allocation_ns = from_environment("ALLOCATION_NS", o.allocation_ns);
  o.pageable_waits = from_environment("PAGEABLE_WAITS", 0) != 0;
  o.compute = from_environment("COMPUTE", 1) != 0;
  o.poison = from_environment("POISON", o.compute ? 1 : 0) != 0;
  const bool unstated = o.operation_ns < 0 && (o.virtual_time || !o.compute);
  if (unstated) o.operation_ns = 1000;
  return o;
}

}  // namespace

Options& options() {
  static Options read = read_options();
  return read;
}

}  // namespace batchscope::simulated
