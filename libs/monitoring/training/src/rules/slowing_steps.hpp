#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rules/reported_slowdown.hpp"
#include "rules/rule.hpp"
#include "series/block_history.hpp"

namespace batchscope::training {

// Steps that become slower little by little.
extern const Kind kSlowing;

class SlowingSteps {
 public:
  // What is to be told, for the first time or anew.
  std::optional<Trend> add(const telemetry::TrainingStep& step, const RuleContext& scene);
  void tell(const Trend& trend, RuleContext& scene);
  // What stands.
  const std::optional<ReportedSlowdown>& reported() const { return reported_; }

  // A change at which the history begins anew. What became slower little by little is so still
  // where a change makes it slower yet.
  void restart_at_change(std::span<const StepFact> since, bool is_slower, RuleContext& scene);
  void end(RuleContext& scene);
  void end_where_back(const LatestSteps& latest, RuleContext& scene);
  void restart(RuleContext& scene);

 private:
  static constexpr std::size_t kBlockSteps = 16;

  BlockHistory history_{kBlockSteps};
  std::optional<ReportedSlowdown> reported_;
  int passed_ = 0;  // told, and after which steps became as before
};

}  // namespace batchscope::training
