#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/unique_fd.hpp"

namespace batchscope::cluster {

// Devices of a node that one block has for itself. Held for as long as this lives; of a process
// that dies the kernel takes it back.
class DeviceLock {
 public:
  // Waits until no other block has one of them. `devices`: as schema::Placement names them. Errors:
  // interrupted, failed (the system has no such locks).
  static base::Result<DeviceLock> take(const std::string& node, std::vector<std::string> devices,
                                       const std::stop_token& stop);
  double waited_s() const { return waited_s_; }

 private:
  std::vector<base::UniqueFd> held_;
  double waited_s_ = 0;
};

}  // namespace batchscope::cluster
