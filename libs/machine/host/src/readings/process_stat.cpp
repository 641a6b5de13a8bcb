#include "readings/process_stat.hpp"

#include <unistd.h>

#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// Fields as the manual numbers them; the third is the first behind the name.
enum Field {
  kState = 3,
  kParent = 4,
  kUserTicks = 14,
  kSystemTicks = 15,
  kThreads = 20,
  kStart = 22,
  kResidentPages = 24,
  kDelayTicks = 42
};

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  const size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const auto fields = split_fields(text.substr(close + 1));
  if (fields.size() < kResidentPages - kState + 1) return std::nullopt;
  const auto number = [&fields](Field field) -> int64_t {
    const auto at = static_cast<size_t>(field - kState);
    return at < fields.size() ? parse_integer(fields[at]).value_or(0) : 0;
  };
  ProcessStat stat;
  stat.name = text.substr(open + 1, close - open - 1);
  stat.state = fields.front().front();
  stat.parent = number(kParent);
  stat.cpu_ticks = number(kUserTicks) + number(kSystemTicks);
  stat.threads = number(kThreads);
  stat.start_ticks = number(kStart);
  stat.resident_bytes = number(kResidentPages) * sysconf(_SC_PAGESIZE);
  stat.delay_ticks = number(kDelayTicks);
  return stat;
}

}  // namespace batchscope::host
