#include "departure_power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/power.hpp"
#include "law_departure.hpp"

namespace batchscope::tables {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kPower = 0.8;

BlockTable moved(BlockTable table, std::size_t column, double by) {
  for (auto& block : table.blocks) block[column] += by;
  return table;
}

// Every column on the line that fits all of them.
BlockTable straightened(BlockTable table, const CurveProblem& problem, SizeSet all) {
  for (std::size_t s = 0; s < table.columns(); ++s) {
    const auto line = predict(CurveLaw::affine, problem.curve(), all, s);
    if (line) table = moved(table, s, line->log_time - problem.log_times[s]);
  }
  return table;
}

// A size between the ends, and how certain it is beside the line of the others.
struct SizePosition {
  std::size_t column = 0;
  double se = 0;
};

std::vector<SizePosition> least_certain(const BlockTable& straight, const DepartureOptions& options,
                                        SizeSet all) {
  const CurveProblem problem = make_problem(straight, options.method);
  std::vector<SizePosition> places;
  for (std::size_t s = 1; s + 1 < straight.columns(); ++s) {
    const auto off = departure_from_law(problem, CurveLaw::affine, all & ~(1u << s), s, 0);
    if (off && off->excess.n >= 2) places.push_back({s, off->excess.se});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const SizePosition& a, const SizePosition& b) { return a.se > b.se; });
  return places;
}

bool names(const BlockTable& table, const DepartureOptions& options, std::size_t column) {
  const Departure found = find_departure(table, options);
  if (!is_claim(found) || found.p >= options.alpha) return false;
  const auto& members = found.sets.front().members;
  return members.size() == 1 && members.front().size_index == column;
}

// Where it is named in half of such runs, in steps upwards from where its own test shows it.
double named_from(const BlockTable& straight, const DepartureOptions& options,
                  const SizePosition& place, double critical) {
  constexpr double kLargest = 3;  // ln: 20 times as long
  constexpr double kStep = 1.15;
  for (double by = std::log1p(options.delta) + critical * place.se; by < kLargest; by *= kStep) {
    if (names(moved(straight, place.column, by), options, place.column)) return by;
  }
  return kNever;
}

// Of one size among all, with as many blocks: in standard errors beyond the margin.
struct Limits {
  double critical = 0;  // shown in half of experiments
  double for_most = 0;  // in kPower of them
};

Limits limits_of(const BlockTable& table, const DepartureOptions& options) {
  stats::MeanEstimate unit;
  unit.se = 1;
  unit.n = table.blocks.size();
  unit.df = static_cast<double>(unit.n) - 1;
  unit.method = stats::Method::student_t;
  const double alpha = options.alpha / static_cast<double>(2 * table.columns());
  return {-stats::lower_bound(unit, 1 - alpha), stats::smallest_detectable(unit, alpha, kPower)};
}

}  // namespace

double departure_to_be_proven(const BlockTable& table, const DepartureOptions& options) {
  constexpr std::size_t kTried = 2;
  if (table.columns() < 4 || table.columns() > kMaxSizes || table.blocks.size() < 2) return kNever;
  const auto all = static_cast<SizeSet>((uint64_t{1} << table.columns()) - 1);
  const BlockTable straight = straightened(table, make_problem(table, options.method), all);
  const std::vector<SizePosition> places = least_certain(straight, options, all);
  const Limits limits = limits_of(table, options);
  double largest = places.empty() ? kNever : 0;
  for (std::size_t i = 0; i < std::min(kTried, places.size()); ++i) {
    largest = std::max(largest, named_from(straight, options, places[i], limits.critical));
  }
  const double margin = std::log1p(options.delta);
  return margin + (largest - margin) * limits.for_most / limits.critical;
}

}  // namespace batchscope::tables
