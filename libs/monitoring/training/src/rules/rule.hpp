#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/training/step_watch.hpp"
#include "series/machine_window.hpp"
#include "series/step_window.hpp"
#include "tracking/finding_tracker.hpp"

namespace batchscope::training {

// Steps that are no measure of the time of those after them: kernels are compiled, and workers of a
// loader start.
inline constexpr int64_t kStartUpSteps = 10;

// The row of a kind, beside the rule that finds it.
using Row = findings::KindRow<StepOptions>;
using Kind = Row;
using Prose = findings::Prose<StepOptions>;

// What rules share of one source.
struct RuleContext {
  const StepOptions& options;
  const std::string& source;
  const StepWindow& window;  // with the step that is judged as its last
  const MachineWindow& machine;
  FindingTracker& tracker;

  // Of this source alone.
  std::string key(std::string_view name) const;
  findings::Finding finding(const Kind& kind, findings::Severity severity) const;
};

// One subject. Every step is given to every rule of its source, in their order.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual void see(const telemetry::TrainingStep& step, RuleContext& scene) = 0;
  // A profile makes steps slower, and is no news of the loop: who judges times does not see them.
  virtual bool judges_times() const { return true; }
  // The loop was restarted.
  virtual void restart(RuleContext& scene) = 0;
};

// A rule, and the kinds that it finds.
struct RuleRow {
  std::unique_ptr<Rule> (*make)() = nullptr;
  std::vector<const Kind*> kinds;
};

// Steps that became slower, at once or little by little; larger batches.
RuleRow step_time_rule();
// Single steps that take much longer, in a rhythm or not.
RuleRow slow_steps_rule();
// Waiting for batches.
RuleRow loading_rule();
// Losses that are no numbers, jump, grow, or do not move.
RuleRow loss_rule();
RuleRow loss_trend_rule();
RuleRow learning_rate_rule();

// In the order in which they see a step, and in which a reader is told of them.
inline constexpr std::array kAllRules{step_time_rule, slow_steps_rule, loading_rule,
                                      loss_rule,      loss_trend_rule, learning_rate_rule};

}  // namespace batchscope::training
