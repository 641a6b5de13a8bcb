#include "quick_searches.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace batchscope::truth {
namespace {

// Measures each point once and remembers it: samples a second, 0 for a failure.
class Measured {
 public:
  explicit Measured(tune::Replay& replay) : replay_(replay) {}

  double rate(std::size_t point) {
    const auto [found, is_new] = rates_.try_emplace(point, 0);
    if (!is_new) return found->second;
    const auto outcome = replay_.visit(point);
    if (const auto* const seen = std::get_if<tune::Observation>(&outcome)) {
      const auto& config = replay_.table()[point].config;
      found->second = static_cast<double>(schema::samples_at_once(config)) / seen->mean_s;
    }
    return found->second;
  }

  Picked best() const {
    Picked picked;
    double most = -1;
    for (const auto& [point, rate] : rates_) {
      picked.measured.insert(point);
      if (rate > most) picked.point = point;
      most = std::max(most, rate);
    }
    return picked;
  }

 private:
  tune::Replay& replay_;
  std::map<std::size_t, double> rates_;
};

// Points of the setting of point 0, by batch size.
std::map<int64_t, std::size_t> first_lane(const tune::Replay& replay) {
  const auto& table = replay.table();
  std::map<int64_t, std::size_t> lane;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool same = schema::without_batch_size(table[i].config) ==
                      schema::without_batch_size(table.front().config);
    if (same) lane[table[i].config.shape.batch_size] = i;
  }
  return lane;
}

// Each setting as a place on its axis; the batch size as its doublings.
struct Place {
  std::vector<int64_t> settings;
  int64_t batch_size = 1;
  auto operator<=>(const Place&) const = default;
};

Place place_of(const schema::RunConfig& config) {
  return {{static_cast<int64_t>(std::log2(config.threads)),
           static_cast<int64_t>(std::log2(config.instances)), config.engine == "b" ? 1 : 0,
           static_cast<int64_t>(config.precision)},
          config.shape.batch_size};
}

std::vector<Place> neighbors_of(const Place& place) {
  std::vector<Place> all;
  for (const int64_t step : {-1, 1}) {
    for (std::size_t axis = 0; axis < place.settings.size(); ++axis) {
      all.push_back(place);
      all.back().settings[axis] += step;
    }
  }
  all.push_back({place.settings, 2 * place.batch_size});
  all.push_back({place.settings, place.batch_size / 2});
  return all;
}

}  // namespace

Picked doubling(tune::Replay& replay) {
  Measured measured(replay);
  const auto lane = first_lane(replay);
  double before = 0;
  for (int64_t size = 1; lane.count(size) > 0; size *= 2) {
    const double rate = measured.rate(lane.at(size));
    if (rate <= before) break;
    before = rate;
  }
  return measured.best();
}

Picked largest_batch(tune::Replay& replay) {
  Measured measured(replay);
  const auto lane = first_lane(replay);
  std::vector<std::size_t> points;
  for (const auto& [size, point] : lane) points.push_back(point);
  std::size_t runs = 0, fails = points.size();
  for (std::size_t at = points.size() - 1; runs + 1 < fails; at = (runs + fails) / 2) {
    (measured.rate(points[at]) > 0 ? runs : fails) = at;
  }
  Picked picked = measured.best();
  picked.point = points[runs];
  return picked;
}

Picked hill_climbing(tune::Replay& replay) {
  Measured measured(replay);
  std::map<Place, std::size_t> places;
  for (std::size_t i = 0; i < replay.table().size(); ++i) {
    places[place_of(replay.table()[i].config)] = i;
  }
  std::size_t at = 0;
  for (bool climbing = true; climbing;) {
    climbing = false;
    const std::size_t from = at;
    for (const Place& next : neighbors_of(place_of(replay.table()[from].config))) {
      const auto found = places.find(next);
      if (found == places.end() || measured.rate(found->second) <= measured.rate(at)) continue;
      at = found->second;
      climbing = true;
    }
  }
  return measured.best();
}

}  // namespace batchscope::truth
