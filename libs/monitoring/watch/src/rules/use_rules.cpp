#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/monitor_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "facts.hpp"
#include "low_use.hpp"
#include "standing/kinds.hpp"
#include "window/times.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;
using findings::Severity;
namespace metric = findings::metric;

// Below it a GPU does next to nothing.
constexpr double kIdleBusy = 0.02;
constexpr double kStarving = 0.10;

constexpr std::array kLowKinds{kind::kLoading, kind::kDisk, kind::kHostBound,
                               kind::kSynchronisation, kind::kLowUse};

// The buckets of each third of the window.
std::array<Cell, 3> busy_by_thirds(const GpuState& gpu) {
  std::array<Cell, 3> thirds;
  const std::deque<GpuBucket>& buckets = gpu.recent.closed();
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    thirds.at(i * thirds.size() / buckets.size()).add(buckets[i].values[GpuValue::busy]);
  }
  return thirds;
}

// As a program that neither begins nor ends.
bool works_a_little_in_each_third(const GpuState& gpu) {
  return std::ranges::all_of(busy_by_thirds(gpu), [](const Cell& busy) {
    return busy.high > 0 && busy.mean() <= kStarving;
  });
}

// A program that is watched, works on CPUs and gives its GPU next to nothing to do keeps it
// waiting: the slower its loader, the less a GPU is busy. Not where it works on another GPU.
bool is_starved(const GpuState& gpu, const Facts& facts) {
  constexpr double kAtWork = 0.3;  // of a CPU
  const auto busy = [](const GpuState& each) { return each.recent.over(GpuValue::busy); };
  const bool at_work = facts.window.is_training() ||
                       facts.window.job().recent.over(JobValue::cores).mean() >= kAtWork;
  if (!at_work || !may_be_of_the_job(gpu, facts)) return false;
  const bool works_elsewhere = std::ranges::any_of(facts.window.gpus(), [&](const GpuState& each) {
    return each.up && may_be_of_the_job(each, facts) && busy(each).mean() > kStarving;
  });
  return !works_elsewhere &&
         kind_of_low_use(signals_of_low_use(gpu, facts), facts.targets) != kind::kLowUse;
}

// It has ended and keeps what it has, or waits for something that does not come: a loader's worker
// that died, a lock.
void tell_of_no_steps(const GpuState& gpu, const Facts& facts, int64_t last_ns, Candidates& into) {
  constexpr double kLong = 600;
  const double busy = gpu.recent.over(GpuValue::busy).mean();
  // Of several loops it may be another one's GPU.
  const bool others_go_on = facts.window.is_training();
  const char* const who =
      others_go_on ? "One of the loops tells no more steps" : "No more steps are told";
  Candidate candidate = on_gpu(kind::kNoSteps, gpu, facts);
  candidate.since_ns = last_ns;
  const bool is_long = seconds_between(last_ns, facts.window.now_ns()) >= kLong;
  candidate.finding.severity = is_long && !others_go_on ? Severity::medium : Severity::low;
  candidate.finding.status = findings::Status::suspected;
  candidate.finding.what =
      fmt::format("{}, and {} is held by a program that does {} on it", who, name_of(gpu),
                  busy > kIdleBusy ? "next to nothing" : "nothing");
  candidate.finding.fix = fmt::format(
      "where it should still train, look where it stands (py-spy dump), its loader's workers "
      "included; else end it{}, so that others can run",
      others_go_on ? ", unless it is another loop's" : "");
  candidate.finding.evidence.push_back(evidence_of(metric::kGpuBusy, busy));
  into.push_back(std::move(candidate));
}

// Of several loops the one that ran on this GPU makes no more steps. What the others do explains
// nothing of it.
bool left_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  if (!facts.window.is_training() || !facts.window.another_worked_on(gpu)) return false;
  const auto stopped = facts.window.loop_that_left(gpu);
  if (!stopped || !stopped->another_went_on || !is_used(gpu)) return false;
  if (stopped->has_ended) tell_of_no_steps(gpu, facts, stopped->last_step_ns, into);
  return true;
}

