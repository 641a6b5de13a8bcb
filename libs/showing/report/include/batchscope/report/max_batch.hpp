#pragma once

#include <string>

#include "batchscope/api/format.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/report/text.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// What a search for the largest batch came to, in the words of a report. `path`: where the file is
// now. Errors: input (a header that tells no such search).
base::Result<findings::Summary> summary_of_search(const schema::RunFile& run,
                                                  const findings::Commands& commands = {},
                                                  const std::string& path = {});

// The answer, and what was found of each configuration. Names are untrusted: what steers a terminal
// is spelt out.
std::string max_batch_text(const capacity::MaxBatchResult& result,
                           const document::TextStyle& style = {});

// What was searched and found: md, csv (the tries alone), json
// (docs/reference/schema/max-batch.schema.json), or text in a style, which tells every size that
// was tried where all is asked for. Errors: as summary_of_search.
base::Result<std::string> search_in_format(const schema::RunFile& run, Format format,
                                           const findings::Commands& commands = {},
                                           const document::TextStyle& style = {},
                                           const std::string& path = {});

}  // namespace batchscope::api
