#include "batchscope/monitor/log_header.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

#include "batchscope/monitor/outputs.hpp"

namespace batchscope::monitor {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

telemetry::LogHeader log_header(const std::string& tool_version, base::Nanoseconds interval,
                                std::vector<std::string> command) {
  telemetry::LogHeader header;
  header.tool_version = tool_version;
  header.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                               fmt::gmtime(std::chrono::system_clock::to_time_t(
                                   std::chrono::system_clock::now())));
  header.host = host_name();
  header.interval_seconds = std::chrono::duration<double>(interval).count();
  header.command = std::move(command);
  return header;
}

}  // namespace batchscope::monitor
