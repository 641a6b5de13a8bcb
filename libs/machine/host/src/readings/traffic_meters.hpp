#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "batchscope/base/system_root.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::host {

// What one disk has done since it is there.
struct DiskCounters {
  int64_t read_bytes = 0, written_bytes = 0;
  int64_t busy_ms = 0;  // in which it had something to do
};
using Disks = std::map<std::string, DiskCounters, std::less<>>;
// Whole disks of /proc/diskstats: no partitions, and nothing that passes its work on to other disks
// or to memory (loop, ram, zram, dm, md, and the single paths of one NVMe disk).
Disks parse_disks(std::string_view diskstats);

// All disks together, and the busiest.
class DiskMeter {
 public:
  // `seconds`: since the call before; 0: no rates. As of the network's.
  void take(const base::SystemRoot& root, double seconds, telemetry::HostReading& reading);

 private:
  Disks before_;
};

// All interfaces of hardware, so that what a bridge passes on counts once; where there are none, as
// in a container, all but the loopback.
class NetworkMeter {
 public:
  void take(const base::SystemRoot& root, double seconds, telemetry::HostReading& reading);

 private:
  struct Interface {
    int64_t received_bytes = 0, sent_bytes = 0;
    bool hardware = false;
  };
  using Interfaces = std::map<std::string, Interface, std::less<>>;

  Interfaces read(const base::SystemRoot& root) const;

  Interfaces before_;
};

}  // namespace batchscope::host
