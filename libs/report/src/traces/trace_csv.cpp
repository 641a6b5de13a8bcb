#include <fmt/format.h>

#include "batchscope/report/trace.hpp"

namespace batchscope::report {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;

std::string row(const std::string& key, const std::string& step, const TimeParts& parts) {
  std::string line = fmt::format("{},{},{},{}", key, step, parts.wall_ns(), parts.idle_ns());
  for (const int64_t ns : parts.ns) line += fmt::format(",{}", ns);
  return line + "\n";
}

}  // namespace

std::string trace_csv(const advice::JobSummary& job) {
  std::string text = "rank,device,step,wall_ns,idle_ns";
  for (size_t part = 0; part < kParts; ++part) {
    const auto each = static_cast<Part>(part);
    text += fmt::format(",{}{}_ns", is_idle(each) ? "idle_" : "", to_string(each));
  }
  text += "\n";
  for (size_t rank = 0; rank < job.ranks.size(); ++rank) {
    const attribution::Attribution& all = job.ranks[rank].attribution;
    const int number = job.times.empty() ? job.ranks[rank].rank.value_or(0) : job.times[rank].rank;
    const auto key = [&](size_t device) {
      return fmt::format("{},{}", number, all.devices[device].id);
    };
    for (size_t i = 0; i < all.devices.size(); ++i) text += row(key(i), "", all.devices[i].parts);
    for (const auto& step : all.steps) {
      for (size_t i = 0; i < step.devices.size(); ++i) {
        text += row(key(i), fmt::format("{}", step.number), step.devices[i]);
      }
    }
  }
  return text;
}

}  // namespace batchscope::report
