#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/measure/resume.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/study/axes.hpp"

namespace batchscope::study {

// What a user asks `profile` for, checked and with its defaults filled in.
struct ProfileRequest {
  std::vector<std::string> models;
  std::vector<std::string> inputs;  // for model files, as the user stated them
  InputsOf inputs_of{};             // asked where there are none; empty: the engine is asked
  Axes axes;
  schema::MeasurementPlan plan;
  uint64_t seed = 0;
  std::map<std::string, std::string> axes_as_typed;  // for the header
  std::vector<std::string> notes;                    // for the header, before its own
  std::vector<std::string> command_line;
  engine::InstallPaths places;  // of stored models and tokenizers
  std::string tool_version;
  std::string created;  // UTC, ISO 8601
  // Devices, precisions and cores are those of other machines: what they lack shows in the visits.
  bool measured_elsewhere = false;
};

// The job that the request amounts to on this machine with this engine: models inspected, axes
// multiplied out, header filled. Errors: those of find_models, expand, leave_out_overcommitted and
// Engine::inspect; usage, when a device is not there or computes in none of the precisions, the
// current batch size is not among the sizes, or checkpointing is asked for where nothing trains or
// of a model that cannot.
base::Result<measure::Job> make_job(engine::Engine& engine, const schema::Machine& machine,
                                    const ProfileRequest& request);

// Engines as loaded, in the order of the axis; all outlive the call.
using Engines = std::span<const std::unique_ptr<engine::Engine>>;

// The same for several engines, each of which measures every model. Then `models` may say which
// file an engine loads: "torch=model.pt", "openvino=model.xml" in a row are one model. Errors: also
// usage, where such a model lacks an engine or names one that is not asked for.
base::Result<measure::Job> make_job(Engines engines, const schema::Machine& machine,
                                    const ProfileRequest& request);

// The models of a recorded run as they are now, for measure::resume to hold against the file. What
// the request asks for must be what was recorded; what it leaves out is taken from the file.
// Errors: usage (another model or axis was asked for), and those of Engine::inspect.
base::Result<measure::Present> inspect_again(Engines engines, const schema::Machine& machine,
                                             const schema::RunFile& recorded,
                                             const ProfileRequest& request);

}  // namespace batchscope::study
