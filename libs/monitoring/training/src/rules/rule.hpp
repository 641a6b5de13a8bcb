#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "batchscope/findings/finding.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/training/step_watch.hpp"
#include "series/machine_window.hpp"
#include "series/step_window.hpp"
#include "standing/standings.hpp"

namespace batchscope::training {

// Steps that are no measure of the time of those after them: kernels are compiled, and workers of a
// loader start.
inline constexpr int64_t kStartUpSteps = 10;

// What rules share of one source.
struct Scene {
  const StepOptions& options;
  const std::string& source;
  const StepWindow& window;  // with the step that is judged as its last
  const MachineWindow& machine;
  Standings& standings;

  // Of this source alone.
  std::string key(std::string_view name) const;
  findings::Finding finding(std::string_view id, findings::Severity severity) const;
};

// One subject. Every step is given to every rule of its source, in their order.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual void see(const telemetry::TrainingStep& step, Scene& scene) = 0;
  // A profile makes steps slower, and is no news of the loop: who judges times does not see them.
  virtual bool judges_times() const { return true; }
  // The loop was restarted.
  virtual void restart(Scene& scene) = 0;
};

// Steps that became slower, at once or little by little; larger batches.
std::unique_ptr<Rule> step_time_rule();
// Single steps that take much longer, in a rhythm or not.
std::unique_ptr<Rule> slow_steps_rule();
// Waiting for batches.
std::unique_ptr<Rule> loading_rule();
// Losses that are no numbers, jump, grow, or do not move.
std::unique_ptr<Rule> loss_rule();
std::unique_ptr<Rule> loss_trend_rule();
std::unique_ptr<Rule> learning_rate_rule();

}  // namespace batchscope::training
