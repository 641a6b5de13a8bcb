#include "belief.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cholesky.hpp"
#include "kernel.hpp"

namespace batchscope::tune {
namespace {

std::vector<std::size_t> measured_of(const Knowledge& known,
                                     const std::vector<std::size_t>& points) {
  std::vector<std::size_t> measured;
  std::copy_if(points.begin(), points.end(), std::back_inserter(measured),
               [&](std::size_t point) { return !known.facts(point).log_times.empty(); });
  return measured;
}

// What is measured, as the process sees it.
struct Data {
  std::vector<std::size_t> points;
  std::vector<double> left;      // of ln time, by the shape and the mean
  std::vector<double> variance;  // of each, from the noise of its visits
  double mean = 0;
};

// Laws are of one batch; an iteration takes as many as are accumulated.
double shape_at(const Knowledge& known, const std::optional<ShapeLaw>& shape, std::size_t point) {
  const double size = known.batch_size(point);
  return known.log_batches(point) + std::log(shape ? shape->law.evaluate(size) : size);
}

Data data_of(const Knowledge& known, const std::optional<ShapeLaw>& shape) {
  Data data;
  const double noise = known.noise();
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const std::size_t visits = known.facts(i).log_times.size();
    if (visits == 0) continue;
    data.points.push_back(i);
    data.left.push_back(known.log_time(i) - shape_at(known, shape, i));
    data.variance.push_back(noise * noise / static_cast<double>(visits));
  }
  for (const double value : data.left) data.mean += value / static_cast<double>(data.left.size());
  for (double& value : data.left) value -= data.mean;
  return data;
}

// Of a value around `usual`, ln: what is not seen in the data stays near what is usual.
double log_prior(double value, double usual) {
  constexpr double kFactor = 0.8;
  const double z = std::log(value / usual) / kFactor;
  return -0.5 * z * z;
}

class Process {
 public:
  Process(const Geometry& geometry, const Data& data)
      : geometry_(geometry), data_(data), n_(data.points.size()), parts_(n_ * n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        parts_[i * n_ + k] = geometry.parts(data.points[i], data.points[k]);
      }
    }
  }

  // Takes these amplitudes; returns ln of their likelihood, up to a constant.
  double set(const Amplitudes& amplitudes) {
    amplitudes_ = amplitudes;
    std::vector<double> matrix(n_ * n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        matrix[i * n_ + k] = Geometry::covariance(parts_[i * n_ + k], amplitudes);
      }
      matrix[i * n_ + i] += data_.variance[i];
    }
    factor_ = Cholesky::of(std::move(matrix), n_);
    if (!factor_) return -std::numeric_limits<double>::infinity();
    const std::vector<double> half = factor_->forward(data_.left);
    double fit = 0;
    for (const double value : half) fit += value * value;
    weights_ = factor_->backward(half);
    return -0.5 * fit - factor_->log_determinant();
  }

  Belief at(std::size_t point) const {
    std::vector<double> shared(n_);
    Belief belief;
    for (std::size_t i = 0; i < n_; ++i) {
      shared[i] = Geometry::covariance(geometry_.parts(point, data_.points[i]), amplitudes_);
      belief.mean += shared[i] * weights_[i];
    }
    double variance = Geometry::covariance({}, amplitudes_);
    for (const double value : factor_->forward(std::move(shared))) variance -= value * value;
    belief.sd = std::sqrt(std::max(variance, 0.0));
    return belief;
  }

 private:
  const Geometry& geometry_;
  const Data& data_;
  std::size_t n_;
  std::vector<Geometry::Parts> parts_;
  Amplitudes amplitudes_;
  std::optional<Cholesky> factor_;
  std::vector<double> weights_;
};

void choose_amplitudes(Process& process, bool several_settings) {
  constexpr std::array kSetting = {0.15, 0.4, 0.9};
  constexpr std::array kLocal = {0.005, 0.02, 0.08};
  // Engines may have laws of their own.
  const double usual_smooth = several_settings ? 0.12 : 0.06;
  const std::array tried_smooth = {usual_smooth / 3, usual_smooth, usual_smooth * 3};
  const Amplitudes usual{0.4, usual_smooth, 0.02};
  Amplitudes best = usual;
  double most = -std::numeric_limits<double>::infinity();
  for (const double setting : kSetting) {
    if (!several_settings && setting != usual.setting) continue;
    for (const double smooth : tried_smooth) {
      for (const double local : kLocal) {
        const Amplitudes tried{setting, smooth, local};
        const double score = process.set(tried) + log_prior(setting, usual.setting) +
                             log_prior(smooth, usual.smooth) + log_prior(local, usual.local);
        if (score <= most) continue;
        most = score;
        best = tried;
      }
    }
  }
  process.set(best);
}

}  // namespace

std::optional<ShapeLaw> fit_shape(const Knowledge& known) {
  ShapeLaw made;
  for (std::size_t l = 0; l < known.lanes().size(); ++l) {
    auto measured = measured_of(known, known.lanes()[l].points);
    if (measured.size() <= made.points.size()) continue;
    made.lane = l;
    made.points = std::move(measured);
  }
  if (made.points.size() < 2) return std::nullopt;
  std::vector<double> sizes, times;
  for (const std::size_t point : made.points) {
    sizes.push_back(known.batch_size(point));
    times.push_back(std::exp(known.log_time(point) - known.log_batches(point)));
  }
  if (const auto choice = stats::choose_law(sizes, times)) {
    made.law = choice->best().law;
    made.loo_errors = choice->best().loo_errors;
    return made;
  }
  const auto line = stats::fit_law(stats::LawKind::affine, sizes, times);
  if (!line) return std::nullopt;
  made.law = *line;
  return made;
}

std::vector<Belief> believe(const Knowledge& known, const std::optional<ShapeLaw>& shape) {
  const Geometry geometry(known.grid());
  const Data data = data_of(known, shape);
  Process process(geometry, data);
  choose_amplitudes(process, known.lanes().size() > 1);
  std::vector<Belief> beliefs;
  beliefs.reserve(known.grid().size());
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    Belief belief = process.at(i);
    belief.mean += data.mean + shape_at(known, shape, i);
    beliefs.push_back(belief);
  }
  return beliefs;
}

}  // namespace batchscope::tune
