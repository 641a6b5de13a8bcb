#pragma once

#include <cstdint>
#include <map>

namespace batchscope::monitor {

// Mean, quantiles and the largest of numbers that are seen once, in bounded room: buckets whose
// bounds grow by 2 %, each with the least and the most of what fell into it. A quantile lies on the
// line between them: well below 1 % from the exact one, and that where numbers stand still. What is
// not above 1e-9 counts as 0.
class StreamingHistogram {
 public:
  // So many times; what is not finite is passed over.
  void add(double value, int64_t times = 1);

  int64_t count() const { return count_; }
  double mean() const { return mean_; }
  double most() const { return most_; }
  // 0 < level <= 1; 0 where nothing was added.
  double quantile(double level) const;

 private:
  struct Bucket {
    int64_t count = 0;
    double least = 0, most = 0;

    void add(double value, int64_t times);
  };

  int64_t count_ = 0;
  double mean_ = 0, most_ = 0;
  std::map<int, Bucket> buckets_;
};

}  // namespace batchscope::monitor
