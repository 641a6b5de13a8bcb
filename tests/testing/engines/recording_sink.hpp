#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope {

// Keeps what a model reports.
struct RecordingSink final : engine::PhaseSink {
  void phase(std::string_view name, int64_t host_ns, std::optional<int64_t> device_ns) override {
    names.emplace_back(name);
    host.push_back(host_ns);
    device.push_back(device_ns);
  }

  std::vector<std::string> names;
  std::vector<int64_t> host;
  std::vector<std::optional<int64_t>> device;
};

}  // namespace batchscope
