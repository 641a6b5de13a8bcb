#include "batchscope/monitor_report/plain_lines.hpp"

#include <fmt/format.h>

#include "batchscope/base/characters.hpp"
#include "text/finding_words.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

std::string gpu_part(const telemetry::GpuReading& gpu) {
  std::string text = "GPU " + gpu.gpu;
  if (!gpu.up) return text + " down: " + gpu.why_down;
  if (gpu.busy_ratio) text += " " + percent_of(*gpu.busy_ratio);
  if (gpu.memory_used_bytes && gpu.memory_total_bytes) {
    text += ", " + used_of(*gpu.memory_used_bytes, *gpu.memory_total_bytes);
  }
  if (gpu.power_watts) text += ", " + watts(*gpu.power_watts);
  return text;
}

std::string host_part(const telemetry::HostReading& host) {
  std::string text;
  if (host.cpu_busy_ratio) text += "CPU " + percent_of(*host.cpu_busy_ratio);
  if (host.memory_used_bytes && host.memory_total_bytes) {
    text += (text.empty() ? "RAM " : ", RAM ") +
            used_of(*host.memory_used_bytes, *host.memory_total_bytes);
  }
  return text;
}

std::string step_part(const telemetry::TrainingStep& step) {
  std::string text = step.source.empty() ? "" : step.source + " ";
  text += "step " + grouped(step.step);
  if (!step.loss_word.empty()) return text + ", loss " + step.loss_word;
  return step.loss ? text + ", loss " + digits(*step.loss) : text;
}

}  // namespace

std::string sample_line(const telemetry::Sample& sample, const ScreenHistory* history) {
  std::string text = time_of_day(sample.time_ns);
  std::string_view separator = "  ";
  const auto add = [&](const std::string& part) {
    if (part.empty()) return;
    text.append(separator).append(part);
    separator = "; ";
  };
  if (sample.gpus.empty()) add("no GPU");
  for (const telemetry::GpuReading& gpu : sample.gpus) add(gpu_part(gpu));
  add(host_part(sample.host));
  if (history != nullptr) {
    for (const TrainingPace& pace : history->training()) add(step_part(pace.last));
  }
  return base::clean(text);
}

std::string finding_line(const watch::ActiveFinding& active) {
  const findings::Finding& finding = active.finding;
  const std::string what = with_place(finding, finding.what);
  if (active.ended_ns) {
    return base::clean(fmt::format("{}  ended after {}: {} [{}]", time_of_day(*active.ended_ns),
                                   seconds_between(active.since_ns, *active.ended_ns), what,
                                   finding.id));
  }
  std::string fix = finding.fix;
  if (!fix.empty()) fix = " (" + fix + ")";
  return base::clean(fmt::format("{}  {}  {}{} [{}]", time_of_day(active.since_ns),
                                 label_of(finding.severity), what, fix, finding.id));
}

}  // namespace batchscope::monitor_report
