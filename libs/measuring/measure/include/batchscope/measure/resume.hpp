#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// A run that is to go on: the job with the plan, seed and configurations of the file.
struct ResumedRun {
  Job job;
  schema::RunFile recorded;
};

// What the present says of itself, to be held against the file's header.
struct Present {
  schema::Machine machine;
  std::vector<schema::ModelInfo> models;
  std::map<std::string, engine::ModelSpec> specs;  // by name, as in Job::models
  std::map<std::string, std::string> versions;     // as in the header; a change is only noted
};

// Errors: input, when the file is of another machine, of another model (by hash), names a model
// that `present` lacks, or did not come from measuring; naming what differs and what
// forces it. Forced, what differs is added to the header's notes, and given to the file as a
// warning event by Session::begin.
// Open the file with RunOutput::open before it is read, and take its sink(run.report.valid_bytes),
// which cuts a torn last line.
base::Result<ResumedRun> resume(schema::RunFile run, const Present& present, bool force);

}  // namespace batchscope::measure
