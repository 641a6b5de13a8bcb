#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "profile_flags.hpp"

namespace batchscope::cli {

// A resumed run keeps its plan: a flag that was typed and says otherwise is refused. Errors: usage,
// naming the flag, what is recorded and what was typed.
base::Result<void> check_agrees(const ProfileFlags& flags, const study::ProfileRequest& request,
                                const schema::Header& recorded);

// The engines to load: those of the run that is gone on with, else those of the flags.
std::vector<std::string> engines_of(const ProfileFlags& flags,
                                    const std::optional<schema::RunFile>& recorded);

}  // namespace batchscope::cli
