#include "batchscope/schema/run_file.hpp"

#include <algorithm>
#include <map>

#include "batchscope/base/line_reader.hpp"
#include "run_file_parser.hpp"

namespace batchscope::schema {

base::Result<RunFile> read_run_file(const std::filesystem::path& path) {
  auto reader = base::LineReader::open(path);
  if (!reader) return reader.error();
  RunFileParser parser(path.string(), static_cast<size_t>(reader->size()));
  while (true) {
    const auto line = reader->next();
    if (!line) return line.error();
    if (!line->has_value()) return std::move(parser).finish();
    if (auto added = parser.add((*line)->text, (*line)->whole); !added) return added.error();
  }
}

base::Result<RunFile> parse_run_file(std::string_view text, std::string_view name) {
  RunFileParser parser(name, text.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const bool whole = end != std::string_view::npos;
    if (auto added = parser.add(text.substr(0, end), whole); !added) return added.error();
    text.remove_prefix(whole ? end + 1 : text.size());
  }
  return std::move(parser).finish();
}

std::vector<const Visit*> current_visits(const RunFile& run) {
  std::map<int, int> latest;  // attempt by block
  const auto seen = [&latest](int block, int attempt) {
    latest[block] = std::max(latest[block], attempt);
  };
  for (const Visit& visit : run.visits) seen(visit.block, visit.attempt);
  // An attempt whose visits all failed leaves events only, and still supersedes the one before.
  for (const Event& event : run.events) {
    if (event.block) seen(*event.block, event.attempt);
  }
  std::vector<const Visit*> current;
  for (const Visit& visit : run.visits) {
    if (visit.attempt == latest[visit.block]) current.push_back(&visit);
  }
  return current;
}

}  // namespace batchscope::schema
