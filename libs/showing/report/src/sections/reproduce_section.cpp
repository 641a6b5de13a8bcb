#include "batchscope/base/algorithms.hpp"
#include "document/shell_words.hpp"
#include "report_sections.hpp"

namespace batchscope::report {

document::Document reproduce_section(std::span<const schema::RunFile> runs,
                                     const findings::Summary& summary,
                                     const findings::Commands& commands) {
  document::Document section;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<std::string>& words = runs[i].header.command_line;
    if (words.empty()) continue;
    const std::string path = i < summary.inputs.size() ? summary.inputs[i].path : "";
    if (runs.size() > 1) section.emplace_back(document::Paragraph{{{path, document::Tone::dim}}});
    section.emplace_back(document::Code{shell_command(words)});
  }
  const findings::CommandLine again = commands.report(
      base::mapped(summary.inputs, [](const findings::InputRun& input) { return input.path; }));
  if (section.empty() || again.empty()) return section;
  section.emplace_back(document::Paragraph{{{"This report:", document::Tone::dim}}});
  section.emplace_back(document::Code{shell_command(again)});
  return section;
}

}  // namespace batchscope::report
