#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "batchscope/planning/simulate.hpp"
#include "batchscope/serving/batcher.hpp"

namespace batchscope {
namespace {

using SteadyTime = std::chrono::steady_clock;

constexpr double kStep = 1.03;
// A rate that no model reaches ends every search.
constexpr double kMostRate = 1e6;
// Measured rates below this share of the simulated one mean that the model does not run as timed.
constexpr double kLeastShare = 0.5;

double grid(int step) {
  return std::pow(kStep, step);
}

int step_of(double rate) {
  return static_cast<int>(std::lround(std::log(rate) / std::log(kStep)));
}

double seconds_since(SteadyTime::time_point start) {
  return std::chrono::duration<double>(SteadyTime::now() - start).count();
}

}  // namespace

Contest::Contest(ServedModel& model, const serving::CostTable& table,
                 std::vector<planning::Arrival> recording, double bound_s)
    : model_(model),
      table_(table),
      recording_(std::move(recording)),
      bound_s_(bound_s),
      may_be_late_(recording_.size() / 100) {}

double Contest::simulated_highest(const Contender& contender) const {
  const int most = step_of(kMostRate);
  int step = 0;
  while (step < most && late(simulated(contender, grid(step + 1))) <= may_be_late_) ++step;
  return grid(step);
}

// From the simulated rate on: up while the bound is kept, else down until it is.
base::Result<double> Contest::measured_highest(const Contender& contender) const {
  const auto keeps = [&](int step) {
    return replay(contender, grid(step), may_be_late_).has_value();
  };
  const double simulated = simulated_highest(contender);
  const int least = step_of(kLeastShare * simulated), most = step_of(kMostRate);
  int step = step_of(simulated);
  if (keeps(step)) {
    while (step < most && keeps(step + 1)) ++step;
    return grid(step);
  }
  while (--step >= least) {
    if (keeps(step)) return grid(step);
  }
  return base::Error{
      base::ErrorKind::failed,
      fmt::format("the bound is not kept at {:.3g} requests a second either, {:g} of "
                  "the simulated rate{}",
                  grid(least), kLeastShare,
                  failure_.empty() ? "" : "; the model says: " + failure_),
      std::string(contender.policy->name()), "name a later P99_MS, or mend the model"};
}

double Contest::mean_length() const {
  double total = 0;
  for (const planning::Arrival& each : recording_) total += static_cast<double>(each.tokens);
  return total / static_cast<double>(recording_.size());
}

double Contest::capacity(const Contender& contender) const {
  std::vector<int64_t> lengths;
  for (const planning::Arrival& arrival : recording_) lengths.push_back(arrival.tokens);
  return planning::saturation_per_s(table_, *contender.policy, lengths,
                                    {.pad_to = contender.pad_to});
}

std::vector<double> Contest::simulated(const Contender& contender, double rate) const {
  return simulate(table_, *contender.policy, at_rate(rate),
                  {.pad_to = contender.pad_to, .warmup = 0})
      .latencies_s;
}

Replay Contest::measured(const Contender& contender, double rate) const {
  return *replay(contender, rate, recording_.size());
}

// Latencies count from when each request was due, so that a late sender hides nothing. Absent: more
// than `most_late` were later than the bound, and the rest was not sent any more.
std::optional<Replay> Contest::replay(const Contender& contender, double rate,
                                      std::size_t most_late) const {
  const std::vector<planning::Arrival> arrivals = at_rate(rate);
  Replay replay;
  replay.latencies_s.assign(arrivals.size(), std::numeric_limits<double>::infinity());
  std::atomic<std::size_t> late_so_far = 0;
  serving::Batcher<int64_t, int> batcher(
      [&](std::span<const int64_t> tokens, int) -> base::Result<std::vector<int>> {
        if (auto done = run(tokens, contender.pad_to, replay); !done) {
          failure_ = base::to_string(done.error());
          return done.error();
        }
        return std::vector<int>(tokens.size());
      },
      {.policy = contender.policy, .capacity = arrivals.size()});
  const auto start = SteadyTime::now();
  for (std::size_t i = 0; i < arrivals.size() && late_so_far <= most_late; ++i) {
    const double due = arrivals[i].time_s;
    std::this_thread::sleep_until(start + std::chrono::duration<double>(due));
    batcher.submit(arrivals[i].tokens,
                   [&, due, i](const serving::ResponseFuture<int>& answer) {
                     double& latency = replay.latencies_s[i];
                     if (answer) latency = seconds_since(start) - due;
                     if (latency > bound_s_) ++late_so_far;
                   },
                   {.tokens = arrivals[i].tokens});
  }
  batcher.shut_down(late_so_far <= most_late ? serving::Pending::run : serving::Pending::refuse);
  if (late_so_far > most_late) return std::nullopt;
  return replay;
}

base::Result<void> Contest::run(std::span<const int64_t> tokens, std::optional<int64_t> pad_to,
                                Replay& replay) const {
  const auto size = static_cast<int64_t>(tokens.size());
  const int64_t longest = pad_to.value_or(*std::max_element(tokens.begin(), tokens.end()));
  const auto start = SteadyTime::now();
  auto done = model_.run(size, longest);
  replay.batches_s += seconds_since(start);
  replay.timed_s += table_.mean_s(size, longest);
  return done;
}

std::size_t Contest::late(const std::vector<double>& latencies_s) const {
  return static_cast<std::size_t>(std::count_if(latencies_s.begin(), latencies_s.end(),
                                                [&](double taken) { return taken > bound_s_; }));
}

std::vector<planning::Arrival> Contest::at_rate(double rate) const {
  std::vector<planning::Arrival> arrivals = recording_;
  for (planning::Arrival& arrival : arrivals) arrival.time_s /= rate;
  return arrivals;
}

}  // namespace batchscope
