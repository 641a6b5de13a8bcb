#include "claim_rows.hpp"

#include "experiment.hpp"

namespace batchscope::truth {
namespace {

findings::Summary analysed(const Innocent& run, uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 1));
  Experiment experiment{{run.law(rng, run.sizes.back()) + run.noise}, run.sizes, run.blocks, seed};
  experiment.visit_s = run.visit_s;
  return analyse(experiment);
}

Row row_of(const std::string& topic, const Innocent& run, bool departures_only) {
  return {topic, run.what, {std::nullopt, 0.05}, [=](uint64_t seed) {
            for (const auto& finding : analysed(run, seed).findings) {
              const bool counts = !departures_only || finding.id == "scaling.departure";
              if (counts && finding.status == findings::Status::proven) return true;
            }
            return false;
          }};
}

}  // namespace

Row any_claim(const std::string& topic, const Innocent& run) {
  return row_of(topic, run, false);
}

Row any_departure(const std::string& topic, const Innocent& run) {
  return row_of(topic, run, true);
}

}  // namespace batchscope::truth
