#include <fmt/format.h>

#include "batchscope/report/trace.hpp"

namespace batchscope::report {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;

std::string row(int64_t device, const std::string& step, const TimeParts& parts) {
  std::string line = fmt::format("{},{},{},{}", device, step, parts.wall_ns(), parts.idle_ns());
  for (const int64_t ns : parts.ns) line += fmt::format(",{}", ns);
  return line + "\n";
}

}  // namespace

std::string trace_csv(const advice::TraceSummary& summary) {
  std::string text = "device,step,wall_ns,idle_ns";
  for (size_t part = 0; part < kParts; ++part) {
    const auto each = static_cast<Part>(part);
    text += fmt::format(",{}{}_ns", is_idle(each) ? "idle_" : "", to_string(each));
  }
  text += "\n";
  const attribution::Attribution& all = summary.attribution;
  for (const auto& device : all.devices) text += row(device.id, "", device.parts);
  for (const auto& step : all.steps) {
    for (size_t i = 0; i < step.devices.size(); ++i) {
      text += row(all.devices[i].id, fmt::format("{}", step.number), step.devices[i]);
    }
  }
  return text;
}

}  // namespace batchscope::report
