#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/schema/run_config.hpp"
#include "batchscope/tune/goal.hpp"

namespace batchscope::tune {

// Why a point is asked for (docs/design/method.md, section 5).
enum class SearchRule {
  grid,     // sizes that cover the range in equal steps of a ratio
  setting,  // of which nothing is known yet
  law,      // where the fitted law, and what the others leave open, promise most
  gap,  // between two sizes of which the larger takes more than the law of the smaller ones says
  neighbor,  // beside a size that looks best, for which a power of two or a step may be to blame
  again,     // a point that was seen once only
  halving,   // the best so far once more
};
std::string_view to_string(SearchRule stage);

// One visit that is wanted.
struct Suggestion {
  std::size_t point = 0;  // index into the grid
  SearchRule stage = SearchRule::grid;
  std::string reason;  // one sentence, for whoever asks why
};

// What one visit showed.
struct Observation {
  double mean_s = 0;                      // the mean iteration: one batch of each instance
  double latency_s = 0;                   // the statistic that the goal's budget bounds
  std::optional<int64_t> memory_bytes{};  // the peak that the goal's limit bounds
  double wall_s = 0;                      // of the whole visit; 0: it costs nothing
  double iterations = 0;                  // that as long as all of it but loading takes
  double typical_s = 0;                   // a typical iteration; 0: as mean_s
  // Too few of its iterations were no warm-up: it has cost its time and shown its memory, no more.
  bool still_warming = false;
};

enum class FailureKind { out_of_memory, other };

struct SearchOptions {
  // A predicted step of the cost (a tile, a cache, 32 MiB): sizes worth looking at, and why.
  struct Cliff {
    int64_t batch_size = 1;
    std::string why;
  };
  std::vector<Cliff> cliffs{};
  // Layers are computed again only at sizes that do not fit without it.
  bool checkpoint_when_needed = false;
  double noise = 0.03;  // of one visit, ln units, until repeats tell more
  // Whether latencies are quantiles within a visit each, to which what visits differ by is added.
  bool latencies_of_visits = false;
};

// Different points that may be measured where Goal::points says nothing, and more where there is a
// time limit and time is left: a fifth of the grid, at least 8; a tenth where it has 150 or more.
int default_points(std::size_t grid);

// One point as far as it is known.
struct PointEstimate {
  std::size_t point = 0;
  int visits = 0;  // that have a time
  int failures = 0;
  double mean_s = 0;          // geometric mean of the visits: what `rate` is of
  double typical_s = 0;       // the same of a typical iteration
  double latency_s = 0;       // the same of the bounded statistic
  double rate = 0;            // samples a second, of all instances
  double standard_error = 0;  // of ln of what is ranked, from the scatter of all repeats
  std::optional<int64_t> memory_bytes{};  // largest
  bool feasible = true;
  std::string left_out{};  // why it may not be picked; empty: it may
};

// Finds the best point of a grid with few measurements, by asking for visits and being told what
// they showed. Nothing is assumed of the shape of the cost: it may fall, rise and fall again. Pure:
// what is asked follows from the grid, the options and what was told alone, so that a search that
// was told the visits of an interrupted one goes on as that would have.
//
// The points of a grid do the same work and differ in engine, precision, threads, instances, ...
// and the batch size; one batch size each for the same rest. At least one point.
class Search {
 public:
  Search(std::vector<schema::RunConfig> grid, const Goal& goal, SearchOptions options = {});
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // The visits of the next round; several are to be made in random order. Empty: the search is
  // over, or has no time for more. `left_s`: wall time that is left for it. Then a point is worth
  // what it promises for the time that it takes, and as the time comes to an end, the best are
  // measured again before new points. `one_s`: where a run is gone on with, what it has at a time;
  // each time begins with new points.
  std::vector<Suggestion> ask(std::optional<double> left_s = std::nullopt,
                              std::optional<double> one_s = std::nullopt) const;

  // Whether all points were tried, or as many as are wanted, the sizes that cover the range among
  // them, and no other promises anything, however long it took.
  bool is_over() const;

  void tell(std::size_t point, const Observation& seen);
  // A point that failed twice is not asked for again. Where memory was out, neither are larger
  // batches of the same setting.
  void tell(std::size_t point, FailureKind failure);

  // A point that may not be picked, whatever its speed. It is not asked for any more; what is known
  // of it still tells of the others. `why`: not empty, without a full stop.
  void leave_out(std::size_t point, std::string why);

  // The points measured, the best first: those that keep the goal's bounds, then the others by how
  // far they miss them, then those that are left out.
  std::vector<PointEstimate> estimates() const;

  // Never tried, and neither failed nor left out.
  bool may_be_tried(std::size_t point) const;
  // By point, why it is left out; empty: it is not.
  std::vector<std::string> left_out() const;

  const std::vector<schema::RunConfig>& grid() const;
  const Goal& goal() const;
  int points() const;           // that may be measured
  int points_measured() const;  // different ones, with those that failed
  int visits() const;           // all that was told

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::tune
