#include "scores.hpp"

#include <algorithm>
#include <cstdlib>

namespace batchscope::attribution {
namespace {

using trace_simulator::Cause;
using trace_simulator::CauseTimes;

Cause merged(Cause cause) {
  return cause == Cause::synchronisation ? Cause::launching : cause;
}

using Moments = std::vector<trace_simulator::IdlePiece>;

// Those of gaps that are at least so long.
Moments in_long_gaps(const Moments& all, int64_t least_ns) {
  Moments kept;
  for (size_t i = 0; i < all.size();) {
    size_t last = i;
    while (last + 1 < all.size() && all[last + 1].start_ns == all[last].end_ns) ++last;
    const bool is_long = all[last].end_ns - all[i].start_ns >= least_ns;
    for (; i <= last; ++i) {
      if (is_long) kept.push_back(all[i]);
    }
  }
  return kept;
}

int64_t agreed(const Moments& moments, const DeviceTime& found, int64_t begin_ns) {
  int64_t right = 0;
  auto piece = found.pieces.begin();
  for (const auto& moment : moments) {
    const int64_t start = moment.start_ns + begin_ns;
    const int64_t end = moment.end_ns + begin_ns;
    while (piece != found.pieces.end() && piece->end_ns <= start) ++piece;
    for (auto each = piece; each != found.pieces.end() && each->start_ns < end; ++each) {
      if (!is_idle(each->part) || merged(cause_of(each->part)) != merged(moment.cause)) continue;
      right += std::min(end, each->end_ns) - std::max(start, each->start_ns);
    }
  }
  return right;
}

int64_t exchanged(const CauseTimes& truth, const CauseTimes& found) {
  const auto by = [&](Cause cause) {
    return found[static_cast<size_t>(cause)] - truth[static_cast<size_t>(cause)];
  };
  const int64_t waits = by(Cause::synchronisation);
  const int64_t launches = by(Cause::launching);
  if ((waits > 0) == (launches > 0)) return 0;
  return std::min(std::abs(waits), std::abs(launches));
}

}  // namespace

double Score::share() const {
  return idle_ns > 0 ? static_cast<double>(right_ns) / static_cast<double>(idle_ns) : 1;
}

Score& Score::operator+=(const Score& other) {
  idle_ns += other.idle_ns;
  right_ns += other.right_ns;
  for (size_t i = 0; i < truth.size(); ++i) {
    truth[i] += other.truth[i];
    found[i] += other.found[i];
  }
  return *this;
}

Cause cause_of(Part idle) {
  switch (idle) {
    case Part::data_loading:
      return Cause::loading;
    case Part::synchronisation:
      return Cause::synchronisation;
    case Part::launch:
      return Cause::launching;
    case Part::host:
      return Cause::host_work;
    default:
      return Cause::unknown;
  }
}

Score score_of(const trace_simulator::DeviceTruth& truth, const DeviceTime& found,
               const trace_simulator::Style& style) {
  Score score;
  const Moments moments = in_long_gaps(truth.moments, style.is_2021 ? 2000 : 0);
  for (const auto& each : moments) score.idle_ns += each.end_ns - each.start_ns;
  score.truth = truth.ns;
  for (const Part part :
       {Part::data_loading, Part::synchronisation, Part::launch, Part::host, Part::unknown}) {
    score.found[static_cast<size_t>(cause_of(part))] = found.parts[part];
  }
  const int64_t right = agreed(moments, found, style.begin_ns);
  score.right_ns = std::max<int64_t>(0, right - exchanged(score.truth, score.found));
  return score;
}

}  // namespace batchscope::attribution
