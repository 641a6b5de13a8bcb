#include "batchscope/monitor/log_header.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "judging.hpp"

namespace batchscope::monitor {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string();
}

telemetry::LogHeader log_header(const OutputOptions& options) {
  telemetry::LogHeader header;
  header.tool_version = options.tool_version;
  header.created = fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  header.host = host_name();
  header.interval_seconds = std::chrono::duration<double>(options.interval).count();
  header.window_seconds = std::chrono::duration<double>(options.window).count();
  MonitorOptions rules = options.rules;
  if (options.window.count() > 0) set_window(rules, options.window);
  header.judged_by = judged_by(rules);
  header.command = options.command;
  return header;
}

}  // namespace batchscope::monitor
