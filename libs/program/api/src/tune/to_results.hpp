#pragma once

#include <filesystem>

#include "batchscope/api/program.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::api {

// What a search that has ended came to, with what its header and its end say against believing it.
// `file`: how its run file is called.
findings::Tuning reported(const Program& program, const tune::TunePlan& plan,
                          const std::filesystem::path& file, const schema::RunFile& run);

}  // namespace batchscope::api
