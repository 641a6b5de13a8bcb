#include "departure_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/wording.hpp"

namespace batchscope::tables {

using findings::percent;

std::string slower_or_faster(double ratio, bool several) {
  return (several ? "take " : "takes ") + findings::change_of_time(1 + ratio);
}

std::string positive_words(const findings::Group& group, int64_t batch_size, double ratio) {
  if (ratio >= 0 || group.rows.empty()) return "";
  const auto rate = [](const findings::ConfigRow& row) { return row.throughput_per_s.value; };
  const auto best =
      std::max_element(group.rows.begin(), group.rows.end(),
                       [&](const auto& a, const auto& b) { return rate(a) < rate(b); });
  const auto own = std::find_if(group.rows.begin(), group.rows.end(), [&](const auto& row) {
    return row.config.shape.batch_size == batch_size;
  });
  if (own == group.rows.end()) return "";
  if (own == best) return ": better, with the highest throughput";
  return fmt::format(": better, but {} below the throughput of batch {}",
                     percent(1 - rate(*own) / rate(*best)), best->config.shape.batch_size);
}

std::string departure_fix(int64_t batch_size, double ratio, bool proven) {
  if (ratio <= 0) return "";
  // Nobody has to avoid what may be as good as the others.
  if (!proven) {
    return fmt::format("Measure batch {} again with more blocks, or with the sizes in between.",
                       batch_size);
  }
  return fmt::format(
      "Avoid batch {} until you know the cause: compare its page faults, memory and phases with "
      "its neighbours'.",
      batch_size);
}

}  // namespace batchscope::tables
