#include <nlohmann/json.hpp>

#include "batchscope/report/noise_scale.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

std::string noise_json(const study::NoiseReport& reported) {
  const study::MeasuredNoise& noise = reported.noise;
  using nlohmann::ordered_json;
  const auto optional = [](const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json();
  };
  ordered_json json{{"schema_version", schema::kSchemaVersion},
                    {"subject", reported.what},
                    {"made_up_samples", reported.made_up},
                    {"noise_scale",
                     {{"samples", is_known(noise) ? ordered_json(noise.scale.samples) : nullptr},
                      {"ci_low", optional(noise.scale.low)},
                      {"ci_high", optional(noise.scale.high)},
                      {"level", reported.level},
                      {"drift", optional(noise.scale.drift)},
                      {"squared_gradient", noise.scale.squared_gradient},
                      {"variance", noise.scale.variance}}},
                    {"steps", noise.scale.steps},
                    {"batch_size", noise.small},
                    {"effective_batch", noise.large},
                    {"first_loss", noise.first_loss},
                    {"last_loss", noise.last_loss},
                    {"batches", ordered_json::array()}};
  for (const study::NoiseRow& row : reported.rows) {
    ordered_json item{{"effective_batch", row.samples},
                      {"steps_factor", row.steps},
                      {"samples_factor", row.cost}};
    if (row.step_ms > 0) {
      item["batch"] = row.words;
      item["step_ms"] = row.step_ms;
      item["time_factor"] = row.time;
    }
    json["batches"].push_back(std::move(item));
  }
  return schema::dump(json) + "\n";
}

}  // namespace batchscope::report
