#include <fmt/format.h>

#include "batchscope/document/csv.hpp"
#include "batchscope/traceview/trace.hpp"

namespace batchscope::traceview {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;

std::string row(const std::string& key, const std::string& step, const TimeParts& parts) {
  std::string line = fmt::format("{},{},{},{}", key, step, parts.wall_ns(), parts.idle_ns());
  for (const int64_t ns : parts.ns) line += fmt::format(",{}", ns);
  return line + "\n";
}

std::string header() {
  std::string text = "rank,device,step,wall_ns,idle_ns";
  for (size_t part = 0; part < kParts; ++part) {
    const auto each = static_cast<Part>(part);
    text += fmt::format(",{}{}_ns", is_idle(each) ? "idle_" : "", to_string(each));
  }
  return text + "\n";
}

std::string rows_of(const advice::TraceSummary& summary, int rank) {
  const attribution::Attribution& all = summary.attribution;
  const auto key = [&](size_t device) {
    return fmt::format("{},{}", rank, all.devices[device].id);
  };
  std::string text;
  for (size_t i = 0; i < all.devices.size(); ++i) text += row(key(i), "", all.devices[i].parts);
  for (const auto& step : all.steps) {
    for (size_t i = 0; i < step.devices.size(); ++i) {
      text += row(key(i), fmt::format("{}", step.number), step.devices[i]);
    }
  }
  return text;
}

std::string changes(const char* kind, const std::vector<advice::Change>& all) {
  std::string text;
  for (const advice::Change& change : all) {
    text += fmt::format("{},{},{:.0f},{:.0f}\n", kind, document::csv_text(change.name),
                        change.before_ns, change.after_ns);
  }
  return text;
}

}  // namespace

std::string comparison_csv(const advice::TraceComparison& comparison) {
  return "kind,name,before_ns,after_ns\n" + changes("wall", {comparison.wall}) +
         changes("part", comparison.parts) + changes("kernel", comparison.kernels) +
         (comparison.of_host ? changes("operator", comparison.operators) : "");
}

std::string trace_csv(const advice::TraceSummary& summary) {
  return header() + rows_of(summary, summary.rank.value_or(0));
}

std::string trace_csv(const advice::JobSummary& job) {
  if (job.ranks.size() == 1) return trace_csv(job.ranks.front());
  std::string text = header();
  for (size_t i = 0; i < job.ranks.size(); ++i) text += rows_of(job.ranks[i], job.times[i].rank);
  return text;
}

}  // namespace batchscope::traceview
