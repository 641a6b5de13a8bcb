#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

struct AxisTick {
  double value = 0;
  std::string text;  // empty: a line alone
};

// Values to places in a drawing.
class Scale {
 public:
  Scale(const stats::Interval& values, double from, double to, bool logarithmic = false);

  // NaN for what a logarithmic scale has no place for.
  double at(double value) const;
  // In the drawing, whose ends take what lies beyond them.
  double held(double value) const;
  bool is_below(double value) const;
  bool is_above(double value) const { return value > values_.high; }
  const stats::Interval& values() const { return values_; }
  double low() const { return from_; }
  double high() const { return to_; }

 private:
  double share(double value) const;

  stats::Interval values_;
  double from_, to_;
  bool logarithmic_;
};

// At 1, 2 or 5 times a power of ten, at most so many.
std::vector<AxisTick> round_ticks(const stats::Interval& values, std::size_t most = 9);
// The same where the scale is logarithmic, and at round numbers between them where there is room.
std::vector<AxisTick> logarithmic_ticks(const stats::Interval& values, std::size_t most = 12);

// The batch sizes of a chart: lines stand at log2 of the size, bars and boxes one step apart.
class SizeAxis {
 public:
  enum class Spacing { log2, even };

  SizeAxis(std::vector<int64_t> sizes, Spacing spacing);

  double position(double size) const;
  stats::Interval ends() const;
  std::size_t count() const { return sizes_.size(); }
  // At every size, labelled where the label has room (the ends and powers of two first) on an axis
  // `pixels` long.
  std::vector<AxisTick> ticks(double pixels) const;

 private:
  std::vector<int64_t> labelled(double pixels) const;

  std::vector<int64_t> sizes_;
  Spacing spacing_;
};

// The other axis: what has to fit, with room for labels; logarithmic where the values span more
// than a factor of three. Intervals get some room, and never set it.
class ValueAxis {
 public:
  struct Look {
    bool logarithmic = false;  // where the values span enough
    bool from_zero = false;    // amounts whose height is read off, such as memory
    bool ratio = false;        // spans less than others
  };

  void include(double value);
  void include(const stats::Interval& interval);
  bool empty() const { return !(low_ <= high_); }
  bool logarithmic() const;
  // Where it begins and ends with that look.
  stats::Interval ends(const Look& look) const;

 private:
  stats::Interval ends_of_values(const Look& look) const;

  double low_ = 1e300;
  double high_ = -1e300;
  stats::Interval intervals_{1e300, -1e300};  // from the lowest end of them to the highest
};

}  // namespace batchscope::charts
