#include "departure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "law_departure.hpp"

namespace batchscope::tables {
namespace {

// Simplest first: of two explanations that leave out equally many sizes the simpler law stands.
constexpr std::array kLaws = {CurveLaw::affine, CurveLaw::staircase, CurveLaw::roofline,
                              CurveLaw::cache_step};
constexpr std::size_t kFewestSizes = 4;
// Beyond, the sets would be too many to try them all.
std::size_t most_removed(std::size_t sizes) {
  const std::size_t tried = sizes <= 12 ? 4 : sizes <= 18 ? 3 : 2;
  return std::min(tried, (sizes - 2) / 2);
}

struct Search {
  CurveProblem problem;
  double alpha;
  double tolerance;  // ln(1 + delta)
  SizeSet all;
};

std::size_t count(SizeSet set) {
  return static_cast<std::size_t>(__builtin_popcount(set));
}

// The fewest sizes a law must be seen to explain. Three and more coefficients bend to whatever they
// are shown, the more so when sizes may be left out.
std::size_t sizes_needed(CurveLaw law, bool all_kept) {
  switch (law) {
    case CurveLaw::affine:
      return 3;
    case CurveLaw::staircase:
    case CurveLaw::roofline:
      return all_kept ? 6 : 9;
    case CurveLaw::cache_step:
      return all_kept ? 8 : kMaxSizes + 1;
  }
  return kMaxSizes + 1;
}

// The p-value of "one law explains all sizes outside `removed`": the smallest of the sizes'. Each
// is held against the line of the others. For laws with bends a size left out next to a bend is not
// determined by the others; there it is held against the fit to all, at half the tolerance, since
// that fit was drawn towards it.
std::optional<double> p_of_law(const Search& search, CurveLaw law, SizeSet removed) {
  const SizeSet rest = search.all & ~removed;
  if (count(rest) < sizes_needed(law, removed == 0)) return std::nullopt;
  const bool leave_out = law == CurveLaw::affine;
  double smallest = 1;
  for (std::size_t s = 0; s < search.problem.sizes.size(); ++s) {
    if (!holds(rest, s)) continue;
    const SizeSet fitted = leave_out ? rest & ~(1u << s) : rest;
    const double tolerance = leave_out ? search.tolerance : search.tolerance / 2;
    const auto member = departure_from_law(search.problem, law, fitted, s, tolerance);
    if (!member) return std::nullopt;
    smallest = std::min(smallest, member->p);
  }
  return smallest;
}

// Whether a member is also beyond the tolerance of the straight line through the nearest sizes that
// stay, one on each side: where a curve only bends, its neighbours bend with it. True at an end,
// where there is no such line.
bool is_outlier(const Search& search, SizeSet removed, std::size_t s) {
  const SizeSet rest = search.all & ~removed;
  const SizeSet below = rest & ((1u << s) - 1);
  const SizeSet above = rest & ~((2u << s) - 1);
  if (below == 0 || above == 0) return true;
  const SizeSet nearest = (1u << (31 - __builtin_clz(below))) | (above & (~above + 1));
  const auto member =
      departure_from_law(search.problem, CurveLaw::affine, nearest, s, search.tolerance);
  return member && member->p < search.alpha;
}

// The members that lie at an end: before the first size that stays, or after the last.
SizeSet members_at_end(SizeSet set, SizeSet all) {
  const SizeSet rest = all & ~set;
  const SizeSet from_first = ~((rest & (~rest + 1)) - 1);
  const SizeSet up_to_last = (SizeSet{2} << (31 - __builtin_clz(rest))) - 1;
  return set & ~(from_first & up_to_last);
}

// nullopt unless every member departs from the law of the sizes outside.
std::optional<DepartureSet> judge_members(const Search& search, CurveLaw law, SizeSet removed) {
  DepartureSet set;
  const SizeSet at_end = members_at_end(removed, search.all);
  set.at_end = at_end == removed;
  for (std::size_t s = 0; s < search.problem.sizes.size(); ++s) {
    if (!holds(removed, s)) continue;
    auto member =
        departure_from_law(search.problem, law, search.all & ~removed, s, search.tolerance);
    if (!member || member->p >= search.alpha || !is_outlier(search, removed, s)) {
      return std::nullopt;
    }
    member->at_end = holds(at_end, s);
    member->provable = at_end == 0;
    set.members.push_back(*member);
    set.largest_p = std::max(set.largest_p, p_beyond(member->excess, search.tolerance));
  }
  return set;
}

// Calls `visit` with every set of k of n columns (Gosper's enumeration).
template <class Visit>
void for_each_subset(std::size_t n, std::size_t k, Visit visit) {
  if (k == 0) return visit(SizeSet{0});
  const uint64_t end = uint64_t{1} << n;
  for (uint64_t set = (uint64_t{1} << k) - 1; set < end;) {
    visit(static_cast<SizeSet>(set));
    const uint64_t lowest = set & (~set + 1);
    const uint64_t ripple = set + lowest;
    set = (((set ^ ripple) >> 2) / lowest) | ripple;
  }
}

struct Round {
  std::vector<DepartureSet> accepted;
  double largest_rejected_p = 0;
};

Round try_sets(const Search& search, CurveLaw law, std::size_t k) {
  Round round;
  for_each_subset(search.problem.sizes.size(), k, [&](SizeSet removed) {
    const auto p = p_of_law(search, law, removed);
    if (!p) return;
    if (*p < search.alpha) {
      round.largest_rejected_p = std::max(round.largest_rejected_p, *p);
    } else if (auto set = judge_members(search, law, removed)) {
      round.accepted.push_back(std::move(*set));
    }
  });
  return round;
}

// Where all sizes are explained, but not by a straight line: does one explain all but an end?
std::vector<DepartureSet> straight_but_for_an_end(const Search& search, std::size_t most) {
  for (std::size_t k = 1; k <= most; ++k) {
    Round round = try_sets(search, CurveLaw::affine, k);
    if (round.accepted.empty()) continue;
    std::erase_if(round.accepted, [](const DepartureSet& set) { return !set.at_end; });
    return std::move(round.accepted);
  }
  return {};
}

double binomial(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) {
    ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return std::round(ways);
}

void accept(Departure& result, Round round, std::size_t sizes, CurveLaw law, double rejected_p) {
  const std::size_t k = round.accepted.front().members.size();
  result.law = law;
  if (k == 0) {
    result.outcome = DepartureOutcome::one_law;
    return;
  }
  result.outcome =
      round.accepted.size() == 1 ? DepartureOutcome::departs : DepartureOutcome::one_of;
  result.choices = binomial(sizes, k);
  result.p = rejected_p;
  for (const auto& set : round.accepted) {
    result.p = std::max(result.p, std::min(1.0, result.choices * set.largest_p));
  }
  result.sets = std::move(round.accepted);
}

Departure search_sets(const Search& search) {
  Departure result;
  result.outcome = DepartureOutcome::no_law;
  const std::size_t most = most_removed(search.problem.sizes.size());
  double rejected_p = 0;
  for (std::size_t k = 0; k <= most; ++k) {
    for (const CurveLaw law : kLaws) {
      Round round = try_sets(search, law, k);
      rejected_p = std::max(rejected_p, round.largest_rejected_p);
      if (round.accepted.empty()) continue;
      accept(result, std::move(round), search.problem.sizes.size(), law, rejected_p);
      if (k == 0 && law != CurveLaw::affine) {
        result.sets = straight_but_for_an_end(search, most);
      }
      return result;
    }
  }
  return result;
}

BlockTable without(const BlockTable& table, const std::vector<std::size_t>& columns) {
  BlockTable rest;
  rest.blocks.resize(table.blocks.size());
  for (std::size_t s = 0; s < table.columns(); ++s) {
    if (std::find(columns.begin(), columns.end(), s) != columns.end()) continue;
    rest.sizes.push_back(table.sizes[s]);
    for (std::size_t k = 0; k < table.blocks.size(); ++k) {
      rest.blocks[k].push_back(table.blocks[k][s]);
    }
  }
  return rest;
}

// Batch 1 may run through a kernel of its own, and the other sizes still hold an odd one among
// them. But a curve that bends at an end can also be read as an odd end with an odd size beside it:
// so what lies inside must be found by the sizes inside alone.
void find_again_inside(const BlockTable& table, const DepartureOptions& options,
                       Departure& result) {
  DepartureSet& set = result.sets.front();
  std::vector<std::size_t> ends;
  std::vector<int64_t> inside;
  for (const DepartureMember& member : set.members) {
    if (member.at_end) ends.push_back(member.size_index);
    if (!member.at_end) inside.push_back(table.sizes[member.size_index]);
  }
  if (ends.empty() || inside.empty()) return;
  const BlockTable rest = without(table, ends);
  const Departure again = find_departure(rest, options);
  if (again.outcome != DepartureOutcome::departs) return;
  std::vector<int64_t> found;
  for (const DepartureMember& member : again.sets.front().members) {
    if (member.provable) found.push_back(rest.sizes[member.size_index]);
  }
  if (found != inside) return;
  result.p = std::max(result.p, again.p);
  for (DepartureMember& member : set.members) member.provable = !member.at_end;
}

bool is_provable(const DepartureMember& member) {
  return member.provable;
}

}  // namespace

bool is_claim(const Departure& departure) {
  if (departure.outcome != DepartureOutcome::departs) return false;
  const auto& members = departure.sets.front().members;
  return std::any_of(members.begin(), members.end(), is_provable);
}

bool is_settled(const Departure& departure) {
  if (departure.outcome == DepartureOutcome::one_law) return departure.sets.empty();
  if (departure.outcome != DepartureOutcome::departs) return false;
  const auto& members = departure.sets.front().members;
  return std::all_of(members.begin(), members.end(), is_provable);
}

Departure find_departure(const BlockTable& table, const DepartureOptions& options) {
  const std::size_t n = table.columns();
  if (n < kFewestSizes || n > kMaxSizes || table.blocks.empty()) return {};
  const Search search{make_problem(table, options.method), options.alpha, std::log1p(options.delta),
                      static_cast<SizeSet>((uint64_t{1} << n) - 1)};
  Departure result = search_sets(search);
  result.n_blocks = table.blocks.size();
  if (result.outcome == DepartureOutcome::departs) find_again_inside(table, options, result);
  return result;
}

double p_again(const Departure& departure, const BlockTable& table,
               const DepartureOptions& options) {
  const CurveProblem problem = make_problem(table, options.method);
  const auto& members = departure.sets.front().members;
  auto rest = static_cast<SizeSet>((uint64_t{1} << table.columns()) - 1);
  for (const DepartureMember& member : members) rest &= ~(SizeSet{1} << member.size_index);
  const double tolerance = std::log1p(options.delta);
  double largest = 0;
  for (const DepartureMember& member : members) {
    if (!member.provable) continue;
    const auto again =
        departure_from_law(problem, departure.law, rest, member.size_index, tolerance);
    const bool same_way = again && again->excess.value * member.excess.value > 0;
    largest = std::max(largest, same_way ? p_beyond(again->excess, tolerance) : 1.0);
  }
  return std::min(1.0, departure.choices * largest);
}

std::vector<DepartureMember> odd_neighbours(const BlockTable& table,
                                            const DepartureOptions& options) {
  std::vector<DepartureMember> odd;
  if (table.blocks.empty() || table.columns() > kMaxSizes) return odd;
  const CurveProblem problem = make_problem(table, options.method);
  for (std::size_t s = 1; s + 1 < table.columns(); ++s) {
    const SizeSet neighbours = (1u << (s - 1)) | (1u << (s + 1));
    const auto member =
        departure_from_law(problem, CurveLaw::affine, neighbours, s, std::log1p(options.delta));
    if (member && member->p < options.alpha) odd.push_back(*member);
  }
  return odd;
}

}  // namespace batchscope::tables
