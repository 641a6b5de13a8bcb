#pragma once

#include <cstdint>
#include <map>

namespace batchscope::monitorview {

// Mean, quantiles and the largest of numbers that are seen once, in bounded room: buckets whose
// bounds grow by 2 %, each with the mean of what fell into it, so that a quantile is within 2 % of
// the exact one, and exact where a number stands still. What is not above 1e-6 counts as 0.
class Distribution {
 public:
  void add(double value);  // what is not finite is passed over

  int64_t count() const { return all_.count; }
  double mean() const { return all_.value; }
  double most() const { return most_; }
  // 0 < level <= 1; 0 where nothing was added.
  double quantile(double level) const;

 private:
  struct Mean {
    int64_t count = 0;
    double value = 0;

    void add(double one);
  };

  Mean all_;
  double most_ = 0;
  std::map<int, Mean> buckets_;
};

}  // namespace batchscope::monitorview
