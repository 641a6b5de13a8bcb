#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace batchscope::watch {

// What is kept of the readings of one value.
struct Cell {
  int64_t count = 0;
  double sum = 0;
  double squares = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const std::optional<double>& value) {
    if (value && std::isfinite(*value)) add(*value);
  }
  void add(const Cell& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }

  bool known() const { return count > 0; }
  double mean() const { return known() ? sum / static_cast<double>(count) : 0; }
  // Standard deviation of the readings.
  double spread() const {
    if (count < 2) return 0;
    const double n = static_cast<double>(count);
    return std::sqrt(std::max(0.0, squares / n - mean() * mean()));
  }
};

// A cell a value; `Value` is an enumeration that ends in `end`.
template <class Value>
class Cells {
 public:
  Cell& operator[](Value value) { return cells_[static_cast<std::size_t>(value)]; }
  const Cell& operator[](Value value) const { return cells_[static_cast<std::size_t>(value)]; }

 private:
  std::array<Cell, static_cast<std::size_t>(Value::end)> cells_{};
};

// Absent where one of them is.
template <class Part, class Integer>
std::optional<double> share_of(const std::optional<Part>& part,
                               const std::optional<Integer>& full) {
  if (!part || !full || *full <= 0) return std::nullopt;
  return static_cast<double>(*part) / static_cast<double>(*full);
}

}  // namespace batchscope::watch
