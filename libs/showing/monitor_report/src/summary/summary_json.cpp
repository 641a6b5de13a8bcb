#include <nlohmann/json.hpp>

#include "batchscope/findings/finding.hpp"
#include "batchscope/monitor_report/summary.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/telemetry/log_line.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;
constexpr double kP95 = 0.95;
constexpr int kIndent = 2;

double seconds_of(int64_t from_ns, int64_t to_ns) {
  return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e9;
}

Json json_of(const monitor::StreamingHistogram& values) {
  return {{"mean", values.mean()},
          {"p95", values.quantile(kP95)},
          {"max", values.most()},
          {"samples", values.count()}};
}

Json json_of(const std::vector<monitor::MetricTotal>& metrics) {
  Json json = Json::object();
  for (const monitor::MetricTotal& metric : metrics) json[metric.name] = json_of(metric.values);
  return json;
}

Json json_of(const monitor::GpuTotal& gpu) {
  Json json = {{"gpu", gpu.gpu}};
  if (gpu.last_gpu != gpu.gpu) json["last_gpu"] = gpu.last_gpu;
  if (!gpu.uuid.empty()) json["uuid"] = gpu.uuid;
  if (!gpu.name.empty()) json["name"] = gpu.name;
  json["up_seconds"] = gpu.up_seconds;
  json["down_seconds"] = gpu.down_seconds;
  if (!gpu.why_down.empty()) json["why_down"] = gpu.why_down;
  if (gpu.energy_joules) json["energy_joules"] = *gpu.energy_joules;
  json["throttled_seconds"] = Json::object();
  for (const auto& [reason, seconds] : gpu.throttled_seconds) {
    json["throttled_seconds"][reason] = seconds;
  }
  json["metrics"] = json_of(gpu.metrics);
  return json;
}

Json json_of(const monitor::TrainingTotal& training) {
  Json json = {{"source", training.source},
               {"first_step", training.first_step},
               {"last_step", training.last_step},
               {"steps", training.steps}};
  if (training.seconds.count() > 0) json["step_seconds"] = json_of(training.seconds);
  if (training.sample_seconds > 0) {
    json["samples_per_second"] = static_cast<double>(training.samples) / training.sample_seconds;
  }
  if (training.loss) json["loss"] = *training.loss;
  if (!training.loss_word.empty()) json["loss_word"] = training.loss_word;
  return json;
}

Json json_of(const std::vector<watch::ActiveFinding>& findings, int64_t now_ns) {
  Json json = Json::array();
  for (const watch::ActiveFinding& active : findings) {
    const int64_t until_ns = active.ended_ns.value_or(now_ns);
    Json one = {{"since", date_and_time(active.since_ns)},
                {"since_ns", active.since_ns},
                {"seconds", watch::active_seconds(active, now_ns)},
                {"times", active.times}};
    if (active.ended_ns) {
      one["ended"] = date_and_time(until_ns);
      one["ended_ns"] = until_ns;
    }
    one["finding"] = Json::parse(findings::to_json(active.finding), nullptr, false);
    json.push_back(std::move(one));
  }
  return json;
}

// Names are untrusted, and may be no UTF-8.
std::string text_of(const Json& json) {
  return schema::dump(json, kIndent);
}

}  // namespace

std::string summary_json(const monitor::MonitorSummary& summary) {
  Json json = {{"schema_version", kSchemaVersion},
               {"host", summary.host},
               {"began", date_and_time(summary.began_ns)},
               {"ended", date_and_time(summary.ended_ns)},
               {"seconds", seconds_of(summary.began_ns, summary.ended_ns)},
               {"samples", summary.samples},
               {"gpus", Json::array()},
               {"host_metrics", json_of(summary.host_metrics)},
               {"training", Json::array()},
               {"findings", json_of(summary.findings, summary.ended_ns)}};
  if (!summary.gpu_absent.empty()) json["gpu_absent"] = summary.gpu_absent;
  for (const monitor::GpuTotal& gpu : summary.gpus) json["gpus"].push_back(json_of(gpu));
  for (const monitor::TrainingTotal& training : summary.training) {
    json["training"].push_back(json_of(training));
  }
  return text_of(json);
}

std::string reading_json(const std::string& host, const telemetry::Sample& sample,
                         const std::vector<watch::ActiveFinding>& findings) {
  Json reading = Json::parse(telemetry::to_line(sample), nullptr, false);
  reading.erase("type");
  return text_of({{"schema_version", kSchemaVersion},
                  {"host", host},
                  {"time", date_and_time(sample.time_ns)},
                  {"reading", std::move(reading)},
                  {"findings", json_of(findings, sample.time_ns)}});
}

}  // namespace batchscope::monitor_report
