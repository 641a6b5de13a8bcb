#pragma once

#include <CLI/CLI.hpp>

#include "batchscope/api/doctor.hpp"
#include "batchscope/base/log.hpp"
#include "format.hpp"

namespace batchscope::cli {

// The flags of `doctor --calibrate`.
void add_flags(CLI::App& app, api::CalibrationOptions& flags);

// Calibrates, and prints the smallest excess that is found; returns the exit code.
int run_calibration(const api::CalibrationOptions& options, Format format, const base::Log& log);

}  // namespace batchscope::cli
