#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// The batch-size axis of a chart: lines stand at log2 of the size, bars and boxes one step apart.
class SizeAxis {
 public:
  enum class Spacing { log2, even };

  SizeAxis(const std::vector<findings::Group>& groups, Spacing spacing);

  double position(int64_t size) const;
  double low() const;
  double high() const;
  std::size_t count() const { return sizes_.size(); }
  // gnuplot commands: range, and a tick at every size, labelled where the label has room (powers of
  // two first) on an axis `pixels` long.
  std::string commands(double pixels) const;

 private:
  std::vector<int64_t> labelled(double pixels) const;

  std::vector<int64_t> sizes_;
  Spacing spacing_;
};

// The other axis: what has to fit, with room for labels; logarithmic (base 2, as sizes double)
// where the values span more than a factor of three. Intervals get some room, and never set it.
class ValueAxis {
 public:
  void include(double value);
  void include(const findings::Estimate& estimate);
  bool empty() const { return !(low_ <= high_); }
  bool logarithmic() const;
  struct Look {
    bool logarithmic = false;  // where the values span enough
    bool from_zero = false;    // amounts whose height is read off, such as memory
    bool ratio = false;        // two decimals throughout
  };
  std::string commands(const Look& look, char axis = 'y') const;
  // Where it begins and ends with that look.
  stats::Interval ends(const Look& look) const;

 private:
  std::string logarithmic_commands(char axis) const;
  stats::Interval ends_of_values(const Look& look) const;

  double low_ = 1e300;
  double high_ = -1e300;
  stats::Interval intervals_{1e300, -1e300};  // from the lowest end of them to the highest
};

}  // namespace batchscope::charts
