#include "batchscope/timing/slow_iterations.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/poisson.hpp"
#include "batchscope/timing/visits.hpp"
#include "falling.hpp"
#include "gives_a_time.hpp"
#include "same_model.hpp"
#include "slow_totals.hpp"

namespace batchscope::timing {
namespace {

double typical_of(std::span<const int64_t> samples) {
  return stats::median(std::vector<double>(samples.begin(), samples.end()));
}

// What visits show of the share that slow iterations add to the time of the others.
struct Shown {
  double share = 0;
  double iterations = 0;  // that a visit's mean is taken of: the median over visits
  double typical_ns = 0;
  double largest = 0;  // excess
};

Shown shown_by(std::span<const SteadyVisit> visits, double slow_from) {
  Shown shown;
  double extra = 0, calm = 0;
  std::vector<double> iterations, typical;
  for (const SteadyVisit& visit : visits) {
    for (const auto samples : visit.series) {
      if (samples.empty() || !shows_iterations(*visit.visit)) continue;
      const double usual = typical_of(samples);
      iterations.push_back(static_cast<double>(samples.size()));
      typical.push_back(usual);
      for (const int64_t time : samples) {
        const double over = static_cast<double>(time) - usual;
        const bool slow = static_cast<double>(time) > slow_from * usual;
        if (slow) shown.largest = std::max(shown.largest, over / usual);
        extra += slow ? over : 0;
        calm += slow ? usual : static_cast<double>(time);
      }
    }
  }
  if (iterations.empty()) return shown;
  shown.share = extra / calm;
  shown.iterations = stats::median(iterations);
  shown.typical_ns = stats::median(typical);
  return shown;
}

// One more in each visit, or one fewer.
Unseen unseen_in_phase(const Shown& shown, double largest) {
  const double more = largest / shown.iterations;
  const double fewer = std::min(shown.share, shown.largest / shown.iterations);
  return {std::log1p(more / (1 + shown.share)), -std::log1p(-fewer / (1 + shown.share))};
}

struct Shares {
  double least = 0, most = 0;
};

// Bounds on the share at 95 %, each one-sided.
Shares shares_of(const SlowTotals& totals, double each) {
  if (totals.met == 0) return {};
  const double share = each * totals.met / totals.iterations;
  return {share * stats::poisson_lower(totals.effective) / totals.effective,
          share * stats::poisson_upper(totals.effective) / totals.effective};
}

// Slow iterations come at random: by those of the model, as if all its configurations had as many,
// or by its own, whichever bound is the closer one.
Unseen unseen_at_random(const Shown& shown, const SlowTotals& model, const SlowTotals& own) {
  const double each = model.each_at(shown.typical_ns);
  const Shares of_model = shares_of(model, each);
  Shares of_own = shares_of(own, own.each_at(shown.typical_ns));
  if (own.met == 0 && own.iterations > 0) {
    of_own.most = each * model.dispersion * stats::poisson_upper(0) / own.iterations;
  }
  const double most = std::max(shown.share, std::min(of_model.most, of_own.most));
  const double least = std::min(shown.share, std::max(of_model.least, of_own.least));
  return {std::log((1 + most) / (1 + shown.share)), std::log((1 + shown.share) / (1 + least))};
}

// What is told of them: those that are small beside the largest would hide how seldom that comes.
std::vector<SeenIterations> worth_telling(std::span<const SeenIterations> all, double largest) {
  constexpr double kOfTheLargest = 0.1;
  std::vector<SeenIterations> reported(all.begin(), all.end());
  for (SeenIterations& seen : reported) {
    std::erase_if(seen.slow,
                  [&](const Slow& slow) { return slow.excess < kOfTheLargest * largest; });
  }
  return reported;
}

// From one to the next in the same visit; of those in phase that no visit met twice, to the first.
double period_of(std::span<const SeenIterations> all) {
  std::vector<double> steps, firsts;
  for (const SeenIterations& seen : all) {
    for (std::size_t i = 0; i < seen.slow.size(); ++i) {
      const auto index = static_cast<double>(seen.slow[i].index);
      if (i == 0) firsts.push_back(index + 1);
      if (i > 0) steps.push_back(index - static_cast<double>(seen.slow[i - 1].index));
    }
  }
  return stats::median(steps.empty() ? firsts : steps);
}

// Of the visits that met one: those that are too short for any tell nothing of how many come.
double every_of(std::span<const SeenIterations> all) {
  double iterations = 0, met = 0;
  for (const SeenIterations& seen : all) {
    if (seen.slow.empty()) continue;
    iterations += static_cast<double>(seen.iterations);
    met += static_cast<double>(seen.slow.size());
  }
  return iterations / met;
}

bool counts(const schema::Visit& visit, const schema::RunFile& run) {
  const bool used = serves(visit.purpose, Use::measured) || serves(visit.purpose, Use::fresh);
  return used && is_known(visit, run) && is_timed(visit) && shows_iterations(visit);
}

std::vector<const schema::Visit*> visits_that_count(const schema::RunFile& run) {
  std::vector<const schema::Visit*> visits = schema::current_visits(run);
  std::erase_if(visits, [&](const schema::Visit* visit) { return !counts(*visit, run); });
  return visits;
}

std::vector<double> slow_from_by_config(const schema::RunFile& run,
                                        std::span<const schema::Visit* const> visits) {
  std::vector<std::vector<std::span<const int64_t>>> series(run.configs.size());
  for (const schema::Visit* visit : visits) {
    for (const auto& instance : schema::by_instance(*visit)) {
      series[static_cast<std::size_t>(visit->config)].push_back(instance.samples_ns);
    }
  }
  std::vector<double> from;
  for (const auto& of_config : series) from.push_back(slow_from(of_config));
  return from;
}

}  // namespace

stats::Interval allowing_for(const Unseen& unseen, const stats::Interval& interval) {
  return {interval.low * std::exp(-unseen.shorter), interval.high * std::exp(unseen.longer)};
}

struct SlowIterations::Facts {
  struct Model {
    ModelKey key;
    std::string name;
    std::vector<SeenIterations> seen{};
    SlowTotals totals{};
    bool in_phase = false;
  };

