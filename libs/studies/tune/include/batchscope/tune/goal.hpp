#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/schema/search_settings.hpp"

namespace batchscope::tune {

using schema::LatencyStatistic;
using schema::Objective;
using schema::probability_of;

// What is looked for, and what it has to keep to.
struct Goal : schema::TuneSettings {
  std::optional<double> latency_budget_s{};     // of one batch
  std::optional<int64_t> memory_limit_bytes{};  // of all instances together

  int fresh_blocks() const { return verify_blocks.value_or(12); }
};

// Of a million samples, in the currency of the price. rate: samples a second, > 0.
double cost_of_a_million(double price_per_hour, double rate);

}  // namespace batchscope::tune
