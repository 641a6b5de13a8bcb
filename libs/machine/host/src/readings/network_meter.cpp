#include <algorithm>
#include <string_view>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "batchscope/host/text_fields.hpp"
#include "readings/rise.hpp"
#include "readings/traffic_meters.hpp"

namespace batchscope::host {

// "  eth0: received-bytes and seven more, sent-bytes and seven more"; the number may follow the
// colon at once.
NetworkMeter::Interfaces NetworkMeter::read(const base::SystemRoot& root) const {
  Interfaces interfaces;
  const std::string text = root.read("/proc/net/dev").value_or("");
  for (const std::string_view line : base::split(text, '\n')) {
    const size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = base::trim(line.substr(0, colon));
    const auto fields = split_fields(line.substr(colon + 1));
    if (name == "lo" || fields.size() < 9) continue;
    const auto received = parse_integer(fields[0]), sent = parse_integer(fields[8]);
    if (!received || !sent) continue;
    // Looked up once: a machine with many containers has hundreds.
    const auto known = before_.find(name);
    const bool hardware = known != before_.end()
                              ? known->second.hardware
                              : root.exists("/sys/class/net/" + std::string(name) + "/device");
    interfaces.emplace(name, Interface{*received, *sent, hardware});
  }
  return interfaces;
}

void NetworkMeter::take(const base::SystemRoot& root, double seconds,
                        telemetry::HostReading& reading) {
  Interfaces now = read(root);
  const bool some_hardware = std::any_of(
      now.begin(), now.end(), [](const auto& interface) { return interface.second.hardware; });
  for (const auto& [name, counters] : now) {
    const auto known = before_.find(name);
    if (known == before_.end() || seconds <= 0 || counters.hardware != some_hardware) continue;
    const auto received = rise(known->second.received_bytes, counters.received_bytes);
    const auto sent = rise(known->second.sent_bytes, counters.sent_bytes);
    if (!received || !sent) continue;
    reading.network_receive_bytes_per_second =
        reading.network_receive_bytes_per_second.value_or(0) +
        static_cast<double>(*received) / seconds;
    reading.network_transmit_bytes_per_second =
        reading.network_transmit_bytes_per_second.value_or(0) +
        static_cast<double>(*sent) / seconds;
  }
  before_ = std::move(now);
}

}  // namespace batchscope::host
