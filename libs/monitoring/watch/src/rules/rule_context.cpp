#include "rule_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::watch {
namespace {

using findings::Finding;

constexpr double kShareToRaise = 0.65;
constexpr double kShareToGoOn = 0.40;
constexpr double kThresholdSlack = 0.10;

findings::Milliseconds time_of(int64_t ns) {
  return findings::Milliseconds(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(ns)));
}

Finding finding_of(const Kind& kind, findings::Place place) {
  Finding finding;
  finding.id = kind.id;
  finding.severity = kind.fixed_severity();
  finding.status = findings::Status::measured;
  finding.where = std::move(place);
  finding.doc = findings::doc_link(kind.id);
  return finding;
}

// "0:1" -> GPU 0, slice 1; what is no number counts as 0.
findings::GpuMoment moment_of(const std::string& gpu, int64_t now_ns) {
  findings::GpuMoment moment;
  moment.time = time_of(now_ns);
  const char* const end = gpu.data() + gpu.size();
  const auto index = std::from_chars(gpu.data(), end, moment.gpu);
  int slice = 0;
  if (index.ptr != end && *index.ptr == ':' &&
      std::from_chars(index.ptr + 1, end, slice).ec == std::errc{}) {
    moment.slice = slice;
  }
  return moment;
}

// That compute, at any time of the window.
std::size_t programs_on(const GpuState& gpu) {
  return gpu.recent.total([](const GpuBucket& each) { return each.processes; });
}

// Programs are seen on other GPUs and none here, and little memory is in use: all it does is draw a
// screen.
bool computes_nothing(const GpuState& gpu, const RuleContext& facts) {
  constexpr double kOfScreens = 0.25;
  if (gpu.recent.over(GpuValue::memory_share).high > kOfScreens) return false;
  return !is_slice(gpu.gpu) && programs_on(gpu) == 0 &&
         std::ranges::any_of(facts.window.gpus(),
                             [](const GpuState& each) { return each.up && programs_on(each) > 0; });
}

}  // namespace

bool are_most(const std::optional<double>& share, bool is_active) {
  return share && *share >= (is_active ? kShareToGoOn : kShareToRaise);
}

bool RuleContext::mostly(const std::optional<double>& share, const Kind& kind,
                         const std::string& place) const {
  return are_most(share, is_active(kind, place));
}

double RuleContext::over(double threshold, const Kind& kind, const std::string& place) const {
  return is_active(kind, place) ? threshold * (1 - kThresholdSlack) : threshold;
}

double RuleContext::under(double threshold, const Kind& kind, const std::string& place) const {
  return is_active(kind, place) ? threshold * (1 + kThresholdSlack) : threshold;
}

bool RuleContext::is_recent(const Event& event) const {
  return event.count > 0 && window.now_ns() - event.last_ns <= event_ns;
}

std::string name_of(const GpuState& gpu) {
  const auto colon = gpu.gpu.find(':');
  if (colon == std::string::npos) return "GPU " + gpu.gpu;
  return fmt::format("GPU {}, slice {}", gpu.gpu.substr(0, colon), gpu.gpu.substr(colon + 1));
}

bool is_used(const GpuState& gpu) {
  return is_in_use(programs_on(gpu), gpu.recent.over(GpuValue::memory_share),
                   gpu.recent.over(GpuValue::busy));
}

bool trained(const GpuState& gpu) {
  constexpr double kAtWork = 0.15;  // of its multiprocessors, or its power limit
  return gpu.worked >= kAtWork;
}

bool may_be_of_the_job(const GpuState& gpu, const RuleContext& facts) {
  if (computes_nothing(gpu, facts)) return false;
  if (gpu.is_theirs || !facts.window.is_watching()) return true;
  return facts.window.is_training() &&
         std::ranges::none_of(facts.window.gpus(),
                              [](const GpuState& each) { return each.up && each.is_theirs; });
}

bool is_judged(const GpuState& gpu) {
  return gpu.up && gpu.recent.enough();
}

RuleHit on_gpu(const Kind& kind, const GpuState& gpu, const RuleContext& facts) {
  return {&kind, finding_of(kind, moment_of(gpu.gpu, facts.window.now_ns())), gpu.key};
}

RuleHit on_process(const Kind& kind, const ProcessState& process, const RuleContext& facts) {
  return {&kind,
          finding_of(kind, findings::ProcessMoment{process.pid, process.name,
                                                   time_of(facts.window.now_ns())}),
          fmt::format("pid {}", process.pid)};
}

RuleHit on_machine(const Kind& kind, const RuleContext& facts) {
  return {&kind, finding_of(kind, findings::MachineMoment{time_of(facts.window.now_ns())}),
          kMachine};
}

findings::Estimate estimate_of(const std::vector<double>& bucket_means) {
  constexpr std::size_t kFewestForAnInterval = 6;
  Cell all;
  for (const double mean : bucket_means) all.add(mean);
  findings::Estimate estimate{all.mean(), std::nullopt};
  if (bucket_means.size() < kFewestForAnInterval) return estimate;
  const auto interval = stats::mean_interval(bucket_means, 0.95, stats::Method::student_t);
  if (!interval) return estimate;
  // Of shares: there are none below 0, nor above 1 where none was seen.
  const double most = all.high <= 1 ? 1.0 : interval->high;
  estimate.ci = stats::Interval{std::max(0.0, interval->low), std::min(most, interval->high)};
  return estimate;
}

}  // namespace batchscope::watch
