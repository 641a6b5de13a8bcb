#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::schema {

// The largest batch size and sequence length: their product still is an int64.
inline constexpr int64_t kLargestSize = (int64_t{1} << 31) - 1;

// The axes that change the size of the work; sizes from 1 to kLargestSize.
struct Shape {
  int64_t batch_size = 1;
  std::optional<int64_t> seq_len;  // tokens; absent for models without a length
  auto operator<=>(const Shape&) const = default;
};

enum class Precision { fp32, bf16, fp16 };
enum class Mode { infer, train };

std::string_view to_string(Precision precision);
std::string_view to_string(Mode mode);
base::Result<Precision> parse_precision(std::string_view text);
base::Result<Mode> parse_mode(std::string_view text);

// One point of a sweep: everything that is set, nothing left to a default that an engine picks by
// itself.
struct RunConfig {
  std::string engine;
  std::string model;
  Shape shape;
  Precision precision = Precision::fp32;
  std::string device = "cpu";
  int threads = 1;
  int instances = 1;
  Mode mode = Mode::infer;
  std::string optimizer;  // train only: "sgd" or "adamw"
  std::map<std::string, std::string>
      environment;  // added to the worker's environment (an intervention)
  auto operator<=>(const RunConfig&) const = default;
};

// The same configuration with batch size 0: what a scaling table has in common.
RunConfig without_batch_size(const RunConfig& config);
// "distilbert batch_size=4 seq_len=64 fp32 cpu threads=2"; leaves out what is at its default
// (instances 1, infer).
std::string describe(const RunConfig& config);

}  // namespace batchscope::schema
