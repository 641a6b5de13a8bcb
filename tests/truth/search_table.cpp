#include "search_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <vector>

#include "batchscope/base/file.hpp"
#include "batchscope/csv/import_csv.hpp"
#include "batchscope/tune/outcome.hpp"
#include "quick_searches.hpp"
#include "search_laws.hpp"

namespace batchscope::truth {
namespace {

constexpr double kGood = 0.98;
constexpr double kNoise = 0.03;
constexpr std::array kShares = {0.0, 0.25, 0.33, 0.5};

Picked tuned_with(tune::Replay& replay, const tune::Goal& goal) {
  tune::Search search(replay.grid(), goal);
  Picked picked;
  tune::run(search, replay,
            [&](const tune::Suggestion& ask) { picked.measured.insert(ask.point); });
  picked.point = *tune::outcome_of(search).pick;
  return picked;
}

Picked tuned(tune::Replay& replay) {
  return tuned_with(replay, {});
}

using SearchFunction = Picked (*)(tune::Replay&);
constexpr std::array<SearchFunction, 4> kSearches = {tuned, doubling, hill_climbing, largest_batch};

struct Tally {
  int good = 0;
  double points = 0;
  double share = 0;  // of the best, summed
};

std::string row(const std::string& name, const std::string& grid, int experiments,
                uint64_t first_seed,
                const std::function<std::vector<tune::RecordedTable>(uint64_t)>& draw) {
  std::array<Tally, kSearches.size()> tallies;
  for (int i = 0; i < experiments; ++i) {
    const uint64_t seed = first_seed + static_cast<uint64_t>(i);
    const auto table = draw(seed);
    for (std::size_t s = 0; s < kSearches.size(); ++s) {
      tune::Replay replay(table, kNoise, seed);
      const Picked picked = kSearches[s](replay);
      const double share = tune::share_of_best(table, picked.point, {});
      tallies[s].good += share >= kGood ? 1 : 0;
      tallies[s].share += share;
      tallies[s].points += static_cast<double>(picked.measured.size());
    }
  }
  std::string line = fmt::format("| {} | {} |", name, grid);
  for (const Tally& tally : tallies) {
    line += fmt::format(" {:.1f} % ({:.1f} %) | {:.1f} |", 100.0 * tally.good / experiments,
                        100 * tally.share / experiments, tally.points / experiments);
  }
  return line + "\n";
}

std::vector<std::filesystem::path> tables_in(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<tune::RecordedTable> table_of(const std::filesystem::path& path) {
  const auto text = base::read_file(path);
  if (!text) return {};
  const auto run = csv::import_csv(*text, path.stem().string(), {});
  if (!run) return {};
  return tune::recorded_points(*run, {}).value_or({});
}

// How often the pick of a search is good that measures a share of the points.
std::string rates_by_points(const LawFamily& family, int experiments, uint64_t first_seed) {
  std::string line = fmt::format("| {} | {} |", family.name, family.grid);
  for (const double share : kShares) {
    Tally tally;
    for (int i = 0; i < experiments; ++i) {
      const uint64_t seed = first_seed + static_cast<uint64_t>(i);
      const auto table = family.draw(seed);
      tune::Replay replay(table, kNoise, seed);
      tune::Goal goal;
      if (share > 0) goal.points = static_cast<int>(share * static_cast<double>(table.size()));
      const Picked picked = tuned_with(replay, goal);
      tally.good += tune::share_of_best(table, picked.point, {}) >= kGood ? 1 : 0;
      tally.points += static_cast<double>(picked.measured.size());
    }
    line += fmt::format(" {:.1f} % ({:.0f}) |", 100.0 * tally.good / experiments,
                        tally.points / experiments);
  }
  return line + "\n";
}

std::string points_section(int experiments, uint64_t first_seed) {
  std::string text = fmt::format(
      "\n## Search by how many points it measures\n\n"
      "Share of {} searches whose pick has at least 98 % of the best throughput of the whole "
      "table, "
      "and in parentheses the points measured; 3 % noise a visit. Share 0: as many as `tune` "
      "takes without `--points`.\n\n| table | grid |",
      experiments);
  for (const double share : kShares) text += fmt::format(" share {} |", share);
  text += "\n|---|---|";
  for (std::size_t i = 0; i < kShares.size(); ++i) text += "---|";
  text += "\n";
  for (const LawFamily& family : law_families()) {
    if (family.settings) text += rates_by_points(family, experiments, first_seed);
  }
  return text;
}

}  // namespace

std::string search_section(int experiments, uint64_t first_seed, const std::string& profiles) {
  std::string text = fmt::format(
      "\n## Search, compared with quick searches\n\n"
      "Share of {} searches whose pick has at least 98 % of the best throughput of the whole table "
      "(in parentheses: its mean share of the best), and the different points measured, on the "
      "same tables with 3 % noise a visit. Doubling: until it no longer helps, in the first "
      "setting. Hill climbing: to the best neighbor, sizes doubled or halved, as Model Analyzer's "
      "quick search. Largest: the largest batch that runs, by bisection, in the first setting.\n\n"
      "| table | grid | tune | points | doubling | points | hill climbing | points | largest | "
      "points |\n|---|---|---|---|---|---|---|---|---|---|\n",
      experiments);
  for (const LawFamily& family : law_families()) {
    text += row(family.name, family.grid, experiments, first_seed, family.draw);
  }
  for (const auto& path : tables_in(profiles)) {
    const auto table = table_of(path);
    if (table.empty()) continue;
    text += row(path.stem().string(), fmt::format("{} points", table.size()), experiments,
                first_seed, [&](uint64_t) { return table; });
  }
  return text + points_section(experiments, first_seed);
}

}  // namespace batchscope::truth
