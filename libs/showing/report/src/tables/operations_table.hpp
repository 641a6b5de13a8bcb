#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/diagnostics.hpp"

namespace batchscope::report {

// From here on an operation has to do with the differences between batch sizes.
inline constexpr double kNotableChange = 0.02;
inline constexpr double kLargeChange = 0.1;

// Times of operations a sample, in the unit that suits the largest of them.
struct SampleUnit {
  double per_ms = 1;
  const char* name = "ms";
};
SampleUnit sample_unit(const std::vector<findings::OperationRow>& rows,
                       const std::vector<findings::SizeDiagnosis>& sizes);
// Of the operation at the size with that index, in the unit; nothing where it did not occur.
std::optional<double> per_sample(const findings::OperationRow& row,
                                 const std::vector<findings::SizeDiagnosis>& sizes, std::size_t at,
                                 const SampleUnit& unit);

// The sizes where the operation occurred.
std::vector<int64_t> sizes_of(const findings::OperationRow& row,
                              const std::vector<findings::SizeDiagnosis>& sizes);

struct OperationsLook {
  std::size_t most = 60;   // rows
  std::size_t name = 160;  // columns of the longest name
  bool words = true;       // kind, and what changes in words
};

// Self time a sample and calls an iteration of each operation at each size; no rows without any.
document::TextTable operations_table(const std::vector<findings::OperationRow>& rows,
                                     const std::vector<findings::SizeDiagnosis>& sizes,
                                     const OperationsLook& look = {});

}  // namespace batchscope::report