// A GPU that nobody uses, or that is held and not used: somebody may think that it is.
bool idle_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const auto works = gpu.recent.share(GpuValue::busy, [](double busy) { return busy > kSomeBusy; });
  if (!works) return false;
  const bool used = is_used(gpu);
  // What begins, ends or waits for requests is idle for a part of the window.
  const double least = facts.window.is_training() ? 0.0 : 0.40;
  if (used && *works > 0 && *works >= least) return false;
  if (used && works_a_little_in_each_third(gpu) && is_starved(gpu, facts)) return false;
  const double busy = gpu.recent.over(GpuValue::busy).mean();
  if (used && !facts.window.is_training() && trained(gpu)) {
    const auto left = facts.window.loop_that_left(gpu);
    tell_of_no_steps(gpu, facts, left ? left->last_step_ns : facts.window.job().last_step_ns, into);
    return true;
  }
  if (used && facts.window.is_training()) return false;
  if (busy > kIdleBusy && used) return true;
  Candidate candidate = on_gpu(kind::kIdle, gpu, facts);
  candidate.finding.what =
      used ? fmt::format("{} is held by a program that does nothing on it", name_of(gpu))
           : fmt::format("Nobody uses {}", name_of(gpu));
  if (used) {
    candidate.finding.fix = "end the program where it is not needed, so that others can run";
  }
  candidate.finding.evidence.push_back(evidence_of(metric::kGpuBusy, busy));
  into.push_back(std::move(candidate));
  return true;
}

Severity severity_by_busy(double busy) {
  constexpr double kMostIsLost = 0.40;
  return busy < kMostIsLost ? Severity::high : Severity::medium;
}

// Where nobody tells of a training it may be a service that has nothing to do, and asks for work
// at full speed.
Severity most_severe(const LowUseCause& cause, const Facts& facts) {
  const bool may_be_a_service = cause.id != kind::kLoading && cause.id != kind::kDisk;
  if (may_be_a_service && !facts.has_trained) return Severity::low;
  // Who works on the CPUs and the disks nobody knows.
  if (!facts.window.is_training() && !facts.window.is_watching()) return Severity::low;
  // A checkpoint has an end; where steps are told its time is left out.
  if (cause.writes && !facts.window.is_training()) return Severity::low;
  // On which of its GPUs a loop runs nobody says.
  const auto used = std::ranges::count_if(facts.window.gpus(), is_used);
  return !facts.window.is_watching() && used > 1 ? Severity::medium : Severity::high;
}

double seconds_of(const std::vector<BusyHistory::Part>& parts) {
  double seconds = 0;
  for (const auto& part : parts) seconds += part.seconds;
  return seconds;
}

// Their mean by their lengths, with the 95 % interval of a ratio of sums (Cochran 1977, 2.11).
findings::Estimate estimate_of(const std::vector<BusyHistory::Part>& parts) {
  constexpr std::size_t kFewestForAnInterval = 6;
  const auto n = static_cast<double>(parts.size());
  const double seconds = seconds_of(parts);
  stats::MeanEstimate mean{0, 0, n - 1, parts.size(), stats::Method::student_t};
  for (const auto& part : parts) mean.value += part.mean * part.seconds / seconds;
  if (parts.size() < kFewestForAnInterval) return {mean.value, std::nullopt};
  double squares = 0;
  for (const auto& part : parts) {
    squares += std::pow((part.mean - mean.value) * part.seconds / seconds, 2);
  }
  mean.se = std::sqrt(squares * n / (n - 1));
  const auto interval = stats::two_sided_interval(mean, 0.95);
  return {mean.value, stats::Interval{std::max(0.0, interval.low), std::min(1.0, interval.high)}};
}

bool any_low_kind_stands(const GpuState& gpu, const Facts& facts) {
  return std::ranges::any_of(kLowKinds, [&](const char* id) { return facts.stands(id, gpu.key); });
}

// Begin and end of the time in which a GPU was busy too little: the part of these that is so by the
// most time.
Stretch lowest_part(const std::vector<BusyHistory::Part>& parts, double limit, Stretch low,
                    bool has_begun) {
  double sum = 0, most = 0;
  const auto is_more = [&](const BusyHistory::Part& part) {
    sum += (limit - part.mean) * part.seconds;
    if (sum < most) return false;
    most = sum;
    return true;
  };
  if (has_begun) {
    for (const auto& part : parts) {
      if (is_more(part)) low.ended_ns = part.ended_ns;
    }
  } else {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if (is_more(*part)) low.since_ns = part->began_ns;
    }
  }
  return low;
}

// No cause takes from the time of another.
int64_t last_low_end(const GpuState& gpu, const Facts& facts) {
  int64_t last_ns = 0;
  for (const char* const id : kLowKinds) {
    const auto last = facts.standings.last_stretch(id, gpu.key);
    if (last) last_ns = std::max(last_ns, last->ended_ns.value_or(facts.window.now_ns()));
  }
  return last_ns;
}

Stretch low_time(std::string_view id, const GpuState& gpu, const Facts& facts) {
  const bool stands = facts.stands(id, gpu.key);
  const int64_t now_ns = facts.window.now_ns();
  const auto window_ns = static_cast<int64_t>(facts.window.seconds() * 1e9);
  const int64_t from_ns = stands ? facts.standings.last_stretch(id, gpu.key)->since_ns
                                 : std::max(now_ns - window_ns, last_low_end(gpu, facts));
  return lowest_part(facts.window.busy_since(from_ns, gpu), facts.targets.gpu_busy.low,
                     {from_ns, now_ns}, stands);
}

