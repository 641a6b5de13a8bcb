#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/planning/measured_costs.hpp"
#include "batchscope/planning/plan.hpp"
#include "format.hpp"
#include "output.hpp"

namespace batchscope::cli {

// The flags of `plan` as typed, and what they mean.
struct PlanFlags {
  std::string run;
  std::string rate, p99, arrivals = "poisson", lengths, max_delay;
  int instances = 0;           // 0: not typed
  int64_t max_batch_size = 0;  // 0: not typed
  int64_t requests = 0;        // 0: not typed
  uint64_t seed = 1;
  std::string engine, model, device, precision, mode, seq_lens;
  int threads = 0, measured_instances = 0;  // 0: not typed
  std::vector<std::string> environment;
  Format format = Format::text;
  std::string charts;  // folder; "auto" = beside the run
  Output output;
  bool quiet = false;

  void add_to(CLI::App& app);
  std::filesystem::path chart_folder() const;
  // Which configurations of the run are meant. Errors: usage.
  base::Result<planning::CostSelection> selection() const;
  // Errors: usage; input (files of arrivals and lengths).
  base::Result<planning::PlanRequest> request() const;

 private:
  // What is typed and a recording decides. Errors: usage.
  base::Result<void> check_recording(const planning::RecordedArrivals* recorded) const;
};

}  // namespace batchscope::cli
