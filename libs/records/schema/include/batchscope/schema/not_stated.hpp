#pragma once

#include <string>
#include <string_view>

#include "batchscope/schema/execution.hpp"

namespace batchscope::schema {

struct RunConfig;

// What a table measured elsewhere does not tell of how it was measured: a precision of its own kind
// ("unknown" in files), an engine of its own name, an empty device, 0 threads. Nothing that is
// measured here has any of them.
inline constexpr Precision kPrecisionNotStated{3};
inline constexpr std::string_view kEngineNotStated = "imported";
// Other names of engines that are no framework's: laws in virtual time, a function of a program,
// and models in an interpreter of their own.
inline constexpr std::string_view kEngineOfLaws = "synthetic", kEngineCallable = "callable",
                                  kEnginePython = "python";

bool states_engine(const RunConfig& config);
// By a table, or by a program that measured itself: only the user knows how to measure more of it.
bool is_measured_elsewhere(const RunConfig& config);
bool states_precision(const RunConfig& config);
bool states_device(const RunConfig& config);
bool states_threads(const RunConfig& config);

// "precision, device and threads not stated"; empty where all are.
std::string not_stated_in_words(const RunConfig& config);
// "fp32, cpu, 2 threads": what is stated, then what is not.
std::string execution_in_words(const RunConfig& config);

}  // namespace batchscope::schema
