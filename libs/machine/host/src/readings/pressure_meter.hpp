#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "batchscope/base/system_root.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::host {

// The cgroups whose limits bind; empty: none does, and the pressure is that of the machine.
struct LimitingGroups {
  std::filesystem::path cpu, memory;
};

// How long work stood still for want of CPUs, memory or disks (PSI,
// Documentation/accounting/psi.rst), by the totals, which unlike the averages are of the time
// between two readings. Absent where the kernel keeps no account.
class PressureMeter {
 public:
  // `seconds`: since the call before; 0: no rates.
  void take(const base::SystemRoot& root, const LimitingGroups& groups, double seconds,
            telemetry::HostReading& reading);

 private:
  struct Totals {
    std::filesystem::path file;
    std::optional<int64_t> some_us, full_us;
  };
  struct Ratios {
    std::optional<double> some, full;
  };
  static Totals read(const base::SystemRoot& root, const std::filesystem::path& group,
                     const char* of);
  static Ratios take_one(Totals now, double seconds, Totals& before);

  Totals cpu_, memory_, io_;
};

}  // namespace batchscope::host
