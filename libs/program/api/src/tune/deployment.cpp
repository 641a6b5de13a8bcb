#include <algorithm>

#include "batchscope/api/tune.hpp"

namespace batchscope::api {

tune::Deployment deployment_of(const Program& program, const findings::Tuning& tuning,
                               const std::vector<schema::ModelInfo>& models) {
  constexpr double kMsASecond = 1e3;
  const findings::TunedPoint pick = findings::reported_pick(tuning);
  tune::Deployment made;
  made.config = pick.config;
  made.places = program.places;
  const auto setting = schema::without_batch_size(pick.config);
  for (const int64_t size : tuning.good_sizes) {
    const auto found = std::find_if(tuning.points.begin(), tuning.points.end(),
                                    [&](const findings::TunedPoint& each) {
                                      return each.config.shape.batch_size == size &&
                                             schema::without_batch_size(each.config) == setting;
                                    });
    if (found != tuning.points.end()) made.good_sizes.push_back({size, found->throughput_per_s});
  }
  made.rate = pick.throughput_per_s;
  made.latency_s = pick.latency_ms / kMsASecond;
  made.latency_of = tuning.latency_of;
  if (tuning.latency_budget_ms) made.latency_budget_s = *tuning.latency_budget_ms / kMsASecond;
  made.verified = tuning.verified;
  made.fresh_visits = tuning.fresh ? tuning.fresh->visits : 0;
  for (const schema::ModelInfo& model : models) {
    if (model.name == pick.config.model) made.inputs = model.inputs;
  }
  return made;
}

}  // namespace batchscope::api
