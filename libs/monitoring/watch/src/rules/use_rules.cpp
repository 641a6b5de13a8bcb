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

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "low_use.hpp"
#include "rules.hpp"
#include "window/times.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;
using findings::Severity;

// Below it a GPU does next to nothing.
constexpr double kIdleBusy = 0.02;
constexpr double kStarving = 0.10;

constexpr Kind kIdle{Row("monitor.idle", "A GPU is idle",
                         "No program uses the GPU, or a program holds it and runs nothing.",
                         "Release it if it is not needed.", "info", metrics(&metric::kGpuBusy)),
                     280, Role::unsure_why};

constexpr double kLongWithoutSteps = 600;

constexpr Kind kNoSteps{
    Row("monitor.no-steps", "A training reports no more steps and holds its GPU",
        "A loop has reported no step for 3 minutes, and for 1.5 times its longest pause (at most "
        "30 minutes). A program still holds the loop's GPU, which is idle or almost idle. The "
        "training has ended without releasing the GPU, or hangs (suspected). While another loop "
        "continues, the GPU must have become idle at this loop's last step, and another GPU must "
        "be busy.",
        "See where it waits (py-spy dump), including its loader workers. Otherwise end it.",
        Prose("low; medium {} minutes after the last step, if no other loop continues",
              kLongWithoutSteps / 60),
        metrics(&metric::kGpuBusy)),
    240, Role::unsure_why};

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
bool is_starved(const GpuState& gpu, const RuleContext& facts) {
  constexpr double kAtWork = 0.3;  // of a CPU
  const auto busy = [](const GpuState& each) { return each.recent.over(GpuValue::busy); };
  const bool at_work = facts.window.is_training() ||
                       facts.window.job().recent.over(JobValue::cores).mean() >= kAtWork;
  if (!at_work || !may_be_of_the_job(gpu, facts)) return false;
  const bool works_elsewhere = std::ranges::any_of(facts.window.gpus(), [&](const GpuState& each) {
    return each.up && may_be_of_the_job(each, facts) && busy(each).mean() > kStarving;
  });
  return !works_elsewhere &&
         kind_of_low_use(signals_of(gpu, facts).numbers(), facts.targets).role == Role::why_idle;
}

// It has ended and keeps what it has, or waits for something that does not come: a loader's worker
// that died, a lock.
void tell_of_no_steps(const GpuState& gpu, const RuleContext& facts, int64_t last_ns,
                      RuleHits& into) {
  const double busy = gpu.recent.over(GpuValue::busy).mean();
  // Of several loops it may be another one's GPU.
  const bool others_go_on = facts.window.is_training();
  const char* const who = others_go_on ? "One of the training loops reports no more steps"
                                       : "The training loop reports no more steps";
  RuleHit& candidate = into.emplace_back(on_gpu(kNoSteps, gpu, facts));
  candidate.since_ns = last_ns;
  const bool is_long = seconds_between(last_ns, facts.window.now_ns()) >= kLongWithoutSteps;
  candidate.finding.severity = is_long && !others_go_on ? Severity::medium : Severity::low;
  candidate.finding.status = findings::Status::suspected;
  candidate.finding.what = fmt::format("{}, but a program holds {} and runs {}", who, name_of(gpu),
                                       busy > kIdleBusy ? "almost nothing" : "nothing");
  candidate.finding.fix = fmt::format(
      "if it should still train, see where it waits (py-spy dump), including its loader workers; "
      "else end it{} to free the GPU",
      others_go_on ? ", unless it belongs to another loop" : "");
  candidate.finding.evidence.push_back(evidence_of(metric::kGpuBusy, busy));
}

// Of several loops the one that ran on this GPU makes no more steps. What the others do explains
// nothing of it.
bool left_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!facts.window.is_training() || !facts.window.another_worked_on(gpu)) return false;
  const auto stopped = facts.window.loop_that_left(gpu);
  if (!stopped || !stopped->another_went_on || !is_used(gpu)) return false;
  if (stopped->has_ended) tell_of_no_steps(gpu, facts, stopped->last_step_ns, into);
  return true;
}

// A GPU that nobody uses, or that is held and not used: somebody may think that it is.
bool idle_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
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
  RuleHit& candidate = into.emplace_back(on_gpu(kIdle, gpu, facts));
  candidate.finding.what = used ? fmt::format("A program holds {} but runs nothing", name_of(gpu))
                                : fmt::format("No program uses {}", name_of(gpu));
  if (used) {
    candidate.finding.fix = "end the program if it is not needed, to free the GPU";
  }
  candidate.finding.evidence.push_back(evidence_of(metric::kGpuBusy, busy));
  return true;
}

Severity severity_by_busy(double busy) {
  return busy < kMostIsLost ? Severity::high : Severity::medium;
}

