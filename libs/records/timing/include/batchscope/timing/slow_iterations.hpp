#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "batchscope/stats/interval.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::schema {
struct RunConfig;
struct RunFile;
}  // namespace batchscope::schema

namespace batchscope::timing {

// By how much the mean iteration of a configuration, or a ratio of two, may be longer or shorter
// than its visits show, because they met fewer or more slow iterations than they would in the long
// run, or still became faster. ln units, >= 0.
struct Unseen {
  double longer = 0;
  double shorter = 0;

  bool operator==(const Unseen&) const = default;
};

// Of the ratio of one mean to another.
inline Unseen unseen_of_ratio(const Unseen& of, const Unseen& to) {
  return {of.longer + to.shorter, of.shorter + to.longer};
}

// An interval of a mean, or of a ratio of means, > 0, that allows for it.
stats::Interval allowing_for(const Unseen& unseen, const stats::Interval& interval);

// Slow iterations of one model.
struct SlowOfModel {
  std::string model;
  double every = 0;          // one iteration of so many is slow
  double times_as_long = 0;  // as the typical one of its visit, on average
  // Visits meet them at the same iterations, so that how many a visit meets is no draw of its own.
  bool in_phase = false;
};

// Iterations that now and then take longer than the typical one of their visit, beyond what
// iterations of their configuration scatter: a garbage collection, a checkpoint, a refresh. What
// any visit of a model meets is evidence for all its configurations, since visits of few iterations
// may meet none (docs/design/method.md, 3).
class SlowIterations {
 public:
  SlowIterations() = default;  // there are none
  // Of the visits that measure and of those that verify.
  explicit SlowIterations(const schema::RunFile& run);

  // The models that have some, in the order of their configurations.
  std::vector<SlowOfModel> models() const;
  // Of a configuration of the run, by these visits of it.
  Unseen unseen_by(const schema::RunConfig& config, std::span<const SteadyVisit> visits) const;

 private:
  Unseen slow_unseen_by(const schema::RunConfig& config, std::span<const SteadyVisit> visits) const;

  struct Facts;
  std::shared_ptr<const Facts> facts_;
};

}  // namespace batchscope::timing
