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

std::string run_file_text(const schema::RunFile& run) {
  std::string text = schema::header_line(run.header) + "\n";
  int index = 0;
  for (const schema::RunConfig& config : run.configs)
    text += schema::config_line(index++, config) + "\n";
  for (const schema::Visit& visit : run.visits) text += schema::visit_line(visit) + "\n";
  for (const schema::Event& event : run.events) text += schema::event_line(event) + "\n";
  return text + schema::end_line(*run.end) + "\n";
}

}  // namespace batchscope::api