// Where nobody tells of a training it may be a service that has nothing to do, and asks for work
// at full speed.
Severity most_severe(const LowUseCause& cause, const RuleContext& facts) {
  if (!cause.waits_for_data && !facts.has_trained) return Severity::low;
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

bool any_low_kind_is_active(const GpuState& gpu, const RuleContext& facts) {
  return std::ranges::any_of(low_use_kinds(),
                             [&](const Kind* kind) { return facts.is_active(*kind, gpu.key); });
}

// Begin and end of the time in which a GPU was busy too little: the part of these that is so by the
// most time.
Episode lowest_part(const std::vector<BusyHistory::Part>& parts, double limit, Episode low,
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
int64_t last_low_end(const GpuState& gpu, const RuleContext& facts) {
  int64_t last_ns = 0;
  for (const Kind* const kind : low_use_kinds()) {
    const auto last = facts.tracker.last_episode(kind->id, gpu.key);
    if (last) last_ns = std::max(last_ns, last->ended_ns.value_or(facts.window.now_ns()));
  }
  return last_ns;
}

Episode low_time(const Kind& kind, const GpuState& gpu, const RuleContext& facts) {
  const bool is_active = facts.is_active(kind, gpu.key);
  const int64_t now_ns = facts.window.now_ns();
  const auto window_ns = static_cast<int64_t>(facts.window.seconds() * 1e9);
  const int64_t from_ns = is_active ? facts.tracker.last_episode(kind.id, gpu.key)->since_ns
                                    : std::max(now_ns - window_ns, last_low_end(gpu, facts));
  return lowest_part(facts.window.busy_since(from_ns, gpu), facts.targets.gpu_busy.low,
                     {from_ns, now_ns}, is_active);
}

// Of all the time that it stood, up to now.
std::vector<BusyHistory::Part> busy_while_low(const Kind& kind, const Episode& now,
                                              const GpuState& gpu, const RuleContext& facts) {
  std::vector<Episode> times = facts.tracker.episodes(kind.id, gpu.key);
  if (facts.is_active(kind, gpu.key)) times.pop_back();
  times.push_back(now);
  return facts.window.busy_during(kind.id, times, gpu);
}

// Of what swings slowly, buckets are high and low in turn.
bool is_low_in_each_third(const GpuState& gpu, double limit) {
  return std::ranges::all_of(busy_by_thirds(gpu),
                             [&](const Cell& busy) { return busy.known() && busy.mean() < limit; });
}

bool is_used_little(const GpuState& gpu, const RuleContext& facts, bool is_active) {
  constexpr double kSlack = 0.08;
  const double limit = facts.targets.gpu_busy.low + (is_active ? kSlack : 0);
  const auto low = gpu.recent.share(GpuValue::busy, [&](double busy) { return busy < limit; });
  if (!low || gpu.recent.over(GpuValue::busy).mean() >= limit) return false;
  // What goes on and off by half minutes has no start and no end where steps are made all the time.
  return are_most(low, is_active || facts.has_trained) || is_low_in_each_third(gpu, limit);
}

// The gravest that it may be of, and how it is told.
struct LowUse {
  std::string gpu;
  findings::Estimate busy;
  Severity most = Severity::high;
};

findings::Finding reported(const LowUse& use, const LowUseCause& cause, findings::Finding finding) {
  const double busy = use.busy.value;
  finding.severity = std::min(use.most, severity_by_busy(busy));
  finding.status = cause.status;
  finding.what =
      fmt::format("{} is busy {} of the time{}{}", use.gpu, percent(busy),
                  cause.because.empty() ? ", and no signal explains it" : ": ", cause.because);
  finding.cause = cause.because;
  finding.fix = cause.fix;
  finding.evidence = cause.evidence;
  finding.evidence.insert(finding.evidence.begin(), evidence_of(metric::kGpuBusy, use.busy));
  return finding;
}

bool low_use_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!is_used_little(gpu, facts, any_low_kind_is_active(gpu, facts))) return false;
  std::vector<double> signals = signals_of(gpu, facts).numbers();
  const Kind& kind = kind_of_low_use(signals, facts.targets);
  const Episode now = low_time(kind, gpu, facts);
  const auto parts = busy_while_low(kind, now, gpu, facts);
  const LowUse use{name_of(gpu),
                   parts.empty() ? estimate(gpu.recent, GpuValue::busy) : estimate_of(parts),
                   most_severe(reported_low_use(kind, signals, facts.targets), facts)};
  RuleHit& candidate = into.emplace_back(on_gpu(kind, gpu, facts));
  candidate.since_ns = now.since_ns;
  candidate.until_ns = now.ended_ns;
  candidate.tell_with_levels(std::move(signals),
                             [bare = candidate.finding, use, &kind,
                              targets = facts.targets](std::span<const double> means) {
                               return reported(use, reported_low_use(kind, means, targets), bare);
                             });
  return true;
}

void look_at_use(const RuleContext& facts, RuleHits& into) {
  const RuleContext of_steps = facts.of_steps();
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
    busy_rule(gpu, of_steps, into);
  }
}

}  // namespace

std::string_view low_use_at(const GpuState& gpu, int64_t time_ns, const FindingTracker& tracker) {
  for (const Kind* const kind : low_use_kinds()) {
    if (tracker.was_active(kind->id, gpu.key, time_ns)) return kind->id;
  }
  return {};
}

Rules use_rules() {
  return {look_at_use, {&kIdle, &kNoSteps}};
}

}  // namespace batchscope::watch
