#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/monitor_report/summary.hpp"
#include "batchscope/monitor_report/together.hpp"
#include "batchscope/telemetry/throttle_reasons.hpp"
#include "text/columns.hpp"
#include "text/finding_words.hpp"
#include "text/line.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr std::size_t kWidth = 80, kIndentWidth = 8, kBelowGpu = 6;
constexpr double kHigh = 0.95;

// How a metric is called here, and what its numbers are divided by and followed with.
struct Shown {
  std::string_view metric, title;
  double unit;
  std::string_view unit_name;
  int rank = 0;  // of its column: the highest are told below the row where the width is short
};
constexpr double kGibibyte = 1024.0 * 1024 * 1024;
constexpr std::array<Shown, 8> kGpuShown = {{{"busy_ratio", "busy", 0.01, " %", 1},
                                             {"sm_active_ratio", "SM act", 0.01, " %", 1},
                                             {"tensor_active_ratio", "tensor", 0.01, " %", 3},
                                             {"dram_active_ratio", "DRAM", 0.01, " %", 3},
                                             {"memory_used_bytes", "memory", kGibibyte, " GiB", 1},
                                             {"power_watts", "power", 1, " W", 1},
                                             {"temperature_celsius", "temp", 1, " C", 2},
                                             {"sm_clock_hertz", "SM", 1e6, " MHz", 2}}};
constexpr std::array<Shown, 9> kHostShown = {
    {{"cpu_busy_ratio", "CPU busy", 0.01, " %"},
     {"cpu_iowait_ratio", "CPU idle, waiting for disks", 0.01, " %"},
     {"cpu_steal_ratio", "CPU taken by the hypervisor", 0.01, " %"},
     {"cpu_throttled_ratio", "throttled by CPU quota", 0.01, " %"},
     {"memory_used_bytes", "memory", kGibibyte, " GiB"},
     {"pressure_cpu_some_ratio", "pressure, CPU", 0.01, " %"},
     {"pressure_memory_some_ratio", "pressure, memory", 0.01, " %"},
     {"pressure_io_some_ratio", "pressure, I/O", 0.01, " %"},
     {"disk_busy_ratio", "busiest disk", 0.01, " %"}}};

const Shown* host_row_of(std::string_view metric) {
  const auto found = std::find_if(kHostShown.begin(), kHostShown.end(),
                                  [&](const Shown& one) { return one.metric == metric; });
  return found == kHostShown.end() ? nullptr : &*found;
}

std::string number(double value, double unit) {
  const double scaled = value / unit;
  return scaled < 99.95 && unit == kGibibyte ? fmt::format("{:.1f}", scaled)
                                             : fmt::format("{:.0f}", scaled);
}

// "94/100/100": mean, 95th percentile, maximum.
std::string three_of(const monitor::StreamingHistogram& values, double unit) {
  return number(values.mean(), unit) + "/" + number(values.quantile(kHigh), unit) + "/" +
         number(values.most(), unit);
}

std::string energy_of(double joules) {
  const double hours = joules / 3600;
  return hours < 1000 ? fmt::format("{:.3g} Wh", hours) : fmt::format("{:.3g} kWh", hours / 1000);
}

// Without as many, hardly a rule says anything.
constexpr int64_t kFewestSteps = 20;

std::string nothing_found(const monitor::MonitorSummary& summary) {
  constexpr double kNanoseconds = 1e9;
  if (summary.samples == 0) {
    int64_t steps = 0;
    for (const monitor::TrainingTotal& each : summary.training) steps = std::max(steps, each.steps);
    if (steps < kFewestSteps) {
      return fmt::format("Too few {} for findings: {} of at least {}.",
                         summary.steps_are_epochs ? "epochs" : "steps", steps, kFewestSteps);
    }
  }
  const double watched = static_cast<double>(summary.ended_ns - summary.began_ns) / kNanoseconds;
  if (watched >= summary.min_detection_seconds) return "No findings.";
  return fmt::format(
      "No findings yet: most need at least {} of monitoring.",
      seconds_between(0, std::llround(summary.min_detection_seconds * kNanoseconds)));
}

