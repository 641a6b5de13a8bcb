#include <fmt/format.h>

#include "axis_lines.hpp"
#include "batchscope/base/characters.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/tune/outcome.hpp"
#include "export_texts.hpp"

namespace batchscope::tune {
std::string plain_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : base::clean(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string export_head(const Deployment& deployment) {
  const std::string model = base::clean(deployment.config.model);
  const char* const verified = deployment.verified ? ", verified in separate visits"
                               : deployment.fresh_visits == 0
                                   ? ", from the search alone, not verified"
                                   : ", not verified";
  std::string text =
      fmt::format("# batchscope tune: {}, {:.4g} samples/s, {} {:.4g} ms per {}{}\n", model,
                  deployment.rate, to_string(deployment.latency_of), deployment.latency_s * 1e3,
                  iteration_words(deployment.config), verified);
  const auto& budget = deployment.latency_budget_s;
  if (budget && 2 * deployment.latency_s > *budget) {
    text += fmt::format(
        "# the latency budget of {:.4g} ms is per batch; a request that waits for a running batch "
        "takes up to {:.4g} ms\n",
        *budget * 1e3, 2 * deployment.latency_s * 1e3);
  }
  if (const auto missing = schema::not_stated_in_words(deployment.config); !missing.empty()) {
    text += fmt::format("# {}\n", missing);
  }
  return text;
}

std::string yaml(const Deployment& deployment) {
  std::string text = export_head(deployment) + yaml_of(deployment.config);
  std::vector<int64_t> sizes;
  for (const GoodSize& each : deployment.good_sizes) sizes.push_back(each.size);
  text += fmt::format("good_sizes: [{}]\n", fmt::join(sizes, ", "));
  text += fmt::format(
      "throughput_per_s: {:.6g}\nlatency_ms: {:.6g}\nlatency_of: {}\nverified: {}\n"
      "fresh_visits: {}\n",
      deployment.rate, deployment.latency_s * 1e3, to_string(deployment.latency_of),
      deployment.verified, deployment.fresh_visits);
  return text;
}

std::string env(const Deployment& deployment) {
  return export_head(deployment) + env_of(deployment.config);
}

}  // namespace batchscope::tune
