#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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

template <class Key>
int number_of(std::map<Key, int>& known, const Key& key) {
  return known.try_emplace(key, static_cast<int>(known.size())).first->second;
}

}  // namespace

Geometry::Geometry(const std::vector<schema::RunConfig>& grid) {
  std::map<std::string, int> engines;
  std::map<schema::Precision, int> precisions;
  std::map<schema::RunConfig, int> others;
  const bool step_kept = keeps_step(grid);
  for (const schema::RunConfig& config : grid) {
    schema::RunConfig rest = setting_of(config, step_kept);
    rest.engine.clear();
    rest.precision = schema::Precision::fp32;
    rest.threads = rest.instances = 1;
    Place place;
    place.log_batch = std::log2(static_cast<double>(config.shape.batch_size));
    place.log_threads = std::log2(static_cast<double>(std::max(config.threads, 1)));
    place.log_instances = std::log2(static_cast<double>(std::max(config.instances, 1)));
    place.kinds = {number_of(engines, config.engine), number_of(precisions, config.precision),
                   number_of(others, rest)};
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
  const double counts =
      std::abs(x.log_threads - y.log_threads) + std::abs(x.log_instances - y.log_instances);
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
