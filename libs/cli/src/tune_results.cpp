#include "tune_results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/units.hpp"

namespace batchscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMsASecond = 1e3;

std::string duration(double seconds) {
  return base::format_duration(
      std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(seconds)));
}

std::string front_text(const char* title, const tune::Outcome& outcome,
                       const std::vector<tune::Standing>& front) {
  if (front.size() < 2) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const tune::Standing& point : front) {
    const std::string memory = point.memory_bytes ? base::format_bytes(*point.memory_bytes) : "";
    text += fmt::format("  {:>9.4g} samples/s  {:>9} a batch  {:>9}  {}{}\n", point.rate,
                        duration(point.latency_s), memory,
                        tune::setting_words(outcome.grid[point.point]),
                        point.point == outcome.pick ? "  <- recommended" : "");
  }
  return text;
}

std::string latency_text(const tune::LatencyCheck& check, const tune::Goal& goal) {
  std::string text =
      fmt::format("Latency: {} {}", to_string(check.vouched), duration(check.value_s));
  if (check.interval_s) {
    text += fmt::format(" (interval {} to {}, {} iterations)", duration(check.interval_s->low),
                        duration(check.interval_s->high), check.samples);
  }
  text += fmt::format(", budget {}: {}.", duration(*goal.latency_budget_s),
                      check.kept ? "kept" : "not shown to be kept");
  if (check.vouched == check.asked) return text + "\n";
  return text + fmt::format(" {} needs {} iterations and there are {}: these vouch for {} only.\n",
                            to_string(check.asked), check.needed, check.samples,
                            to_string(check.vouched));
}

std::string list(const std::vector<int64_t>& sizes) {
  return fmt::format("{}", fmt::join(sizes, ", "));
}

Json estimate_json(const schema::Estimate& estimate) {
  Json json{{"value", estimate.value}};
  if (estimate.ci) {
    json["ci_low"] = estimate.ci->low;
    json["ci_high"] = estimate.ci->high;
  }
  return json;
}

Json config_json(const schema::RunConfig& config) {
  Json json{
      {"engine", config.engine}, {"model", config.model}, {"batch_size", config.shape.batch_size}};
  if (config.shape.seq_len) json["seq_len"] = *config.shape.seq_len;
  json["precision"] = schema::to_string(config.precision);
  json["device"] = config.device;
  json["threads"] = config.threads;
  json["instances"] = config.instances;
  json["mode"] = schema::to_string(config.mode);
  if (config.checkpointing) json["checkpointing"] = true;
  return json;
}

Json point_json(const tune::Standing& point, const tune::Outcome& outcome) {
  Json json = config_json(outcome.grid[point.point]);
  json["throughput_per_s"] = point.rate;
  json["time_ms"] = point.time_s * kMsASecond;
  json["latency_ms"] = point.latency_s * kMsASecond;
  if (point.memory_bytes) json["memory_bytes"] = *point.memory_bytes;
  json["visits"] = point.visits;
  json["feasible"] = point.feasible;
  return json;
}

Json points_json(const std::vector<tune::Standing>& points, const tune::Outcome& outcome) {
  Json json = Json::array();
  for (const tune::Standing& point : points) json.push_back(point_json(point, outcome));
  return json;
}

Json latency_json(const tune::LatencyCheck& check) {
  Json json{{"asked", to_string(check.asked)},        {"vouched", to_string(check.vouched)},
            {"value_ms", check.value_s * kMsASecond}, {"samples", check.samples},
            {"samples_needed", check.needed},         {"kept", check.kept}};
  if (check.interval_s) {
    json["ci_low_ms"] = check.interval_s->low * kMsASecond;
    json["ci_high_ms"] = check.interval_s->high * kMsASecond;
  }
  return json;
}

Json recommendation_json(const TuneResult& result) {
  const tune::Outcome& outcome = result.tuned.outcome;
  if (!outcome.pick) return nullptr;
  Json json = point_json(*tune::standing_of(outcome, *outcome.pick), outcome);
  json["objective"] = to_string(outcome.goal.objective);
  if (outcome.goal.price_per_hour) {
    json["cost_per_million"] =
        tune::cost_of_a_million(*outcome.goal.price_per_hour, json["throughput_per_s"]);
  }
  json["verified"] = result.tuned.verified;
  json["withdrawn"] = result.tuned.withdrawn;
  json["points_measured"] = outcome.points_measured;
  json["points_total"] = outcome.points_total;
  json["good_sizes"] = result.tuned.good_sizes;
  json["message"] = outcome.message;
  json["verdict"] = result.tuned.verdict;
  if (result.tuned.latency) json["latency_check"] = latency_json(*result.tuned.latency);
  return json;
}

}  // namespace

std::string tune_text(const TuneResult& result) {
  const tune::Tuned& tuned = result.tuned;
  const tune::Outcome& outcome = tuned.outcome;
  std::string text = outcome.message + "\n";
  if (!tuned.verdict.empty()) text += tuned.verdict + "\n";
  if (tuned.latency) text += latency_text(*tuned.latency, outcome.goal);
  if (tuned.good_sizes.size() > 1) {
    text += fmt::format("Good sizes with these settings: {}.\n", list(tuned.good_sizes));
  }
  text += fmt::format("{} of {} points measured, in {} visits.\n", outcome.points_measured,
                      outcome.points_total, outcome.visits);
  if (result.share_of_best && result.best) {
    text += fmt::format("In the whole table without noise it has {:.1f} % of the best: {}.\n",
                        100 * *result.share_of_best, tune::setting_words(*result.best));
  }
  text += front_text("Throughput against latency: what nothing measured beats in both", outcome,
                     outcome.latency_front);
  return text + front_text("Throughput against memory: what nothing measured beats in both",
                           outcome, outcome.memory_front);
}

std::string tune_json(const TuneResult& result) {
  const tune::Outcome& outcome = result.tuned.outcome;
  Json contrasts = Json::array();
  for (const tune::FreshContrast& each : result.tuned.contrasts) {
    contrasts.push_back({{"what", each.what},
                         {"against", config_json(each.against)},
                         {"gain", estimate_json(each.gain)},
                         {"n", each.n}});
  }
  Json json{{"schema_version", 1},
            {"recommendation", recommendation_json(result)},
            {"feasible", outcome.feasible},
            {"message", outcome.message},
            {"contrasts", contrasts},
            {"fronts",
             {{"latency", points_json(outcome.latency_front, outcome)},
              {"memory", points_json(outcome.memory_front, outcome)}}},
            {"points", points_json(outcome.standings, outcome)},
            {"visits", outcome.visits},
            {"warnings", result.warnings}};
  if (result.share_of_best) json["share_of_best"] = *result.share_of_best;
  if (result.best) json["best"] = config_json(*result.best);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace batchscope::cli
