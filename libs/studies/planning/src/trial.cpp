#include "trial.hpp"

#include <algorithm>
#include <span>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/rng.hpp"
#include "busiest_part.hpp"
#include "plan_checks.hpp"

namespace batchscope::planning {
namespace {

constexpr double kMsPerSecond = 1e3;
// Above this share of the capacity a queue takes longer to settle than any series lasts.
constexpr double kMostTrialLoad = 0.99;
constexpr std::size_t kQuickShare = 4;
constexpr std::size_t kLeastQuick = 3000, kMostQuick = 40'000;
// Of each point of a curve; their seeds are those of no other series.
constexpr std::size_t kCurveRequests = 8000, kMostCurveRequests = 100'000;
constexpr double kCurveBursts = 60;
constexpr uint64_t kCurveSeries = 3, kFirstCurveSeries = 200;

std::vector<double> pooled(const std::vector<Simulation>& runs) {
  std::vector<double> all;
  for (const Simulation& run : runs) {
    all.insert(all.end(), run.latencies_s.begin(), run.latencies_s.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

// In ms, of all series together. A mean of their quantiles is too low for bursts: the longest,
// which make the tail, are in few of the series.
double pooled_ms(std::span<const double> ascending, double probability) {
  return kMsPerSecond * stats::sorted_quantile(ascending, probability);
}

std::optional<findings::Estimate> quantile_over(const std::vector<Simulation>& runs,
                                                std::span<const double> ascending,
                                                double probability, std::size_t counted,
                                                bool independent) {
  if (counted < stats::quantile_sample_size(probability)) return std::nullopt;
  findings::Estimate estimate{pooled_ms(ascending, probability), std::nullopt};
  if (!independent) return estimate;
  std::vector<double> values;
  for (const Simulation& run : runs) {
    values.push_back(kMsPerSecond * stats::quantile(run.latencies_s, probability));
  }
  if (const auto interval = stats::mean_interval(values, 0.95, stats::Method::student_t)) {
    const double half = (interval->high - interval->low) / 2;
    estimate.ci = stats::Interval{std::max(0.0, estimate.value - half), estimate.value + half};
  }
  return estimate;
}

template <class Get>
double mean_over(const std::vector<Simulation>& runs, const Get& get) {
  std::vector<double> values;
  for (const Simulation& run : runs) values.push_back(static_cast<double>(get(run)));
  return stats::mean(values);
}

}  // namespace

Trial::Trial(const MeasuredCosts& costs, const PlanRequest& request)
    : costs_(costs), request_(request) {
  if (!long_recording()) return;
  const auto& recorded = std::get<RecordedArrivals>(request_.arrivals.law);
  RecordedArrivals part = busiest_part(recorded, kLongRecording);
  busiest_rate_share_ = part.rate_per_s() / recorded.rate_per_s();
  busiest_ = {request_.arrivals.text, std::move(part)};
}

bool Trial::long_recording() const {
  const auto* recorded = std::get_if<RecordedArrivals>(&request_.arrivals.law);
  return recorded != nullptr && recorded->times_s.size() > kLongRecording;
}

std::size_t Trial::requests() const {
  return requests_of(request_);
}

std::size_t Trial::counted() const {
  return counted_of(request_);
}

std::size_t Trial::at_most(std::size_t wanted) const {
  if (long_recording()) return std::get<RecordedArrivals>(busiest_.law).times_s.size();
  if (std::holds_alternative<RecordedArrivals>(request_.arrivals.law)) return requests();
  return std::min(requests(), wanted);
}

double Trial::capacity_per_s(const serving::Policy& policy) const {
  const serving::PolicySettings values = policy.values();
  const auto [place, is_new] =
      capacities_.try_emplace({values.max_batch, values.max_tokens, values.sizes});
  if (!is_new) return place->second;
  std::vector<int64_t> lengths = request_.lengths;
  const auto* recorded = std::get_if<RecordedArrivals>(&request_.arrivals.law);
  if (recorded && !recorded->tokens.empty()) lengths = recorded->tokens;
  return place->second = saturation_per_s(costs_.table, policy, lengths, {.seed = request_.seed});
}

Simulation Trial::series(const serving::Policy& policy, int instances, double rate_per_s,
                         std::size_t requests, uint64_t index) const {
  return series_of(request_.arrivals, policy, instances, rate_per_s, requests, index);
}

Simulation Trial::series_of(const ArrivalProcess& process, const serving::Policy& policy,
                            int instances, double rate_per_s, std::size_t requests,
                            uint64_t index) const {
  const uint64_t seed = stats::mix_seed(request_.seed, index);
  const auto arrivals = draw_arrivals(process, rate_per_s, requests, request_.lengths, seed);
  return simulate(costs_.table, policy, arrivals, {.instances = instances, .seed = seed});
}

double Trial::quick_p99_s(const serving::Policy& policy, int instances) const {
  const std::size_t few = at_most(std::clamp(requests() / kQuickShare, kLeastQuick, kMostQuick));
  const Simulation run = long_recording()
                             ? series_of(busiest_, policy, instances,
                                         request_.rate_per_s * busiest_rate_share_, few, 100)
                             : series(policy, instances, request_.rate_per_s, few, 100);
  return stats::quantile(run.latencies_s, 0.99);
}

// Many instances hold many requests at once: a series has to outlast these by far.
std::size_t Trial::enough_for(const serving::Policy& policy, int instances) const {
  constexpr std::size_t kTimesAtOnce = 30, kMost = 1'000'000;
  const bool drawn = !std::holds_alternative<RecordedArrivals>(request_.arrivals.law);
  if (request_.requests || !drawn) return 0;
  const auto largest = static_cast<std::size_t>(largest_formed(costs_.table, policy.values()));
  return std::min(kMost, kTimesAtOnce * largest * static_cast<std::size_t>(instances));
}

PolicyPlan Trial::full(const serving::Policy& policy, int instances) const {
  PolicyPlan result;
  result.policy = policy.name();
  result.settings = policy.settings();
  result.values = policy.values();
  result.capacity_per_s = instances * capacity_per_s(policy);
  result.overloaded = request_.rate_per_s >= kMostTrialLoad * result.capacity_per_s;
  if (result.overloaded) return result;
  const std::size_t in_series = std::max(requests(), enough_for(policy, instances));
  std::vector<Simulation> runs;
  const int wanted = long_recording() ? 1 : std::max(1, request_.series);
  for (int index = 0; index < wanted; ++index) {
    runs.push_back(
        series(policy, instances, request_.rate_per_s, in_series, static_cast<uint64_t>(index)));
  }
  // Series of a recording are all the same recording: how they differ says nothing of other days.
  const bool independent = !std::holds_alternative<RecordedArrivals>(request_.arrivals.law);
  const std::vector<double> ascending = pooled(runs);
  result.p50_ms = quantile_over(runs, ascending, 0.5, counted(), independent);
  result.p90_ms = quantile_over(runs, ascending, 0.9, counted(), independent);
  result.p99_ms = quantile_over(runs, ascending, 0.99, counted(), independent);
  result.throughput_per_s = mean_over(runs, [](const auto& r) { return r.throughput_per_s; });
  result.utilisation = mean_over(runs, [](const auto& r) { return r.utilisation; });
  result.mean_batch = mean_over(runs, [](const auto& r) { return r.mean_batch; });
  result.padding = mean_over(runs, [](const auto& r) { return r.padding; });
  const double batches = mean_over(runs, [](const auto& r) { return r.batches; });
  result.interpolated = mean_over(runs, [](const auto& r) { return r.interpolated; }) / batches;
  result.smaller = mean_over(runs, [](const auto& r) { return r.smaller; }) / batches;
  result.beyond = mean_over(runs, [](const auto& r) { return r.beyond; }) / batches;
  result.meets =
      !request_.p99_s || (result.p99_ms && result.p99_ms->value <= kMsPerSecond * *request_.p99_s);
  return result;
}

LoadPoint Trial::at_load(const serving::Policy& policy, int instances, double rate_per_s) const {
  LoadPoint point{rate_per_s};
  if (rate_per_s >= kMostTrialLoad * instances * capacity_per_s(policy)) return point;
  const std::size_t few = at_most(
      requests_with_bursts(request_, rate_per_s, kCurveBursts, kCurveRequests, kMostCurveRequests));
  std::vector<Simulation> runs;
  const ArrivalProcess& process = long_recording() ? busiest_ : request_.arrivals;
  for (uint64_t index = 0; index < kCurveSeries; ++index) {
    runs.push_back(
        series_of(process, policy, instances, rate_per_s, few, kFirstCurveSeries + index));
  }
  const std::vector<double> ascending = pooled(runs);
  point.p50_ms = pooled_ms(ascending, 0.5);
  if (counted() >= stats::quantile_sample_size(0.99)) point.p99_ms = pooled_ms(ascending, 0.99);
  return point;
}

}  // namespace batchscope::planning
