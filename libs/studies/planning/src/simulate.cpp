#include "batchscope/planning/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "batchscope/serving/waiting_line.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::planning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

base::Nanoseconds to_time(double seconds) {
  return base::Nanoseconds(std::llround(seconds * 1e9));
}
double to_seconds(base::Nanoseconds time) {
  return time == base::Nanoseconds::max() ? kNever : static_cast<double>(time.count()) / 1e9;
}

class Run {
 public:
  Run(const serving::CostTable& table, const serving::Policy& policy,
      std::span<const Arrival> arrivals, const SimulationOptions& options)
      : table_(table),
        policy_(policy),
        arrivals_(arrivals),
        options_(options),
        rng_(stats::mix_seed(options.seed, 3)),
        skipped_(static_cast<std::size_t>(options.warmup * static_cast<double>(arrivals.size()))) {
    result_.latencies_s.reserve(arrivals.size());
    if (skipped_ >= arrivals.size()) return;
    window_begin_ = arrivals[skipped_].time_s;
    window_end_ = arrivals.back().time_s;
  }

  Simulation finish() {
    while (next_ < arrivals_.size() || !line_.empty()) {
      admit();
      serve();
      advance();
    }
    fill_totals();
    return std::move(result_);
  }

 private:
  void admit() {
    for (; next_ < arrivals_.size() && arrivals_[next_].time_s <= now_; ++next_) {
      line_.push({to_time(arrivals_[next_].time_s), arrivals_[next_].tokens}, next_);
    }
    while (!busy_.empty() && busy_.top() <= now_) busy_.pop();
  }

  // Every free instance asks; the answer to wait holds until its time or length has come.
  void serve() {
    while (free() && !line_.empty()) {
      if (line_.size() < wake_at_ && now_ < look_at_ && !waits_in_vain()) return;
      serving::Decision decision = policy_.decide(line_.waiting(), to_time(now_), {});
      if (decision.members.empty()) {
        wake_at_ = decision.wake_at;
        // Always ahead: late in a long series a nanosecond is less than a step of `double`.
        look_at_ =
            std::max({to_seconds(decision.until), now_ + 1e-9, std::nextafter(now_, kNever)});
        if (!waits_in_vain()) return;
        decision = policy_.decide(line_.waiting(), serving::kNoMoreWaiting, {});
        if (decision.members.empty()) decision.members = {0};
      }
      wake_at_ = 0;
      look_at_ = kNever;
      start(decision.members);
    }
  }

  void start(std::span<const std::size_t> members) {
    int64_t longest = 1, real = 0;
    for (const std::size_t place : members) {
      longest = std::max(longest, line_.waiting()[place].tokens);
      real += line_.waiting()[place].tokens;
    }
    if (options_.pad_to) longest = std::max(longest, *options_.pad_to);
    const auto size = static_cast<int64_t>(members.size());
    const double took = table_.sample_s(size, longest, rng_.uniform());
    const double end = now_ + took;
    busy_.push(end);
    busy_s_ += took;
    busy_in_window_s_ += std::max(0.0, std::min(end, window_end_) - std::max(now_, window_begin_));
    last_end_ = std::max(last_end_, end);
    real_tokens_ += static_cast<double>(real);
    padded_tokens_ += static_cast<double>(size * longest);
    count(size, longest);
    std::size_t counted = 0;
    for (const std::size_t request : line_.take(members)) {
      if (request < skipped_) continue;
      result_.latencies_s.push_back(end - arrivals_[request].time_s);
      ++counted;
    }
    if (counted == 0 || end >= first_counted_end_) return;
    first_counted_end_ = end;
    counted_in_first_ = counted;
  }

  void count(int64_t size, int64_t longest) {
    ++result_.batches;
    requests_ += static_cast<double>(size);
    const serving::Match match = table_.match(size, longest);
    if (match == serving::Match::interpolated) ++result_.interpolated;
    if (match == serving::Match::smaller) ++result_.smaller;
    if (match == serving::Match::beyond) ++result_.beyond;
  }

