#pragma once

#include <optional>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/compare/equivalence.hpp"
#include "batchscope/tables/run_view.hpp"
#include "bounds.hpp"

namespace batchscope::analyze {

using Columns = std::vector<std::size_t>;

// A size of a table.
struct Pick {
  std::size_t group = 0;
  std::size_t column = 0;

  bool operator==(const Pick&) const = default;
};

// Two configurations held against each other.
struct RateContrast {
  std::vector<double> logs;
  timing::Unseen unseen;
};

// One run with its tables, and what a recommendation may choose from.
struct Choice {
  const tables::RunView& view;
  const std::vector<findings::Group>& groups;
  const Options& options;
  Bounds bounds;

  const findings::ConfigRow& row(const Pick& pick) const {
    return groups[pick.group].rows[pick.column];
  }
  // Whether the two can be ranked.
  bool comparable(const schema::RunConfig& a, const schema::RunConfig& b) const;
  // Of one engine, for tables of others are not ranked with it unless they compute the same.
  std::optional<compare::Mismatch> mismatch(const schema::RunConfig& config) const;
  // Why a size may not be chosen; nothing when it may.
  std::optional<findings::LeftOutReason> left_out(const Pick& pick) const;
  // Whether a size that is ranked with those of the table is left out because its visits may still
  // hold warm-up.
  bool any_warming(std::size_t group) const;
  // The columns of a table that may be chosen.
  Columns feasible(std::size_t group) const;
};

// The most throughput (see best_column) among the tables of the same work as table `first`.
std::optional<Pick> fastest(const Choice& choice, std::size_t first);

// Of the same work, whatever comes nearest to the bounds, which nothing keeps.
std::optional<Pick> nearest(const Choice& choice, std::size_t first);

// Sizes of the table of the best that give away nothing that matters, and it, ascending: not told
// apart from it and at most 0.5 % behind, or shown to be less behind than Options::practical for
// each time that a batch of the best takes twice as long, 1.5 % at most.
Columns tied_columns(const Choice& choice, const Pick& best);

// What a gain is against: the size that the user has now, else the smallest, in the first table of
// the work that holds it. The first value of every other axis is the current one.
Pick baseline_of(const Choice& choice, const Pick& best);

// How many configurations of the same work may be chosen beside the baseline.
std::size_t competitors(const Choice& choice, const Pick& baseline);

// ln of the throughput of one over that of the other, in the blocks that hold both.
RateContrast rate_contrast(const Choice& choice, const Pick& pick, const Pick& baseline);

}  // namespace batchscope::analyze
