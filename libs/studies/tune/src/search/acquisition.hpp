#pragma once

#include <optional>
#include <vector>

#include "belief.hpp"

namespace batchscope::tune {

// The acquisition function of the search: what measuring each point may bring, by what is known.
class Acquisition {
 public:
  explicit Acquisition(const Knowledge& known);

  // Expected improvement of the cost over the best so far, ln units, weighed by the chance that the
  // point keeps the bounds (Jones, Schonlau and Welch 1998; Gardner and others 2014). Where nothing
  // measured keeps them, that chance alone.
  double expected_improvement(std::size_t point) const;
  double chance_of_bounds(std::size_t point) const;
  const Belief& belief(std::size_t point) const { return beliefs_[point]; }
  double cost(std::size_t point) const { return known_.cost(point, beliefs_[point].mean); }
  // The measured point with the least believed cost that keeps the bounds.
  std::optional<std::size_t> best() const { return best_; }
  const std::optional<ShapeLaw>& shape() const { return shape_; }

 private:
  double chance_of_latency(std::size_t point) const;
  double chance_of_memory(std::size_t point) const;
  double chance_of_room(std::size_t point) const;

  const Knowledge& known_;
  std::optional<ShapeLaw> shape_;
  std::vector<Belief> beliefs_;
  std::optional<std::size_t> best_;
  double latency_shift_ = 0;
};

}  // namespace batchscope::tune
