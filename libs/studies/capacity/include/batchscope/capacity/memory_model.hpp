#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace batchscope::capacity {

// Peak memory over the batch size: intercept + slope x, in bytes, fitted by relative least squares
// with coefficients that are not negative (docs/design/method.md, 2). Where small batches take no
// more than loading the model did, the peak is max(floor, intercept + slope x), and they are left
// out of the fit.
struct MemoryModel {
  double intercept_bytes = 0;
  double slope_bytes = 0;        // a sample
  double rms_residual = 0;       // relative
  double largest_departure = 0;  // peak / line - 1, where it is largest
  int64_t worst_batch_size = 0;
  std::optional<int64_t> floor_bytes;  // the peak of the sizes that loading decides
  int64_t floor_until = 0;             // the largest of them; 0: none
  std::vector<int64_t> jumps;          // sizes over 10 % above the line through their neighbours
};

// nullopt below two sizes. `peaks`: batch size -> bytes, both above 0.
std::optional<MemoryModel> fit_memory(const std::map<int64_t, int64_t>& peaks);

// The largest size that the line through the two last peaks (the largest size, and the nearest that
// is at most three quarters of it) lets into `limit_bytes`; nullopt where the line does not rise,
// or fewer than three sizes are known.
std::optional<int64_t> largest_within(const std::map<int64_t, int64_t>& peaks, int64_t limit_bytes);

// The peak expected at a size up to the largest known one: the largest of those below, drawn
// straight to the next larger one. nullopt beyond it.
std::optional<double> expected_peak(const std::map<int64_t, int64_t>& peaks, int64_t batch_size);

}  // namespace batchscope::capacity
