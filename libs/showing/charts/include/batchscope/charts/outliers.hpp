#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// A batch size that is proven not to take the time that others suggest.
struct OutlierSize {
  int64_t size = 0;
  findings::Estimate excess;  // 0.26: takes 26 % longer; below 0: less
  std::string than;           // "than the other sizes suggest"

  bool is_slow() const { return excess.value > 0; }
};

// At most one a size, the largest excess of those that the findings name; by size.
std::vector<OutlierSize> outliers(const findings::Summary& summary, const findings::Group& group);
const OutlierSize* outlier_at(const std::vector<OutlierSize>& all, int64_t size);

// "+26 %": as many digits as the interval allows.
std::string signed_percent(const findings::Estimate& ratio);
// "26 %", "3.4 %": the same without a sign.
std::string digits_percent(const findings::Estimate& ratio);
// What stands beside its point: "+26 %, proven".
std::string mark_words(const OutlierSize& outlier);

// Whether the run tells which setting is to be used: nothing is marked as best where it does not.
bool names_a_setting(const findings::Summary& summary);
// Whether that is the row.
bool is_answer(const findings::Summary& summary, const findings::ConfigRow& row);

}  // namespace batchscope::charts
