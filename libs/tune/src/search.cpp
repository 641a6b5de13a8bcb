#include "batchscope/tune/search.hpp"

#include <algorithm>

#include "halving.hpp"
#include "knowledge.hpp"
#include "propose.hpp"

namespace batchscope::tune {

struct Search::State {
  Knowledge known;
  SearchOptions options;
  int points = 0;

  // Of the sizes that a search begins with, the next: ascending and one by one, so that where
  // memory is out nothing larger is tried.
  std::optional<Ask> beginning() const;
  // The next point that was not tried; nullopt when none promises anything.
  std::optional<Ask> new_point() const;
};

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::grid:
      return "grid";
    case Stage::setting:
      return "setting";
    case Stage::law:
      return "law";
    case Stage::gap:
      return "gap";
    case Stage::neighbor:
      return "neighbor";
    case Stage::halving:
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

std::optional<Ask> Search::State::beginning() const {
  for (const std::size_t point : first_points(known, points)) {
    if (known.facts(point).tried() || known.facts(point).ruled_out) continue;
    return Ask{point, Stage::grid, "one of the sizes that cover the range in even steps"};
  }
  return std::nullopt;
}

Search::Search(std::vector<schema::RunConfig> grid, Goal goal, SearchOptions options)
    : state_(std::make_unique<State>(
          State{Knowledge(std::move(grid), goal, options.noise), std::move(options), 0})) {
  const std::size_t all = state_->known.grid().size();
  state_->points =
      std::clamp(state_->options.points.value_or(default_points(all)), 1, static_cast<int>(all));
}

Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

std::optional<Ask> Search::State::new_point() const {
  if (auto first = beginning()) return first;
  if (!ranked(known).empty()) return propose(known, options, points);
  // All that was tried failed.
  for (const Lane& lane : known.lanes()) {
    for (const std::size_t point : lane.points) {
      if (known.facts(point).tried() || known.facts(point).ruled_out) continue;
      return Ask{point, Stage::grid,
                 "all that was tried failed; this is the smallest that is left"};
    }
  }
  return std::nullopt;
}

namespace {

// Of all the visits that there is time for: where they are few, points need theirs too.
int kept_for_halving(int all_visits) {
  constexpr double kShare = 0.45;
  return std::min(halving_visits(), static_cast<int>(kShare * all_visits));
}

}  // namespace

std::vector<Ask> Search::ask(std::optional<int> visits_left) const {
  if (visits_left && *visits_left <= 0) return {};
  const Knowledge& known = state_->known;
  const bool hurry = visits_left && !ranked(known).empty() &&
                     *visits_left <= kept_for_halving(*visits_left + visits());
  if (known.tried() < state_->points && !hurry) {
    if (const auto next = state_->new_point()) return {*next};
  }
  return halve(known);
}

void Search::tell(std::size_t point, const Observation& seen) {
  state_->known.tell(point, seen);
}

void Search::tell(std::size_t point, Failure failure) {
  state_->known.tell(point, failure);
}

std::vector<Standing> Search::standings() const {
  std::vector<Standing> made;
  for (const std::size_t point : ranked(state_->known))
    made.push_back(state_->known.standing(point));
  return made;
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
  for (const PointFacts& facts : state_->known.all()) {
    visits += static_cast<int>(facts.log_times.size()) + facts.failures;
  }
  return visits;
}

}  // namespace batchscope::tune
