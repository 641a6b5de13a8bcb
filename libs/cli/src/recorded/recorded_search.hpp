#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"
#include "format.hpp"

namespace batchscope::cli {

// The run file of a search for the largest batch (`tune --max-batch-only`), which times nothing,
// where that is all that is named; absent: something else, or several files.
std::optional<schema::RunFile> only_search(const std::vector<std::string>& paths);

// What the search came to, in the words of a report.
base::Result<findings::Summary> summary_of_search(const schema::RunFile& run);

// As `analyze` prints it: what was searched and found, and every size that was tried. `format`:
// text, md, csv (the tries alone) or json (as `tune --max-batch-only --format json`). Errors: input
// (a header that tells no search).
base::Result<std::string> search_in_format(const schema::RunFile& run, Format format);

}  // namespace batchscope::cli
