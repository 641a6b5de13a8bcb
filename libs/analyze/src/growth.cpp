#include "growth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "wording.hpp"

namespace batchscope::analyze {
namespace {

bool fits_memory(const schema::Group& group, int64_t size) {
  return std::all_of(group.memory_laws.begin(), group.memory_laws.end(), [&](const auto& law) {
    return !law.largest_batch_size || size <= *law.largest_batch_size;
  });
}

// Whether a size of the table above the best failed or could not be measured.
bool failed_above(const schema::Group& group, int64_t size) {
  return std::any_of(
      group.set_aside.begin(), group.set_aside.end(),
      [&](const schema::LeftOut& each) { return each.config.shape.batch_size > size; });
}

double growth_at(const schema::Group& group) {
  const auto& rows = group.rows;
  return gain_per_doubling(rows[rows.size() - 2], rows.back());
}

}  // namespace

double gain_per_doubling(const schema::ConfigRow& from, const schema::ConfigRow& to) {
  const double doublings = std::log2(static_cast<double>(to.config.shape.batch_size) /
                                     static_cast<double>(from.config.shape.batch_size));
  return std::pow(to.throughput_per_s.value / from.throughput_per_s.value, 1 / doublings) - 1;
}

std::vector<int64_t> larger_sizes(const Choice& choice, const Pick& best) {
  constexpr int64_t kDoublings = 2;
  const schema::Group& group = choice.groups[best.group];
  const schema::ConfigRow& row = choice.row(best);
  const int64_t size = row.config.shape.batch_size;
  const bool largest = group.rows.size() > 1 && best.column + 1 == group.rows.size();
  if (!largest || failed_above(group, size) || growth_at(group) <= kSaturationGain) return {};
  std::vector<int64_t> sizes;
  double time_ms = latest_ms(row);
  for (int64_t next = 2 * size, k = 0; k < kDoublings; next *= 2, ++k) {
    time_ms *= 2 / (1 + growth_at(group));
    const bool late = choice.bounds.latency_ms && time_ms > *choice.bounds.latency_ms;
    if (late || next > schema::kLargestSize || !fits_memory(group, next)) break;
    sizes.push_back(next);
  }
  return sizes;
}

std::string growth_words(const Choice& choice, const schema::Recommendation& pick,
                         const Pick& best) {
  if (pick.larger_sizes.empty()) return "";
  const schema::Group& group = choice.groups[best.group];
  return fmt::format(
      " Throughput still grows at batch {}, the largest measured ({} a doubling): larger ones are "
      "worth measuring (-b {},{}).",
      group.rows.back().config.shape.batch_size, percent(growth_at(group)),
      group.rows.back().config.shape.batch_size, fmt::join(pick.larger_sizes, ","));
}

}  // namespace batchscope::analyze
