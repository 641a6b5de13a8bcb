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

Moments within(const Moments& all, int64_t start_ns, int64_t end_ns) {
  Moments kept;
  for (trace_simulator::IdlePiece each : all) {
    each.start_ns = std::max(each.start_ns, start_ns);
    each.end_ns = std::min(each.end_ns, end_ns);
    if (each.end_ns > each.start_ns) kept.push_back(each);
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

bool has_steps(const trace_simulator::Case& made) {
  constexpr size_t kThreadsOfALoop = 4;
  return made.style.writes_steps() && made.program.threads.size() <= kThreadsOfALoop;
}

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
    case Part::device:
      return Cause::device;
    default:
      return Cause::unknown;
  }
}

Score score_of(const trace_simulator::DeviceTruth& truth, const DeviceTime& found,
               const trace_simulator::Style& style) {
  Score score;
  const Moments moments = in_long_gaps(
      within(truth.moments, found.start_ns - style.begin_ns, found.end_ns - style.begin_ns),
      style.is_2021 ? 2000 : 0);
  for (const auto& each : moments) score.idle_ns += each.end_ns - each.start_ns;
  score.truth = truth.ns;
  for (const Piece& piece : found.pieces) {
    const int64_t start =
        std::max({piece.start_ns, found.start_ns, truth.start_ns + style.begin_ns});
    const int64_t end = std::min({piece.end_ns, found.end_ns, truth.end_ns + style.begin_ns});
    if (!is_idle(piece.part) || end <= start) continue;
    score.found[static_cast<size_t>(cause_of(piece.part))] += end - start;
  }
  const int64_t right = agreed(moments, found, style.begin_ns);
  score.right_ns = std::max<int64_t>(0, right - exchanged(score.truth, score.found));
  return score;
}

}  // namespace batchscope::attribution
