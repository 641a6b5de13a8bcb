#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::serving {

// The measured times of one batch size, at one length where the model has lengths.
struct CostPoint {
  int64_t batch_size = 1;
  std::optional<int64_t> seq_len{};  // tokens that each sample of the batch is padded to
  std::vector<double> times_s{};     // of single batches, seconds, in any order
};

// How what is asked for lies to what was measured, worst last.
enum class Match {
  measured,
  interpolated,  // between two measured sizes or lengths
  smaller,       // below the smallest size or length: charged as that
  beyond,        // above the largest batch size or length: extrapolated
};

// What a batch costs: the times that were measured, not a law fitted to them.
//
// Sizes that were not measured. Between two that were: each quantile of the time is interpolated
// linearly in the size, which is exact for every law of the form a + b x. Below the smallest: as
// the smallest, to which the batch can be padded. Above the largest: the largest, in proportion.
// Batch sizes first, at the two lengths around the one asked for, then lengths.
class CostTable {
 public:
  // At least two batch sizes; all points with a length, or none; times above 0. `where` stands in
  // errors. Errors: input.
  static base::Result<CostTable> from_points(std::vector<CostPoint> points, std::string_view where);

  // `tokens` is the longest of the batch; of no effect where the table has no lengths.
  double mean_s(int64_t batch_size, int64_t tokens) const;
  // The quantile at u in [0, 1) of the times: with u uniform, a draw of a measured time.
  double sample_s(int64_t batch_size, int64_t tokens, double u) const;
  Match match(int64_t batch_size, int64_t tokens) const;

  // Ascending. The sizes are those of any length; empty lengths: the table has none.
  const std::vector<int64_t>& batch_sizes() const { return batch_sizes_; }
  const std::vector<int64_t>& lengths() const { return lengths_; }
  // The size with the most samples a second, at length `tokens`, by its mean, out of those up to
  // `largest`; `largest` itself where it is below all that were measured.
  int64_t fastest_batch(int64_t tokens, int64_t largest) const;

 private:
  struct Size {
    int64_t batch_size = 1;
    std::vector<double> ascending_s;
    double mean_s = 0;
  };
  using Row = std::vector<Size>;  // ascending; one row a length

  CostTable() = default;
  template <class Value>
  double evaluate(int64_t batch_size, int64_t tokens, const Value& value) const;

  std::vector<Row> rows_;
  std::vector<int64_t> batch_sizes_;
  std::vector<int64_t> lengths_;
};

// Mean seconds of a batch by count and longest request, looked up in constant time: what policies
// and splits compute with. Of a table's means; lengths are rounded up to a grid of 128 steps.
class BatchCosts {
 public:
  BatchCosts(const CostTable& table, int64_t largest_batch);

  // count from 1 to largest_batch().
  double operator()(int64_t count, int64_t longest) const;
  int64_t largest_batch() const { return largest_batch_; }

 private:
  int64_t largest_batch_ = 1;
  int64_t step_ = 0;  // tokens; 0: no lengths
  int64_t columns_ = 1;
  std::vector<double> seconds_;
};

}  // namespace batchscope::serving
