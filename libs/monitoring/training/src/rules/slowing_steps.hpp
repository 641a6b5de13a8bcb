#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rules/rule.hpp"
#include "rules/told_slower.hpp"
#include "series/block_history.hpp"

namespace batchscope::training {

// Steps that become slower little by little.
extern const Kind kSlowing;

class SlowingSteps {
 public:
  // What is to be told, for the first time or anew.
  std::optional<Trend> add(const telemetry::TrainingStep& step, const Scene& scene);
  void tell(const Trend& trend, Scene& scene);
  // What stands.
  const std::optional<ToldSlower>& told() const { return told_; }

  // A change at which the history begins anew. What became slower little by little is so still
  // where a change makes it slower yet.
  void restart_at_change(std::span<const StepFact> since, bool is_slower, Scene& scene);
  void end(Scene& scene);
  void end_where_back(const LatestSteps& latest, Scene& scene);
  void restart(Scene& scene);

 private:
  static constexpr std::size_t kBlockSteps = 16;

  BlockHistory history_{kBlockSteps};
  std::optional<ToldSlower> told_;
  int passed_ = 0;  // told, and after which steps became as before
};

}  // namespace batchscope::training
