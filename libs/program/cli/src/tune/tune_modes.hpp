#pragma once

#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {

// The ways to tune; each returns the exit code.
int tune_by_replay(const TuneFlags& flags, const base::Log& log);
int tune_max_batch(TuneFlags flags, const std::vector<std::string>& arguments,
                   const base::Log& log);
int tune_by_measuring(TuneFlags flags, const std::vector<std::string>& arguments,
                      const base::Log& log);

// --noise-scale. Errors: usage (nothing is trained, or the output is not text).
base::Result<void> check_noise_scale(const TuneFlags& flags);

// Prints the result in the format asked for; 1 when nothing keeps the bounds. `models`: what is
// known of them, for exports.
int print_result(const findings::Tuning& tuning, const std::vector<schema::ModelInfo>& models,
                 const TuneFlags& flags, const base::Log& log);

}  // namespace batchscope::cli
