#pragma once

#include <optional>
#include <string>
#include <vector>

#include "series/series.hpp"

namespace batchscope::monitor_report {

// A level that is not to be crossed, or cannot be.
struct Limit {
  double value = 0;
  std::string text;
};

// Lines over time that share an axis.
struct Chart {
  std::string id;     // of its element, and of nothing else
  std::string title;  // "GPU busy"
  std::string unit;   // "%"; empty: none
  std::string note;   // what it is, and is not
  bool from_zero = true;
  bool by_step = false;  // its readings are steps
  std::optional<Limit> limit;
  std::vector<Series> lines;
};

}  // namespace batchscope::monitor_report
