#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// What a line chart shows: an estimate at each size.
struct ChartSubject {
  std::string name;  // of the picture's file, and of the chart on the page
  std::string title;
  std::string short_title;  // where it stands among the others
  std::string y_title;
  std::string unit;
  findings::Quantity quantity = findings::Quantity::amount;
  std::function<std::optional<findings::Estimate>(const findings::ConfigRow&)> value;
  // What linear scaling from the base would give; nothing where that is not known.
  std::function<std::optional<double>(const findings::ConfigRow&, const findings::Group&)> linear;
  // What an iteration of so many ms comes to at a batch size, measured or not; nothing where that
  // is not known.
  std::function<std::optional<double>(double ms, double size, const findings::Group&)> of_time;
  // What it shows of this run; empty where that is nothing of its own.
  std::string (*headline)(const findings::Summary&) = nullptr;
};

// The headline, else the title.
std::string title_of(const ChartSubject& subject, const findings::Summary& summary);

// forward_time_per_sample, throughput, forward_pass_efficiency, relative_slowdown,
// forward_pass_time: what a reader wants first comes first.
std::vector<ChartSubject> chart_subjects();

}  // namespace batchscope::charts
