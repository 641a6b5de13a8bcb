#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/telemetry/metrics.hpp"

namespace batchscope::exporter {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

// All series of one name.
struct Family {
  std::string name;
  telemetry::MetricKind kind = telemetry::MetricKind::gauge;
  std::string help;
  std::vector<std::pair<Labels, double>> series;

  // Nothing where there is no value.
  void add(Labels labels, std::optional<double> value);
};

// Families without series are left out.
std::string to_text(const std::vector<Family>& families);

}  // namespace batchscope::exporter