// Of all the time that it stood, up to now.
std::vector<BusyHistory::Part> busy_while_low(std::string_view id, const Stretch& now,
                                              const GpuState& gpu, const Facts& facts) {
  std::vector<Stretch> times = facts.standings.stretches(id, gpu.key);
  if (facts.stands(id, gpu.key)) times.pop_back();
  times.push_back(now);
  return facts.window.busy_during(id, times, gpu);
}

// Of what swings slowly, buckets are high and low in turn.
bool is_low_in_each_third(const GpuState& gpu, double limit) {
  return std::ranges::all_of(busy_by_thirds(gpu),
                             [&](const Cell& busy) { return busy.known() && busy.mean() < limit; });
}

bool is_used_little(const GpuState& gpu, const Facts& facts, bool stands) {
  constexpr double kSlack = 0.08;
  const double limit = facts.targets.gpu_busy.low + (stands ? kSlack : 0);
  const auto low = gpu.recent.share(GpuValue::busy, [&](double busy) { return busy < limit; });
  if (!low || gpu.recent.over(GpuValue::busy).mean() >= limit) return false;
  // What goes on and off by half minutes has no start and no end where steps are made all the time.
  return are_most(low, stands || facts.has_trained) || is_low_in_each_third(gpu, limit);
}

// The gravest that it may be of, and how it is told.
struct LowUse {
  std::string gpu;
  findings::Estimate busy;
  Severity most = Severity::high;
};

findings::Finding told(const LowUse& use, const LowUseCause& cause, findings::Finding finding) {
  const double busy = use.busy.value;
  finding.severity = std::min(use.most, severity_by_busy(busy));
  finding.status = cause.status;
  finding.what = fmt::format(
      "{} is busy for {} of the time{}{}", use.gpu, percent(busy),
      cause.because.empty() ? ", and nothing that is seen explains it" : ": ", cause.because);
  finding.cause = cause.because;
  finding.fix = cause.fix;
  finding.evidence = cause.evidence;
  finding.evidence.insert(finding.evidence.begin(), evidence_of(metric::kGpuBusy, use.busy));
  return finding;
}

bool low_use_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  if (!is_used_little(gpu, facts, any_low_kind_stands(gpu, facts))) return false;
  std::vector<double> signals = signals_of_low_use(gpu, facts);
  const std::string_view id = kind_of_low_use(signals, facts.targets);
  const Stretch now = low_time(id, gpu, facts);
  const auto parts = busy_while_low(id, now, gpu, facts);
  const LowUse use{name_of(gpu),
                   parts.empty() ? estimate(gpu.recent, GpuValue::busy) : estimate_of(parts),
                   most_severe(told_low_use(id, signals, facts.targets), facts)};
  Candidate candidate = on_gpu(id, gpu, facts);
  candidate.since_ns = now.since_ns;
  candidate.until_ns = now.ended_ns;
  candidate.tell_with_levels(
      std::move(signals),
      [bare = candidate.finding, use, id, targets = facts.targets](std::span<const double> means) {
        return told(use, told_low_use(id, means, targets), bare);
      });
  into.push_back(std::move(candidate));
  return true;
}

std::string how_busy(double busy) {
  constexpr double kAlways = 0.95;
  return busy >= kAlways ? "always busy" : fmt::format("busy for {} of the time", percent(busy));
}

void tell_of_small_kernels(const std::string& is_busy, double share, bool by_sm, bool very_few,
                           findings::Finding& finding) {
  finding.severity = very_few ? Severity::medium : Severity::low;
  const std::string because =
      by_sm ? fmt::format("{} of its multiprocessors are at work on average", percent(share))
            : fmt::format("draws {} of its power limit: its kernels are too small", percent(share));
  finding.what = fmt::format("{}, and {}", is_busy, because);
  finding.evidence.push_back(evidence_of(by_sm ? metric::kSmActive : metric::kPowerShare, share));
}

