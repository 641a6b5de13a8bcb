#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "batchscope/base/system_root.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::host {

// Reads the machine, or what a container sees of it: /proc, /sys and the cgroup that this process
// is in when the sampler is made. Rates are means since the call before, so that the first call
// gives levels only; a counter that fell in between (a device that was replaced, a virtual machine
// that was put back) gives no rate that once. What cannot be read stays absent.
class HostSampler {
 public:
  explicit HostSampler(base::SystemRoot root);
  ~HostSampler();
  HostSampler(HostSampler&&) noexcept;
  HostSampler& operator=(HostSampler&&) noexcept;

  // `now_ns`: of any clock that does not go back.
  telemetry::HostReading take(int64_t now_ns);

 private:
  struct Meters;

  base::SystemRoot root_;
  std::unique_ptr<Meters> meters_;
  std::optional<int64_t> before_ns_;
};

}  // namespace batchscope::host
