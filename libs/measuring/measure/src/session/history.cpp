#include "history.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "batchscope/schema/visit.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::measure {
namespace {

// One attempt at one block: which configurations were tried, and which of them failed.
struct Attempt {
  std::set<int> tried;
  std::vector<int> failed;
};

// The latest attempt of each block.
struct LatestAttempts {
  std::map<int, int> number;  // by block
  std::map<int, Attempt> attempts;

  Attempt& of(int block, int attempt) {
    const auto [known, is_new] = number.emplace(block, attempt);
    if (!is_new && attempt > known->second) {
      known->second = attempt;
      attempts[block] = Attempt();
    }
    return attempts[block];
  }
  bool is_latest(int block, int attempt) const {
    const auto known = number.find(block);
    return known == number.end() || attempt >= known->second;
  }
};

LatestAttempts latest_attempts(const schema::RunFile& run) {
  LatestAttempts latest;
  for (const schema::Visit& visit : run.visits) {
    if (!latest.is_latest(visit.block, visit.attempt)) continue;
    latest.of(visit.block, visit.attempt).tried.insert(visit.config);
  }
  for (const schema::Event& event : run.events) {
    if (!event.where.block || !event.where.config || !schema::is_failure(event)) continue;
    if (!latest.is_latest(*event.where.block, event.where.attempt)) continue;
    Attempt& attempt = latest.of(*event.where.block, event.where.attempt);
    attempt.tried.insert(*event.where.config);
    attempt.failed.push_back(*event.where.config);
  }
  return latest;
}

std::vector<int> all_configs(const schema::RunFile& run) {
  std::vector<int> all(run.configs.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Configurations are added only after the main part: what block 0 did not try came late, unless
// block 0 is all there is.
std::vector<int> main_configs(const schema::RunFile& run, const LatestAttempts& latest) {
  const auto first = latest.attempts.find(0);
  if (first == latest.attempts.end() || latest.attempts.size() == 1) return all_configs(run);
  return {first->second.tried.begin(), first->second.tried.end()};
}

// So many that no sum of times reaches the end of its type: no run lasts as long.
constexpr auto kMostNs = static_cast<int64_t>(schema::kMostSeconds) * 1'000'000'000;

void add(int64_t ns, int64_t& sum) {
  sum = std::min(sum + ns, kMostNs);
}

bool has_other_purposes(const schema::RunFile& run) {
  return std::any_of(run.visits.begin(), run.visits.end(), [](const schema::Visit& visit) {
    return visit.purpose != schema::Purpose::measure;
  });
}

// With the failures of the blocks before it counted already.
bool is_complete(const Attempt& attempt, const History& history) {
  return std::all_of(history.main.begin(), history.main.end(), [&](int config) {
    return attempt.tried.count(config) > 0 ||
           history.failures[static_cast<std::size_t>(config)] >= timing::kFailuresToGiveUp;
  });
}

int64_t sum_of(const std::vector<int64_t>& times_ns) {
  return std::accumulate(times_ns.begin(), times_ns.end(), int64_t{0});
}

int64_t iteration_ns(const schema::Visit& visit) {
  const int64_t timed = sum_of(visit.samples_ns) * visit.iterations_per_sample;
  // Several instances work at the same time.
  const auto instances = std::max<int64_t>(std::ssize(visit.instance_samples), 1);
  return (sum_of(visit.warmup_ns) + timed) / instances;
}

}  // namespace

History history_of(const schema::RunFile& run) {
  const LatestAttempts latest = latest_attempts(run);
  History history;
  history.main = main_configs(run, latest);
  history.stage_begun = history.main.size() < run.configs.size() || has_other_purposes(run);
  history.failures.assign(run.configs.size(), 0);
  for (const schema::Visit& visit : run.visits) add(visit.wall_ns, history.spent_ns);
  for (const schema::Event& event : run.events) add(event.wall_ns, history.spent_ns);
  if (run.end) {
    history.spent_ns = std::max(history.spent_ns, static_cast<int64_t>(run.end->wall_s * 1e9));
  }
  for (const auto& [block, attempt] : latest.attempts) {
    if (block != history.next_block) break;
    if (!is_complete(attempt, history)) {
      history.next_attempt = latest.number.at(block) + 1;
      break;
    }
    for (const int config : attempt.failed) ++history.failures[static_cast<std::size_t>(config)];
    ++history.next_block;
  }
  return history;
}

int64_t iteration_ns(const schema::RunFile& run) {
  int64_t total = 0;
  for (const schema::Visit& visit : run.visits) add(iteration_ns(visit), total);
  return total;
}

}  // namespace batchscope::measure
