#include "plan_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/planning/simulate.hpp"
#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"
#include "plan_words.hpp"

namespace batchscope::planning {
namespace {

using base::Error;
using base::ErrorKind;

// Simulated time is counted in nanoseconds of 64 bits, which last for 292 years.
constexpr double kLongestSeries = 1e9;
// Shorter bursts are as good as none, and each takes a step of the simulation.
constexpr double kMostBurstsARequest = 100;

// Of a series, where nobody says how many. The tail of the latency is that of the longest bursts,
// of which a series has to see some; the most keep a plan within seconds.
constexpr std::size_t kRequests = 20'000, kMostRequests = 400'000;
constexpr double kBursts = 200;

double series_seconds(const PlanRequest& request) {
  return static_cast<double>(requests_of(request)) / request.rate_per_s;
}

base::Result<void> check_span(const PlanRequest& request) {
  const double seconds = series_seconds(request);
  if (seconds <= kLongestSeries) return {};
  return Error{
      ErrorKind::input,
      fmt::format("{} requests at {:.3g} per second last {:.3g} years, but the limit is {:.0f}",
                  requests_of(request), request.rate_per_s, seconds / 31'557'600,
                  kLongestSeries / 31'557'600),
      "--rate", "plan for a higher rate"};
}

base::Result<void> check_bursts(const PlanRequest& request) {
  const auto bursts = bursts_of(request);
  if (!bursts || *bursts <= kMostBurstsARequest * static_cast<double>(requests_of(request))) {
    return {};
  }
  return Error{ErrorKind::input,
               fmt::format("{:.3g} bursts fall between two requests, so bursts have no effect",
                           *bursts / static_cast<double>(requests_of(request))),
               "--arrivals", "use longer bursts, or --arrivals poisson"};
}

// The p99 of series that are too short is nobody's p99.
base::Result<void> check_recording(const PlanRequest& request) {
  const std::size_t needed = stats::quantile_sample_size(0.99);
  if (!request.p99_s || counted_of(request) >= needed) return {};
  return Error{ErrorKind::input,
               fmt::format("{} requests are too few for a p99: it needs {} after the first tenth, "
                           "which fills the system",
                           requests_of(request), needed),
               "--arrivals", "record more requests, or omit --p99"};
}

base::Result<void> check_lengths(const MeasuredCosts& costs, const PlanRequest& request) {
  const auto* recorded = std::get_if<RecordedArrivals>(&request.arrivals.law);
  const bool given = !request.lengths.empty() || (recorded && !recorded->tokens.empty());
  if (costs.table.lengths().size() < 2 || given) return {};
  return Error{ErrorKind::input, "is required: the run has several lengths", "--lengths",
               "give the lengths of requests, such as --lengths '16-128:lognormal(48,0.6)'"};
}

base::Result<void> check_sizes(const MeasuredCosts& costs, const PlanRequest& request) {
  const int64_t measured = costs.table.batch_sizes().back();
  const int64_t largest = std::min(request.max_batch.value_or(measured), measured);
  if (largest <= kLargestPlannedBatch) return {};
  return Error{ErrorKind::input,
               fmt::format("batches of up to {} are too large: the limit is {}", largest,
                           kLargestPlannedBatch),
               "--max-batch-size", fmt::format("use --max-batch-size {}", kLargestPlannedBatch)};
}

// With any number of instances a request still takes as long as it takes alone.
base::Result<void> check_floor(const MeasuredCosts& costs, const PlanRequest& request) {
  if (!request.p99_s) return {};
  const double floor = alone_p99_s(costs, request);
  if (floor <= *request.p99_s) return {};
  return Error{
      ErrorKind::failed,
      fmt::format("a p99 of {} is impossible with any number of instances: batch 1 without a queue "
                  "takes {} at p99, {}",
                  base::format_seconds(*request.p99_s), base::format_seconds(floor),
                  how_much_more(floor, *request.p99_s)),
      "--p99",
      fmt::format("allow at least {}, or make the model faster", base::format_seconds(floor))};
}

}  // namespace

std::size_t requests_of(const PlanRequest& request) {
  const auto* recorded = std::get_if<RecordedArrivals>(&request.arrivals.law);
  if (recorded) return recorded->times_s.size();
  return request.requests.value_or(
      requests_with_bursts(request, request.rate_per_s, kBursts, kRequests, kMostRequests));
}

std::size_t requests_with_bursts(const PlanRequest& request, double rate_per_s, double bursts,
                                 std::size_t fewest, std::size_t most) {
  const auto* law = std::get_if<BurstyArrivals>(&request.arrivals.law);
  if (!law) return fewest;
  const double wanted = std::ceil(bursts * rate_per_s * law->burst_s / law->share);
  return static_cast<std::size_t>(
      std::clamp(wanted, static_cast<double>(fewest), static_cast<double>(most)));
}

std::size_t counted_of(const PlanRequest& request) {
  const double kept = (1 - SimulationOptions{}.warmup) * static_cast<double>(requests_of(request));
  return static_cast<std::size_t>(kept);
}

double alone_p99_s(const MeasuredCosts& costs, const PlanRequest& request) {
  // Of many lengths each gets few draws: at random, so that together they see all of the times.
  constexpr std::size_t kDraws = 50'000;
  const std::vector<int64_t> lengths = lengths_seen(request);
  const std::size_t draws = std::max<std::size_t>(1, kDraws / lengths.size());
  stats::Rng rng(request.seed);
  std::vector<double> times;
  for (const int64_t length : lengths) {
    for (std::size_t i = 0; i < draws; ++i) {
      const double u = (static_cast<double>(i) + rng.uniform()) / static_cast<double>(draws);
      times.push_back(costs.table.sample_s(1, length, u));
    }
  }
  return stats::quantile(times, 0.99);
}

std::optional<double> bursts_of(const PlanRequest& request) {
  const auto* law = std::get_if<BurstyArrivals>(&request.arrivals.law);
  if (!law) return std::nullopt;
  return series_seconds(request) * law->share / law->burst_s;
}

base::Result<void> check_request(const MeasuredCosts& costs, const PlanRequest& request) {
  if (auto checked = check_sizes(costs, request); !checked) return checked;
  if (auto checked = check_span(request); !checked) return checked;
  if (auto checked = check_bursts(request); !checked) return checked;
  if (auto checked = check_recording(request); !checked) return checked;
  if (auto checked = check_lengths(costs, request); !checked) return checked;
  return check_floor(costs, request);
}

}  // namespace batchscope::planning