// "from 12:00:03 for 4 min", "3 times from 12:00:03 to 13:10:00, for 4 min in all".
std::string when_of(const watch::ActiveFinding& active, int64_t now_ns) {
  const std::string since = time_of_day(active.since_ns);
  const std::string lasted = seconds_in_words(watch::active_seconds(active, now_ns));
  const char* const is_active = active.ended_ns ? "" : ", still active";
  if (active.times == 1) return fmt::format("from {} for {}{}", since, lasted, is_active);
  return fmt::format("{} times from {} to {}, {} in total{}", active.times, since,
                     time_of_day(active.ended_ns.value_or(now_ns)), lasted, is_active);
}

std::string times_of(const monitor::StreamingHistogram& seconds, std::string_view step) {
  if (seconds.count() == 0) return "no step times reported";
  return fmt::format("{} per {}, p95 {}, longest {}", base::format_seconds(seconds.mean()), step,
                     base::format_seconds(seconds.quantile(kHigh)),
                     base::format_seconds(seconds.most()));
}

// "steps 0 to 999"; "3,000 steps, the last has number 29" where numbers do not say how many.
std::string steps_of(const monitor::TrainingTotal& training, std::string_view step) {
  const bool in_one_count =
      training.last_step >= training.first_step &&
      static_cast<uint64_t>(training.last_step) - static_cast<uint64_t>(training.first_step) + 1 >=
          static_cast<uint64_t>(training.steps);
  if (in_one_count) {
    return fmt::format("{}s {} to {}", step, grouped(training.first_step),
                       grouped(training.last_step));
  }
  return fmt::format("{} {}s, the last is number {}", grouped(training.steps), step,
                     grouped(training.last_step));
}

class TextWriter {
 public:
  explicit TextWriter(bool utf8) : look_{false, utf8} {}

  void write(const monitor::MonitorSummary& summary) {
    if (summary.samples == 0 && summary.training.empty()) {
      return add_full(
          (summary.host.empty() ? "" : summary.host + ": ") + "the log has no samples and no steps",
          0);
    }
    const bool has_samples = summary.samples > 0;
    add_full(
        fmt::format("{}{} of {}, {} to {}, {}", summary.host.empty() ? "" : summary.host + ": ",
                    seconds_between(summary.began_ns, summary.ended_ns),
                    has_samples ? "monitoring" : "training", date_and_time(summary.began_ns),
                    date_and_time(summary.ended_ns),
                    has_samples ? base::counted(summary.samples, "sample")
                                : "without samples of the machine"),
        0);
    put_findings(summary);
    put_gpus(summary);
    put_host(summary);
    const std::string_view step = summary.steps_are_epochs ? "epoch" : "step";
    for (const monitor::TrainingTotal& training : summary.training) put_training(training, step);
  }
  std::string text() && { return std::move(text_); }

 private:
  void add(std::string_view text) { text_.append(text) += '\n'; }

  void add_full(std::string_view text, std::size_t indent) {
    text_ += std::string(indent, ' ') + shown(text, look_) + '\n';
  }

