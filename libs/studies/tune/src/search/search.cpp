#include "batchscope/tune/search.hpp"

#include <algorithm>

#include "halving.hpp"
#include "knowledge.hpp"
#include "propose.hpp"

namespace batchscope::tune {
namespace {

int visits_of(const PointFacts& facts) {
  return static_cast<int>(facts.log_times.size()) + facts.failures;
}

}  // namespace

struct Search::State {
  Knowledge known;
  SearchOptions options;
  int points = 0;

  // The next point that was not tried; nullopt when none promises anything.
  std::optional<Suggestion> new_point(const TimeBudget& purse) const;
  // The same of those that are worth their time once there are as many as are wanted.
  std::optional<Suggestion> one_more(const TimeBudget& purse) const;
  // Once the range is covered, before what is next follows from single visits.
  std::vector<Suggestion> second_checks(const TimeBudget& purse) const;
};

std::string_view to_string(SearchRule stage) {
  switch (stage) {
    case SearchRule::grid:
      return "grid";
    case SearchRule::setting:
      return "setting";
    case SearchRule::law:
      return "law";
    case SearchRule::gap:
      return "gap";
    case SearchRule::neighbor:
      return "neighbor";
    case SearchRule::again:
      return "again";
    case SearchRule::halving:
      break;
  }
  return "halving";
}

int default_points(std::size_t grid) {
  constexpr std::size_t kLarge = 150;
  constexpr int kFewest = 8;
  const auto all = static_cast<int>(grid);
  if (grid >= kLarge) return all / 10;
  return std::min(all, std::max(kFewest, all / 5));
}

std::vector<Suggestion> Search::State::second_checks(const TimeBudget& purse) const {
  if (ranked(known).empty() || begin_with(known, points, purse)) return {};
  return look_twice(known, purse);
}

Search::Search(std::vector<schema::RunConfig> grid, const Goal& goal, SearchOptions options)
    : state_(std::make_unique<State>(
          State{Knowledge(std::move(grid), goal, options), std::move(options), 0})) {
  const std::size_t all = state_->known.grid().size();
  state_->points = std::clamp(state_->known.goal().points.value_or(default_points(all)), 1,
                              static_cast<int>(all));
}

Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

std::optional<Suggestion> Search::State::one_more(const TimeBudget& purse) const {
  return known.goal().points || ranked(known).empty() ? std::nullopt : propose_more(known, purse);
}

std::optional<Suggestion> Search::State::new_point(const TimeBudget& purse) const {
  const bool more = known.tried() >= points;
  if (!more || !known.goal().points) {
    if (auto first = begin_with(known, points, purse)) return first;
  }
  if (more) return purse.is_limited() ? one_more(purse) : std::nullopt;
  if (!ranked(known).empty()) return propose(known, options, points, purse);
  // All that was tried failed.
  for (const Lane& lane : known.lanes()) {
    for (const std::size_t point : lane.points) {
      if (!known.is_open(point)) continue;
      return Suggestion{point, SearchRule::grid,
                        "all points so far failed; this is the smallest size left"};
    }
  }
  return std::nullopt;
}

std::vector<Suggestion> Search::ask(std::optional<double> left_s,
                                    std::optional<double> one_s) const {
  if (left_s && *left_s <= 0) return {};
  const Knowledge& known = state_->known;
  const TimeBudget purse(known.costs(), left_s, one_s);
  if (!ranked(known).empty() && purse.is_time_to_halve()) {
    if (auto best = halve(known); !best.empty()) return best;
  }
  if (auto again = state_->second_checks(purse); !again.empty()) return again;
  if (const auto next = state_->new_point(purse)) return {*next};
  if (const auto next = state_->new_point(purse.opened())) return {*next};
  return halve(known);
}

bool Search::is_over() const {
  const TimeBudget unlimited(state_->known.costs());
  return !state_->new_point(unlimited) && !state_->one_more(unlimited);
}

void Search::tell(std::size_t point, const Observation& seen) {
  state_->known.tell(point, seen);
}

void Search::tell(std::size_t point, FailureKind failure) {
  state_->known.tell(point, failure);
}

void Search::leave_out(std::size_t point, std::string why) {
  state_->known.leave_out(point, std::move(why));
}

std::vector<PointEstimate> Search::estimates() const {
  std::vector<PointEstimate> made;
  const Knowledge& known = state_->known;
  for (const std::size_t point : ranked(known)) made.push_back(known.estimate(point));
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const PointFacts& facts = known.facts(i);
    if (!facts.log_times.empty() && !facts.left_out.empty()) made.push_back(known.estimate(i));
  }
  return made;
}

bool Search::may_be_tried(std::size_t point) const {
  const PointFacts& facts = state_->known.facts(point);
  return !facts.tried() && !facts.ruled_out;
}

std::vector<std::string> Search::left_out() const {
  std::vector<std::string> why;
  for (const PointFacts& facts : state_->known.all()) why.push_back(facts.left_out);
  return why;
}

const std::vector<schema::RunConfig>& Search::grid() const {
  return state_->known.grid();
}

const Goal& Search::goal() const {
  return state_->known.goal();
}

int Search::points() const {
  return state_->points;
}

int Search::points_measured() const {
  return state_->known.tried();
}

int Search::visits() const {
  int visits = 0;
  for (const PointFacts& facts : state_->known.all()) visits += visits_of(facts);
  return visits;
}

}  // namespace batchscope::tune
