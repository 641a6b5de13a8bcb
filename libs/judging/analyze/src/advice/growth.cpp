#include "growth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/throughput.hpp"

namespace batchscope::analyze {
namespace {

using findings::percent;
using tables::gain_per_doubling;
using tables::GroupData;
using tables::kSaturationGain;
using tables::per_sample_contrast;

bool fits_memory(const findings::Group& group, int64_t size) {
  return std::all_of(group.memory_laws.begin(), group.memory_laws.end(), [&](const auto& law) {
    return !law.largest_batch_size || size <= *law.largest_batch_size;
  });
}

// Whether a size of the table above the best failed or could not be measured.
bool failed_above(const findings::Group& group, int64_t size) {
  return std::any_of(
      group.set_aside.begin(), group.set_aside.end(),
      [&](const findings::Exclusion& each) { return each.config.shape.batch_size > size; });
}

// The largest size at most half as large as the largest, since what neighbours gain is little
// beside their scatter; without one the smallest.
std::size_t octave_below(const findings::Group& group) {
  const auto size = [&](std::size_t s) { return group.rows[s].config.shape.batch_size; };
  std::size_t below = 0;
  for (std::size_t s = 0; s + 1 < group.rows.size(); ++s) {
    if (2 * size(s) <= size(group.rows.size() - 1)) below = s;
  }
  return below;
}

// From the size before too, or an odd size an octave below would pass for growth.
double growth_at(const findings::Group& group) {
  const auto from = [&](std::size_t s) {
    return gain_per_doubling(group.rows[s], group.rows.back());
  };
  return std::min(from(octave_below(group)), from(group.rows.size() - 2));
}

// A figure of fewer says more of the visits than of the sizes.
constexpr int kFewestForFigure = 3;

int visits_behind_growth(const findings::Group& group) {
  const auto& below = group.rows[octave_below(group)];
  const auto& before = group.rows[group.rows.size() - 2];
  return std::min({below.n, before.n, group.rows.back().n});
}

// More than the growth that is worth the wait, and no accident of the visits; single numbers are
// taken as they are.
bool still_grows(const GroupData& data, const findings::Group& group, const Options& options) {
  if (growth_at(group) <= kSaturationGain) return false;
  const std::vector<double> logs =
      per_sample_contrast(data.work, octave_below(group), group.rows.size() - 1);
  const auto grown = stats::estimate_mean(logs, stats::Method::student_t);
  return !grown || stats::upper_bound(*grown, options.level) < 0;
}

}  // namespace

std::vector<int64_t> larger_sizes(const Choice& choice, const Pick& best) {
  constexpr int64_t kDoublings = 2;
  const findings::Group& group = choice.groups[best.group];
  const findings::ConfigRow& row = choice.row(best);
  const int64_t size = row.config.shape.batch_size;
  const bool largest = group.rows.size() > 1 && best.column + 1 == group.rows.size();
  if (!largest || failed_above(group, size)) return {};
  if (!still_grows(choice.view.groups[best.group], group, choice.options)) return {};
  std::vector<int64_t> sizes;
  double time_ms = latest_ms(row, choice.bounds);
  for (int64_t next = 2 * size, k = 0; k < kDoublings; next *= 2, ++k) {
    time_ms *= 2 / (1 + growth_at(group));
    const bool late = choice.bounds.latency_ms && time_ms > *choice.bounds.latency_ms;
    if (late || next > schema::kLargestSize || !fits_memory(group, next)) break;
    sizes.push_back(next);
  }
  return sizes;
}

std::string growth_words(const Choice& choice, const findings::Recommendation& pick,
                         const Pick& best) {
  if (pick.larger_sizes.empty()) return "";
  const findings::Group& group = choice.groups[best.group];
  const std::string figure = visits_behind_growth(group) < kFewestForFigure
                                 ? ""
                                 : fmt::format(" ({} per doubling)", percent(growth_at(group)));
  return fmt::format(
      " {}hroughput still grows at batch {}, the largest measured{}: measure larger ones, such as "
      "{}.",
      group.rows.back().n > 1 ? "T" : "Judging by single numbers, t",
      group.rows.back().config.shape.batch_size, figure, findings::list(pick.larger_sizes));
}

}  // namespace batchscope::analyze
