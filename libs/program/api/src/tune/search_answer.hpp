#pragma once

#include <string>

#include "batchscope/api/program.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// What leads all that is printed of a search: what it recommends, with what the visits of the run
// that it searched say beside. `name`: how that run is called.
findings::Answer answer_of_search(const Program& program, const schema::RunFile& run,
                                  const findings::Tuning& tuning, const std::string& name);

}  // namespace batchscope::api