  void put_findings(const monitor::MonitorSummary& summary) {
    text_ += '\n';
    if (summary.findings.empty()) return add(nothing_found(summary));
    auto findings = merged_findings(summary.findings);
    std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
      return a.finding.severity > b.finding.severity;
    });
    for (const watch::ActiveFinding& active : findings) {
      const findings::Finding& finding = active.finding;
      const std::string what = with_place(finding, finding.what);
      add_full(fmt::format("{:<8}{}", label_of(finding.severity), what), 0);
      add_full(when_of(active, summary.ended_ns), kIndentWidth);
      if (!finding.fix.empty()) {
        add_full("-> " + finding.fix, kIndentWidth);
      }
    }
  }

  void put_gpus(const monitor::MonitorSummary& summary) {
    if (!summary.gpu_absent.empty()) {
      text_ += '\n';
      add_full("No GPU could be queried: " + summary.gpu_absent, 0);
    }
    if (summary.gpus.empty()) return;
    text_ += '\n';
    add("mean/p95/maximum:");
    const auto columns = gpu_columns(summary);
    const auto widths = widths_of(columns, kWidth);
    std::vector<Cell> titles;
    for (const Column& column : columns) titles.push_back({column.title});
    put_row(columns, widths, titles);
    for (const monitor::GpuTotal& gpu : summary.gpus) {
      std::vector<Cell> cells = {{gpu.gpu}};
      std::string no_room;
      for (std::size_t i = 0; i < kGpuShown.size(); ++i) {
        const Shown& metric = kGpuShown[i];
        cells.push_back({cell_of(metric, gpu)});
        if (widths[i + 1] > 0 || cells.back().text == "-") continue;
        no_room += fmt::format("; {} {}{}", metric.title, cells.back().text, metric.unit_name);
      }
      put_row(columns, widths, cells);
      if (const std::string more = other_of(gpu, no_room); !more.empty()) {
        add_full(more, kBelowGpu);
      }
    }
  }

  // Each as wide as its widest cell.
  static std::vector<Column> gpu_columns(const monitor::MonitorSummary& summary) {
    std::vector<Column> columns = {{"GPU", 4, 0, 0, true}};
    for (const Shown& metric : kGpuShown) {
      const std::string title = fmt::format("{}{}", metric.title, metric.unit_name);
      Column column{title, title.size(), 0, metric.rank, false, false};
      for (const monitor::GpuTotal& gpu : summary.gpus) {
        const std::string cell = cell_of(metric, gpu);
        column.width = std::max(column.width, cell.size());
        column.wanted = column.wanted || cell != "-";
      }
      columns.push_back(std::move(column));
    }
    return columns;
  }

  void put_row(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
               const std::vector<Cell>& cells) {
    ScreenLine line(kWidth, look_);
    add_cells(line, columns, widths, cells);
    text_ += line.text() + '\n';
  }

  static std::string cell_of(const Shown& metric, const monitor::GpuTotal& gpu) {
    for (const monitor::MetricTotal& total : gpu.metrics) {
      if (total.name == metric.metric) return three_of(total.values, metric.unit);
    }
    return "-";
  }

  // What the table has no column for: "energy 12.3 Wh; clock held down by heat for 19 s".
  static std::string other_of(const monitor::GpuTotal& gpu, const std::string& no_room) {
    std::string text = gpu.name + no_room;
    const auto add_part = [&text](const std::string& part) {
      text += (text.empty() ? "" : "; ") + part;
    };
    // As findings call it.
    if (const auto colon = gpu.gpu.find(':'); colon != std::string::npos) {
      add_part("slice " + gpu.gpu.substr(colon + 1) + " of GPU " + gpu.gpu.substr(0, colon));
    }
    if (gpu.last_gpu != gpu.gpu) add_part("now GPU " + gpu.last_gpu);
    if (gpu.energy_joules) add_part("energy " + energy_of(*gpu.energy_joules));
    for (const auto& [reason, seconds] : gpu.throttled_seconds) {
      add_part(fmt::format("clock throttled by {} for {}",
                           telemetry::throttle_reason_in_words(reason),
                           base::format_seconds(seconds)));
    }
    if (gpu.down_seconds > 0) {
      add_part(
          fmt::format("down for {}: {}", base::format_seconds(gpu.down_seconds), gpu.why_down));
    }
    return text;
  }

  void put_host(const monitor::MonitorSummary& summary) {
    if (summary.host_metrics.empty()) return;
    text_ += '\n';
    add(fmt::format("{:<28}{:>10}{:>10}{:>10}", "machine", "mean", "p95", "maximum"));
    for (const monitor::MetricTotal& total : summary.host_metrics) {
      const Shown* const metric = host_row_of(total.name);
      if (metric == nullptr) continue;
      const auto cell = [&](double value) {
        return number(value, metric->unit) + std::string(metric->unit_name);
      };
      add(fmt::format("{:<28}{:>10}{:>10}{:>10}", metric->title, cell(total.values.mean()),
                      cell(total.values.quantile(kHigh)), cell(total.values.most())));
    }
  }

  void put_training(const monitor::TrainingTotal& training, std::string_view step) {
    text_ += '\n';
    std::string text = (training.source.empty() ? "" : training.source + ": ") +
                       steps_of(training, step) + ": " + times_of(training.seconds, step);
    if (training.sample_seconds > 0) {
      text += fmt::format(", {} samples/s",
                          rate(static_cast<double>(training.samples) / training.sample_seconds));
    }
    if (training.loss) text += ", last loss " + digits(*training.loss);
    if (!training.loss_word.empty()) text += ", last loss " + training.loss_word;
    add_full(text, 0);
  }

  Look look_;
  std::string text_;
};

}  // namespace

std::string summary_text(const monitor::MonitorSummary& summary, bool utf8) {
  TextWriter writer(utf8);
  writer.write(summary);
  return std::move(writer).text();
}

}  // namespace batchscope::monitor_report
