// How good the pick of a search is that measures few points of a table, with 3 % noise a visit.

#include <fmt/format.h>

#include "batchscope/tune/outcome.hpp"
#include "row.hpp"
#include "search_laws.hpp"

namespace batchscope::truth {
namespace {

constexpr double kGood = 0.98;
constexpr double kNoise = 0.03;

bool finds_the_best(const LawFamily& family, uint64_t seed) {
  const auto table = family.draw(seed);
  tune::Replay replay(table, kNoise, seed);
  const int points =
      family.hard ? static_cast<int>(table.size()) / 2 : tune::default_points(table.size());
  tune::Goal goal;
  goal.points = points;
  tune::Search search(replay.grid(), goal);
  tune::run(search, replay);
  const bool few = search.points_measured() <= points;
  return few && tune::share_of_best(table, *tune::outcome_of(search).pick, {}) >= kGood;
}

}  // namespace

std::vector<Row> search_rows() {
  std::vector<Row> rows;
  for (const LawFamily& family : law_families()) {
    rows.push_back({"Search",
                    fmt::format("{}, {}: throughput at least 98 % of the best, from at most {}",
                                family.name, family.grid,
                                family.hard ? "half of the points"
                                            : "max(8, 20 %) of the points, 10 % from 150"),
                    {0.95, std::nullopt},
                    [family](uint64_t seed) { return finds_the_best(family, seed); }});
  }
  return rows;
}

}  // namespace batchscope::truth
