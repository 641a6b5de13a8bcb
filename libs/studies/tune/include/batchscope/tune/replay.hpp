#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// One configuration of a recorded table: what measuring it would show without noise.
struct RecordedTable {
  schema::RunConfig config;
  double mean_s = 0;
  double typical_s = 0;
  double latency_s = 0;  // the statistic that the goal bounds
  std::optional<int64_t> memory_bytes{};
  std::optional<FailureKind> failure{};  // in place of all the above
};

// What a run file holds of each configuration: its mean and its typical iteration over the visits
// that were made to measure (geometric means, as in tables), or its failure. Configurations that do
// different work (model, sequence length, mode) cannot be searched together. Errors: input (nothing
// measured, different work: says what picks one).
base::Result<std::vector<RecordedTable>> recorded_points(const schema::RunFile& run,
                                                         const Goal& goal);

// Answers a search from a table, in place of a machine.
class Replay {
 public:
  // noise: of one visit, ln units, lognormal.
  Replay(std::vector<RecordedTable> table, double noise, uint64_t seed);

  std::vector<schema::RunConfig> grid() const;
  std::variant<Observation, FailureKind> visit(std::size_t point);
  const std::vector<RecordedTable>& table() const { return table_; }

 private:
  std::vector<RecordedTable> table_;
  double noise_;
  uint64_t seed_;
  int64_t visits_ = 0;
};

// Runs a search to its end on a table. `told` hears of every visit before it is made; may be empty.
void run(Search& search, Replay& replay,
         const std::function<void(const Suggestion&)>& reported = {});

// What the objective makes most of, without noise: samples a second, or 1 / s of a batch; 0 for a
// point that fails or misses the goal's bounds.
double worth(const RecordedTable& point, const Goal& goal);
// worth of `point` over the largest of the table. NaN when nothing keeps the bounds.
double share_of_best(const std::vector<RecordedTable>& table, std::size_t point, const Goal& goal);

}  // namespace batchscope::tune
