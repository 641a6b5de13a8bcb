#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/engine/install_paths.hpp"
#include "batchscope/study/job.hpp"

namespace batchscope::api {

// The file that a run is written to as it goes.
struct RunFileOptions {
  std::filesystem::path path{};
  bool overwrite = false;  // replace what is there
  bool resume = false;     // go on with what is there; where nothing is, a new run is begun
  bool force = false;      // resume on another machine or model all the same; recorded
};

// A request with the defaults of this machine: threads to share among the instances as it has
// cores, the seed drawn, the time of now. It names no model yet; the places and the version are
// filled in from the Program that it is measured with.
study::ProfileRequest request_here();

// What to measure and how, for the verbs that measure.
struct MeasureOptions {
  study::ProfileRequest request = request_here();
  std::vector<std::string> engines{};  // each measures every model; empty: those the models need
  RunFileOptions file{};
  // For how long a machine that is not quiet is waited for, at most; 0: it is measured as it is.
  double wait_for_quiet_s = 0;
  // The flags of what was asked for, rather than left to its default. A run that is resumed keeps
  // its plan and its seed, and of these what says otherwise is refused (schema::Setting); what more
  // a verb asks stands with its options.
  std::set<std::string, std::less<>> stated{};

  bool states(std::string_view flag) const { return stated.contains(flag); }
};

// The engines that models need: "synthetic" for its laws, those of "torch=model.pt,
// openvino=model.xml", else the one that takes the first model by its ending; without a model the
// preferred one. Models may be several in one text, between commas.
std::vector<std::string> engines_for(const std::vector<std::string>& models,
                                     const engine::InstallPaths& places);

// The precisions that the request's devices have instructions for, instead of its own, and a note
// that says which. Which is best, and whether it computes and trains like fp32, is measured.
void choose_precisions(study::ProfileRequest& request);

}  // namespace batchscope::api
