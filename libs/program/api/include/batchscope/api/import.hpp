#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/csv/import_csv.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// A table measured elsewhere, from its file, as a run; the model is called as the file where the
// options name none. Rows that could not be used are its events, how it was read its notes.
// `command_line`: what made the run, for its header. Errors: input (the file cannot be read), and
// those of csv::import_csv.
base::Result<schema::RunFile> import_table(const Program& program,
                                           const std::filesystem::path& table,
                                           csv::ImportOptions options,
                                           std::vector<std::string> command_line = {});

}  // namespace batchscope::api
