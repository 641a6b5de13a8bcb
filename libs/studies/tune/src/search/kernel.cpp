#include "kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "batchscope/schema/axes.hpp"
#include "setting.hpp"

namespace batchscope::tune {
namespace {

// Correlation lengths: of the batch size in octaves, of threads and instances the same; and the
// correlation of two settings that differ in one thing that has no order.
constexpr double kSmoothOctaves = 2.5;
constexpr double kLocalOctaves = 0.25;
constexpr double kCountOctaves = 2.0;
constexpr double kShapeCountOctaves = 8.0;  // threads change how fast, hardly how it grows
constexpr double kOtherKind = 0.5;
constexpr double kConstant = 1.0;  // the mean of everything, which is hardly known

// Matern 3/2: rough enough for steps.
double matern(double distance, double length) {
  const double r = std::sqrt(3.0) * distance / length;
  return (1 + r) * std::exp(-r);
}

using schema::AxisId;
using schema::RunConfig;

// How an axis sets points apart: along the batch size; by octaves of a count; by being another
// kind.
enum class Apart { batch, count, kind };

struct AxisDistance {
  AxisId id;
  Apart apart;
  int RunConfig::*count = nullptr;
};

// All others together.
constexpr std::array kDistances = {
    AxisDistance{AxisId::engine, Apart::kind}, AxisDistance{AxisId::batch_size, Apart::batch},
    AxisDistance{AxisId::precision, Apart::kind},
    AxisDistance{AxisId::threads, Apart::count, &RunConfig::threads},
    AxisDistance{AxisId::instances, Apart::count, &RunConfig::instances}};

template <class Key>
int number_of(std::map<Key, int>& known, const Key& key) {
  return known.try_emplace(key, static_cast<int>(known.size())).first->second;
}

double octaves_of(int64_t count) {
  return std::log2(static_cast<double>(std::max<int64_t>(count, 1)));
}

}  // namespace

Geometry::Geometry(const std::vector<RunConfig>& grid) {
  std::map<std::pair<AxisId, std::string>, int> kinds;
  std::map<RunConfig, int> others;
  const bool step_kept = keeps_step(grid);
  for (const RunConfig& config : grid) {
    Place place;
    place.log_batch = octaves_of(config.shape.batch_size);
    RunConfig rest = setting_of(config, step_kept);
    for (const AxisDistance& each : kDistances) {
      const schema::Axis& axis = schema::axis(each.id);
      if (each.apart == Apart::count) place.log_counts.push_back(octaves_of(config.*each.count));
      if (each.apart == Apart::kind) {
        const std::string value = axis.parts.front().value(config);
        place.kinds.push_back(number_of(kinds, std::pair(each.id, value)));
      }
      axis.forget(rest);
    }
    place.kinds.push_back(number_of(others, rest));
    places_.push_back(place);
  }
}

Geometry::Parts Geometry::parts(std::size_t a, std::size_t b) const {
  const Place& x = places_[a];
  const Place& y = places_[b];
  double kind = 1;
  for (std::size_t i = 0; i < x.kinds.size(); ++i) {
    if (x.kinds[i] != y.kinds[i]) kind *= kOtherKind;
  }
  double counts = 0;
  for (std::size_t i = 0; i < x.log_counts.size(); ++i) {
    counts += std::abs(x.log_counts[i] - y.log_counts[i]);
  }
  const double octaves = std::abs(x.log_batch - y.log_batch);
  const double shape = kind * std::exp(-counts / kShapeCountOctaves);
  return {kind * std::exp(-counts / kCountOctaves), shape * matern(octaves, kSmoothOctaves),
          shape * matern(octaves, kLocalOctaves)};
}

double Geometry::covariance(const Parts& parts, const Amplitudes& amplitudes) {
  return kConstant + amplitudes.setting * amplitudes.setting * parts.setting +
         amplitudes.smooth * amplitudes.smooth * parts.smooth +
         amplitudes.local * amplitudes.local * parts.local;
}

}  // namespace batchscope::tune
