#include "probes_section.hpp"

#include <fmt/format.h>

#include "batchscope/base/units.hpp"

namespace batchscope::report {
namespace {

using document::Cell;
using document::Document;
using document::Tone;

std::vector<Cell> row_of(const schema::Probe& probe, const schema::RunFile& run, bool named) {
  const auto bytes = [](int64_t count) {
    return count > 0 ? base::format_bytes(count) : std::string("–");
  };
  std::vector<Cell> cells = {{fmt::format("{}", probe.batch_size), "", Tone::plain},
                             {std::string(probe.purpose.text()), "", Tone::plain},
                             {std::string(probe.outcome.text()), "", Tone::plain},
                             {bytes(probe.peak_bytes.value_or(0)), "", Tone::plain},
                             {bytes(probe.limit_bytes), "", Tone::plain},
                             {probe.message, "", Tone::plain}};
  if (named) {
    const auto& config = run.configs[static_cast<std::size_t>(probe.config)];
    cells.push_back({schema::describe(schema::without_batch_size(config)), "", Tone::plain});
  }
  return cells;
}

}  // namespace

Document probes_section(std::span<const schema::RunFile> runs) {
  Document section;
  for (const schema::RunFile& run : runs) {
    if (run.probes.empty()) continue;
    const bool named = run.configs.size() > 1;
    document::TextTable table;
    table.columns = {{"batch", "size"}, {"why", "", true}, {"outcome", "", true},
                     {"peak", ""},      {"limit", ""},     {"message", "", true}};
    if (named) table.columns.push_back({"of", "", true});
    for (const schema::Probe& probe : run.probes) {
      if (!probe.outcome.empty()) table.rows.push_back(row_of(probe, run, named));
    }
    section.emplace_back(std::move(table));
  }
  return section;
}

}  // namespace batchscope::report