// By the share of SM cycles at work, else by a power that no kernel of any size would leave so low
// at that clock.
bool small_batch_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const Targets& targets = facts.targets;
  const double sm_limit = facts.under(targets.sm_active_low, kind::kSmallBatch, gpu.key);
  const double power_limit = facts.under(targets.power_low, kind::kSmallBatch, gpu.key);
  const auto few =
      gpu.recent.share(GpuValue::sm_active, [&](double active) { return active < sm_limit; });
  const auto weak =
      gpu.recent.share(GpuValue::power_share, [&](double share) { return share < power_limit; });
  constexpr double kHighClock = 0.80, kMemoryIsBusy = 0.50;
  const bool by_power = !few && gpu.recent.over(GpuValue::clock_share).mean() >= kHighClock &&
                        gpu.recent.over(GpuValue::memory_busy).mean() < kMemoryIsBusy;
  if (!(few ? facts.mostly(few, kind::kSmallBatch, gpu.key)
            : by_power && facts.mostly(weak, kind::kSmallBatch, gpu.key))) {
    return false;
  }
  const GpuValue value = few ? GpuValue::sm_active : GpuValue::power_share;
  const double memory = gpu.recent.over(GpuValue::memory_share).high;
  Candidate candidate = on_gpu(kind::kSmallBatch, gpu, facts);
  candidate.finding.status = few ? findings::Status::measured : findings::Status::suspected;
  candidate.finding.fix =
      memory >= targets.gpu_memory.high
          ? "memory has no room for a larger batch: fuse kernels (torch.compile), CUDA "
            "graphs, or 16 bits and checkpointing for room"
          : "a larger batch, or several models on one GPU (MPS, MIG)";
  candidate.tell_with_levels(
      {gpu.recent.over(value).mean(), gpu.recent.over(GpuValue::busy).mean()},
      [bare = candidate.finding, by_sm = few.has_value(), limit = targets.sm_active_low,
       name = name_of(gpu)](std::span<const double> shares) {
        findings::Finding finding = bare;
        const std::string is_busy = name + " is " + how_busy(shares[1]);
        tell_of_small_kernels(is_busy, shares[0], by_sm, by_sm && shares[0] < limit / 2, finding);
        return finding;
      });
  candidate.finding.evidence.front().estimate.ci = estimate(gpu.recent, value).ci;
  into.push_back(std::move(candidate));
  return true;
}

void memory_bound_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const Targets& targets = facts.targets;
  const double limit = facts.over(targets.dram_active_high, kind::kMemoryBound, gpu.key);
  const auto high =
      gpu.recent.share(GpuValue::dram_active, [&](double active) { return active >= limit; });
  const Cell tensor = gpu.recent.over(GpuValue::tensor_active);
  if (!facts.mostly(high, kind::kMemoryBound, gpu.key) || !tensor.known()) return;
  if (tensor.mean() >= facts.under(targets.tensor_active_low, kind::kMemoryBound, gpu.key)) return;
  Candidate candidate = on_gpu(kind::kMemoryBound, gpu, facts);
  candidate.finding.severity = Severity::low;
  candidate.finding.fix =
      "a larger batch reuses what is read (inference of language models above all), 16 or 8 "
      "bits halve it, fused kernels (torch.compile, FlashAttention) read it once";
  const double dram = gpu.recent.over(GpuValue::dram_active).mean();
  candidate.tell_with_levels({dram, tensor.mean()}, [bare = candidate.finding, name = name_of(gpu)](
                                                        std::span<const double> shares) {
    findings::Finding finding = bare;
    finding.what = fmt::format(
        "{} uses {} of its memory's bandwidth, and its tensor cores are at work for {} of the "
        "time: memory is what limits",
        name, percent(shares[0]), percent(shares[1]));
    finding.evidence = {evidence_of(metric::kDramActive, shares[0]),
                        evidence_of(metric::kTensorActive, shares[1])};
    return finding;
  });
  candidate.finding.evidence[0].estimate.ci = estimate(gpu.recent, GpuValue::dram_active).ci;
  candidate.finding.evidence[1].estimate.ci = estimate(gpu.recent, GpuValue::tensor_active).ci;
  into.push_back(std::move(candidate));
}

}  // namespace

std::string_view low_use_at(const GpuState& gpu, int64_t time_ns, const Standings& standings) {
  for (const char* const id : kLowKinds) {
    if (standings.stood(id, gpu.key, time_ns)) return id;
  }
  return {};
}

void use_rules(const Facts& facts, Candidates& into) {
  const Facts of_steps = facts.of_steps();
  for (std::size_t i = 0; i < facts.window.gpus().size(); ++i) {
    const GpuState& always = facts.window.gpus()[i];
    if (!is_judged(always) || left_rule(always, facts, into)) continue;
    if (idle_rule(always, facts, into)) continue;
    const GpuState& gpu = facts.at_steps.gpus()[i];
    if (!is_judged(gpu)) continue;
    // What another job makes of its GPU is not asked, and what this one does explains nothing of
    // it.
    if (!may_be_of_the_job(gpu, of_steps) || stall_rule(gpu, of_steps, into)) continue;
    if (low_use_rule(gpu, of_steps, into)) continue;
    if (!gpu.recent.over(GpuValue::busy).known()) continue;
    if (small_batch_rule(gpu, of_steps, into)) continue;
    memory_bound_rule(gpu, of_steps, into);
  }
}

}  // namespace batchscope::watch