  // To the next arrival, end of a batch, or time that the policy waits for.
  void advance() {
    double next = kNever;
    if (next_ < arrivals_.size()) next = arrivals_[next_].time_s;
    if (!line_.empty()) {
      next = std::min(next, free() ? look_at_ : busy_.top());
    }
    if (next < kNever) now_ = std::max(now_, next);
  }

  // For a longer queue, when nobody comes any more.
  bool waits_in_vain() const { return next_ == arrivals_.size() && look_at_ == kNever; }

  bool free() const { return busy_.size() < static_cast<std::size_t>(options_.instances); }

  // Neither the wait for the first batch nor the rest after the last arrival is in the rates, which
  // in a series hardly longer than a batch would be most of it.
  void fill_totals() {
    const double span = last_end_ - (arrivals_.empty() ? 0 : arrivals_.front().time_s);
    if (result_.batches == 0 || span <= 0) return;
    const double window = window_end_ - window_begin_;
    const double busy = window > 0 ? busy_in_window_s_ / window : busy_s_ / span;
    result_.utilisation = busy / options_.instances;
    result_.mean_batch = requests_ / static_cast<double>(result_.batches);
    result_.padding = 1 - real_tokens_ / padded_tokens_;
    const double between_ends = last_end_ - first_counted_end_;
    const std::size_t counted = result_.latencies_s.size();
    result_.throughput_per_s = between_ends > 0
                                   ? static_cast<double>(counted - counted_in_first_) / between_ends
                                   : static_cast<double>(counted) / span;
  }

  const serving::CostTable& table_;
  const serving::Policy& policy_;
  std::span<const Arrival> arrivals_;
  const SimulationOptions& options_;
  stats::Rng rng_;
  std::size_t skipped_;
  Simulation result_;
  serving::WaitingLine<std::size_t> line_;
  std::priority_queue<double, std::vector<double>, std::greater<>> busy_;  // when each ends
  std::size_t next_ = 0;
  std::size_t wake_at_ = 0;
  double look_at_ = kNever;
  double now_ = 0, busy_s_ = 0, last_end_ = 0, requests_ = 0;
  double real_tokens_ = 0, padded_tokens_ = 0;
  // From the first arrival that counts to the last.
  double window_begin_ = 0, window_end_ = 0, busy_in_window_s_ = 0;
  double first_counted_end_ = kNever;
  std::size_t counted_in_first_ = 0;  // requests that this first batch served
};

}  // namespace

int64_t largest_formed(const serving::CostTable& table, const serving::PolicySettings& settings) {
  const int64_t measured = table.batch_sizes().back();
  if (!settings.sizes.empty()) return std::min(settings.sizes.back(), measured);
  return std::min(settings.max_batch.value_or(measured), measured);
}

Simulation simulate(const serving::CostTable& table, const serving::Policy& policy,
                    std::span<const Arrival> arrivals, const SimulationOptions& options) {
  return Run(table, policy, arrivals, options).finish();
}

double saturation_per_s(const serving::CostTable& table, const serving::Policy& policy,
                        const std::vector<int64_t>& lengths, const SimulationOptions& options) {
  constexpr std::size_t kFewest = 20'000, kBatches = 100;
  // The last batch is a rest: with so many before it, it does not count.
  const auto largest = static_cast<std::size_t>(largest_formed(table, policy.values()));
  std::vector<Arrival> backlog(std::max(kFewest, kBatches * largest));
  stats::Rng rng(stats::mix_seed(options.seed, 4));
  for (Arrival& arrival : backlog) {
    if (!lengths.empty()) {
      arrival.tokens = lengths[static_cast<std::size_t>(rng.below(lengths.size()))];
    }
  }
  SimulationOptions alone = options;
  alone.instances = 1;
  alone.warmup = 0;
  return simulate(table, policy, backlog, alone).throughput_per_s;
}

double take_all_bound_s(double a, double t0, double rate_per_s) {
  const double l = rate_per_s, rho = l * a;
  const double f0 = (a + t0) / (2 * (1 - rho)) * (1 + 2 * l * t0 + (1 - l * t0) / (1 + rho));
  const double f1 = 1.5 * t0 / (1 - rho) + a / 2 * (rho + 2) / (1 - rho * rho);
  return std::min(f0, f1);
}

}  // namespace batchscope::planning
