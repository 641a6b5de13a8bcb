#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "batchscope/base/log.hpp"
#include "format.hpp"

namespace batchscope::cli {

// The flags of `doctor --calibrate`.
struct CalibrationFlags {
  std::string model = "distilbert";
  int64_t batch_size = 1;
  int64_t seq_len = 64;
  int blocks = 12;
  int experiments = 100;
};

void add_flags(CLI::App& app, CalibrationFlags& flags);

// Measures a model against itself (A/A), then plants excesses in virtual time at the noise that was
// seen, and prints the smallest one that is found; returns the exit code.
int run_calibration(const CalibrationFlags& flags, Format format, const base::Log& log);

}  // namespace batchscope::cli
