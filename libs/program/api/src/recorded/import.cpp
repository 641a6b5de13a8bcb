#include "batchscope/api/import.hpp"

#include <utility>

#include "batchscope/base/file.hpp"

namespace batchscope::api {

base::Result<schema::RunFile> import_table(const Program& program,
                                           const std::filesystem::path& table,
                                           csv::ImportOptions options,
                                           std::vector<std::string> command_line) {
  const auto text = base::read_file(table);
  if (!text) return text.error();
  if (options.model.empty()) options.model = table.stem().string();
  auto run = csv::import_csv(*text, table.string(), options);
  if (!run) return run;
  run->header.tool_version = program.version;
  run->header.command_line = std::move(command_line);
  return run;
}

}  // namespace batchscope::api
