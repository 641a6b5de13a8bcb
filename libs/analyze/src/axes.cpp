#include "axes.hpp"

#include <fmt/format.h>

#include <array>

namespace batchscope::analyze {
namespace {

std::string mode_text(const schema::RunConfig& config) {
  const std::string mode(schema::to_string(config.mode));
  return config.optimizer.empty() ? mode : mode + " with " + config.optimizer;
}

std::string environment_text(const schema::RunConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.environment) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text.empty() ? "unchanged" : text;
}

using Axes = std::array<AxisDifference, 9>;

Axes all_axes(const schema::RunConfig& a, const schema::RunConfig& b) {
  const auto length = [](const schema::RunConfig& config) {
    return config.shape.seq_len ? fmt::format("{}", *config.shape.seq_len) : std::string("none");
  };
  const auto number = [](int value) { return fmt::format("{}", value); };
  return {{{"model", a.model, b.model},
           {"engine", a.engine, b.engine},
           {"seq_len", length(a), length(b)},
           {"precision", std::string(schema::to_string(a.precision)),
            std::string(schema::to_string(b.precision))},
           {"device", a.device, b.device},
           {"threads", number(a.threads), number(b.threads)},
           {"instances", number(a.instances), number(b.instances)},
           {"mode", mode_text(a), mode_text(b)},
           {"environment", environment_text(a), environment_text(b)}}};
}

}  // namespace

std::optional<AxisDifference> single_difference(const schema::RunConfig& a,
                                                const schema::RunConfig& b) {
  std::optional<AxisDifference> found;
  for (const AxisDifference& axis : all_axes(a, b)) {
    if (axis.a == axis.b) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

}  // namespace batchscope::analyze
