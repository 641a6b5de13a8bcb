#pragma once

#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/log.hpp"
#include "measuring/profile_flags.hpp"

namespace batchscope::cli {

// `profile` with --job or --launcher. Returns the exit code.
int profile_on_cluster(const api::MeasureOptions& options, const ProfileFlags& flags,
                       const base::Log& log);

}  // namespace batchscope::cli
