#include "batchscope/capacity/memory_model.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/findings/floors.hpp"
#include "batchscope/stats/law.hpp"

namespace batchscope::capacity {
namespace {

constexpr double kFlat = 0.02;  // peaks that are as close as that are one
constexpr std::size_t kFewestOfFloor = 2, kFewestBeyond = 3;

using Peak = std::pair<const int64_t, int64_t>;

double line_through(const Peak& a, const Peak& b, int64_t size) {
  const double slope =
      static_cast<double>(b.second - a.second) / static_cast<double>(b.first - a.first);
  return static_cast<double>(a.second) + slope * static_cast<double>(size - a.first);
}

// As tables have it, but for the largest size: a search ends at the first that does not fit, often
// with a floor below it, from where a line to it would say nothing.
std::vector<int64_t> jumps_of(const std::map<int64_t, int64_t>& peaks) {
  std::vector<int64_t> jumps;
  if (peaks.size() < 3) return jumps;
  for (auto at = std::next(peaks.begin()); std::next(at) != peaks.end(); ++at) {
    const double expected = line_through(*std::prev(at), *std::next(at), at->first);
    if (static_cast<double>(at->second) > (1 + findings::kMemoryJump) * expected)
      jumps.push_back(at->first);
  }
  return jumps;
}

using Peaks = std::map<int64_t, int64_t>;

std::optional<stats::Law> line_of(const Peaks& peaks) {
  std::vector<double> sizes, bytes;
  for (const auto& [size, peak] : peaks) {
    sizes.push_back(static_cast<double>(size));
    bytes.push_back(static_cast<double>(peak));
  }
  return stats::fit_law(stats::LawKind::affine, sizes, bytes);
}

// The smallest sizes, whose peaks are one: of which the line of the others says clearly less.
Peaks floor_of(const Peaks& peaks) {
  const auto first = static_cast<double>(peaks.begin()->second);
  auto end = peaks.begin();
  while (end != peaks.end() && std::abs(static_cast<double>(end->second) / first - 1) <= kFlat)
    ++end;
  const Peaks floor(peaks.begin(), end), others(end, peaks.end());
  if (floor.size() < kFewestOfFloor || others.size() < kFewestBeyond) return {};
  const auto line = line_of(others);
  const auto last = static_cast<double>(floor.rbegin()->first);
  return line && line->evaluate(last) < (1 - kFlat) * first ? floor : Peaks{};
}

void put_departures(const stats::Law& law, const Peaks& peaks, MemoryModel& model) {
  double squares = 0;
  for (const auto& [size, peak] : peaks) {
    const double line = law.evaluate(static_cast<double>(size));
    const auto bytes = static_cast<double>(peak);
    squares += std::pow((line - bytes) / bytes, 2);
    const double departure = bytes / line - 1;
    const bool larger = std::abs(departure) > std::abs(model.largest_departure);
    if (!larger && model.worst_batch_size > 0) continue;
    model.largest_departure = departure;
    model.worst_batch_size = size;
  }
  model.rms_residual = std::sqrt(squares / static_cast<double>(peaks.size()));
}

}  // namespace

std::optional<MemoryModel> fit_memory(const std::map<int64_t, int64_t>& peaks) {
  if (peaks.empty()) return std::nullopt;
  MemoryModel model;
  const Peaks floor = floor_of(peaks);
  if (!floor.empty()) {
    model.floor_until = floor.rbegin()->first;
    model.floor_bytes = floor.rbegin()->second;
  }
  const Peaks beyond(peaks.upper_bound(model.floor_until), peaks.end());
  const auto law = line_of(beyond);
  if (!law) return std::nullopt;
  model.intercept_bytes = law->coefficients[0];
  model.slope_bytes = law->coefficients[1];
  put_departures(*law, beyond, model);
  model.jumps = jumps_of(beyond);
  return model;
}

std::optional<int64_t> largest_within(const std::map<int64_t, int64_t>& peaks,
                                      int64_t limit_bytes) {
  constexpr std::size_t kFewest = 3;
  if (peaks.size() < kFewest) return std::nullopt;
  const auto last = std::prev(peaks.end());
  auto before = last;
  while (before != peaks.begin() && before->first * 4 > last->first * 3) --before;
  if (before == last || last->second <= before->second) return std::nullopt;
  const double slope = static_cast<double>(last->second - before->second) /
                       static_cast<double>(last->first - before->first);
  const double more = static_cast<double>(limit_bytes - last->second) / slope;
  constexpr double kFarthest = 1e9;
  return last->first + static_cast<int64_t>(std::floor(std::clamp(more, -kFarthest, kFarthest)));
}

std::optional<double> expected_peak(const std::map<int64_t, int64_t>& peaks, int64_t batch_size) {
  const auto above = peaks.lower_bound(batch_size);
  if (above == peaks.end()) return std::nullopt;
  double below_bytes = 0;
  for (auto at = peaks.begin(); at != above; ++at) {
    below_bytes = std::max(below_bytes, static_cast<double>(at->second));
  }
  const double above_bytes = std::max(below_bytes, static_cast<double>(above->second));
  if (above->first == batch_size || above == peaks.begin()) return above_bytes;
  const auto below = std::prev(above);
  const double share = static_cast<double>(batch_size - below->first) /
                       static_cast<double>(above->first - below->first);
  return below_bytes + share * (above_bytes - below_bytes);
}

}  // namespace batchscope::capacity