  const Model* of(const schema::RunConfig& config) const {
    const auto found = std::find_if(models.begin(), models.end(), [&](const Model& model) {
      return model.key == model_key(config);
    });
    return found == models.end() || found->totals.met == 0 ? nullptr : &*found;
  }

  double slow_from_of(const schema::RunConfig& config) const {
    const auto found = std::find(configs.begin(), configs.end(), config);
    return found == configs.end() ? kSlowIteration
                                  : slow_from[static_cast<std::size_t>(found - configs.begin())];
  }

  std::vector<schema::RunConfig> configs;
  std::vector<double> slow_from;  // by configuration
  std::vector<Model> models;
};

SlowIterations::SlowIterations(const schema::RunFile& run) {
  if (run.header.origin == schema::Origin::imported) return;
  auto facts = std::make_shared<Facts>();
  facts->configs = run.configs;
  const std::vector<const schema::Visit*> visits = visits_that_count(run);
  facts->slow_from = slow_from_by_config(run, visits);
  for (const schema::Visit* visit : visits) {
    const schema::RunConfig& config = run.configs[static_cast<std::size_t>(visit->config)];
    auto model =
        std::find_if(facts->models.begin(), facts->models.end(),
                     [&](const Facts::Model& one) { return one.key == model_key(config); });
    if (model == facts->models.end()) {
      facts->models.push_back({model_key(config), config.model});
      model = std::prev(facts->models.end());
    }
    for (const auto& instance : schema::by_instance(*visit)) {
      if (instance.samples_ns.empty()) continue;
      const double from = facts->slow_from[static_cast<std::size_t>(visit->config)];
      model->seen.push_back(seen_in(instance, visit->config, from));
    }
  }
  for (Facts::Model& model : facts->models) {
    model.totals = totals_of(model.seen);
    model.in_phase = meet_in_phase(model.seen);
  }
  facts_ = std::move(facts);
}

std::vector<SlowOfModel> SlowIterations::models() const {
  std::vector<SlowOfModel> reported;
  if (!facts_) return reported;
  for (const Facts::Model& model : facts_->models) {
    if (model.totals.met == 0) continue;
    const auto seen = worth_telling(model.seen, model.totals.largest);
    const SlowTotals totals = totals_of(seen);
    const double every = model.in_phase ? period_of(seen) : every_of(seen);
    reported.push_back({model.name, every, 1 + totals.excess / totals.met, model.in_phase});
  }
  return reported;
}

Unseen SlowIterations::unseen_by(const schema::RunConfig& config,
                                 std::span<const SteadyVisit> visits) const {
  if (!facts_) return {};
  Unseen unseen = slow_unseen_by(config, visits);
  unseen.shorter += may_fall_by(visits);
  return unseen;
}

Unseen SlowIterations::slow_unseen_by(const schema::RunConfig& config,
                                      std::span<const SteadyVisit> visits) const {
  const Facts::Model* const model = facts_->of(config);
  if (model == nullptr) return {};
  const Shown shown = shown_by(visits, facts_->slow_from_of(config));
  if (!(shown.iterations > 0)) return {};
  std::vector<SeenIterations> own;
  std::copy_if(model->seen.begin(), model->seen.end(), std::back_inserter(own),
               [&](const SeenIterations& seen) {
                 return facts_->configs[static_cast<std::size_t>(seen.config)] == config;
               });
  const SlowTotals of_own = totals_of(own);
  if (!model->in_phase) return unseen_at_random(shown, model->totals, of_own);
  // It has none, where others have theirs.
  if (of_own.met == 0 && reach_the_first(own, model->seen)) return {};
  return unseen_in_phase(shown, model->totals.largest_at(shown.typical_ns));
}

}  // namespace batchscope::timing
