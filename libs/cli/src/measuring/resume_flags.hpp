#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/run_file.hpp"
#include "profile_flags.hpp"

namespace batchscope::cli {

// A resumed run keeps its plan: a flag that was typed and says otherwise is refused. Errors: usage,
// naming the flag, what is recorded and what was typed.
base::Result<void> check_agrees(const ProfileFlags& flags, const study::ProfileRequest& request,
                                const schema::Header& recorded);

// The run that `--resume` goes on with; absent: there is none yet, and one is begun, so that a job
// script can always say --resume. Errors: input (it cannot be read); usage (there is none, and no
// model is named).
base::Result<std::optional<schema::RunFile>> read_recorded(const ProfileFlags& flags);

// Loads the engines of the run that is gone on with, else those of the flags. Errors: those of
// pipeline::load_engine.
base::Result<std::vector<std::unique_ptr<engine::Engine>>> load_engines(
    const ProfileFlags& flags, const std::optional<schema::RunFile>& recorded);

}  // namespace batchscope::cli
