#include "loaders_section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using document::Cell;
using document::cell_of;
using document::Column;
using document::Document;
using findings::LoaderRow;
using findings::three_digits;

constexpr const char* kNone = "–";

const schema::Loader& loader_of(const LoaderRow& row) {
  return *row.config.loader;
}

// One column and its cells.
struct Part {
  Column column;
  Cell (*cell)(const LoaderRow&);
  // Whether any row has something to say there.
  bool (*is_shown)(const LoaderRow&) = [](const LoaderRow&) { return true; };
};

Cell interval_cell(const findings::Estimate& estimate) {
  Cell cell = cell_of(findings::by_interval(estimate));
  if (!estimate.ci) return cell;
  cell.interval =
      fmt::format("[{}, {}]", three_digits(estimate.ci->low), three_digits(estimate.ci->high));
  return cell;
}

std::string mebibytes(const std::optional<schema::WorkerMemory>& memory,
                      int64_t schema::WorkerMemory::*part) {
  return memory ? base::format_bytes((*memory).*part) : kNone;
}

std::string shortest_step(const LoaderRow& row) {
  if (row.steps.empty()) return kNone;
  if (row.always_waits) return fmt::format("> {}", three_digits(row.steps.back().step_ms));
  if (!row.shortest_step_ms) return fmt::format("< {}", three_digits(row.steps.front().step_ms));
  return three_digits(row.shortest_step_ms->value);
}

template <double LoaderRow::*kTime>
Cell time_cell(const LoaderRow& row) {
  return cell_of(three_digits(row.*kTime));
}

bool has_workers(const LoaderRow& row) {
  return row.begun.has_value();
}

const std::vector<Part>& parts() {
  static const std::vector<Part> kParts = {
      {{"workers", ""},
       [](const LoaderRow& row) { return cell_of(fmt::format("{}", loader_of(row).workers)); }},
      {{"prefetch", ""},
       [](const LoaderRow& row) {
         const schema::Loader& loader = loader_of(row);
         return cell_of(loader.workers == 0 ? kNone : fmt::format("{}", loader.prefetch));
       }},
      {{"started", "by", true},
       [](const LoaderRow& row) { return cell_of(loader_of(row).start_method); },
       [](const LoaderRow& row) { return !loader_of(row).start_method.empty(); }},
      {{"pinned", ""},
       [](const LoaderRow& row) { return cell_of(loader_of(row).pinned ? "yes" : "no"); },
       [](const LoaderRow& row) { return loader_of(row).pinned; }},
      {{"batch", "size"},
       [](const LoaderRow& row) {
         return cell_of(fmt::format("{}", row.config.shape.batch_size));
       }},
      {{"iteration", "ms"}, [](const LoaderRow& row) { return interval_cell(row.iteration_ms); }},
      {{"wait", "ms"}, time_cell<&LoaderRow::wait_ms>},
      {{"step", "ms"}, time_cell<&LoaderRow::own_ms>},
      {{"no wait", "from step"},
       [](const LoaderRow& row) {
         Cell cell = cell_of(shortest_step(row));
         if (row.shortest_step_ms) {
           cell.interval = fmt::format("[{}, {}]", three_digits(row.shortest_step_ms->ci->low),
                                       three_digits(row.shortest_step_ms->ci->high));
         }
         return cell;
       },
       [](const LoaderRow& row) { return !row.steps.empty(); }},
      {{"fetch", "ms", false, true}, time_cell<&LoaderRow::fetch_ms>},
      {{"collate", "ms"}, time_cell<&LoaderRow::collate_ms>},
      {{"CPU", "ms"}, time_cell<&LoaderRow::cpu_ms>},
      {{"hand-over", "ms"},
       [](const LoaderRow& row) {
         return cell_of(row.handover_ms ? three_digits(*row.handover_ms) : kNone);
       }},
      {{"first", "batch ms"}, time_cell<&LoaderRow::first_batch_ms>},
      {{"new", "epoch ms"}, time_cell<&LoaderRow::new_epoch_ms>},
      {{"PSS of a", "worker"},
       [](const LoaderRow& row) {
         return cell_of(mebibytes(row.ended, &schema::WorkerMemory::pss_bytes));
       },
       has_workers},
      {{"private", "at start"},
       [](const LoaderRow& row) {
         return cell_of(mebibytes(row.begun, &schema::WorkerMemory::private_dirty_bytes));
       },
       has_workers},
      {{"private", "later"},
       [](const LoaderRow& row) {
         return cell_of(mebibytes(row.ended, &schema::WorkerMemory::private_dirty_bytes));
       },
       has_workers}};
  return kParts;
}

}  // namespace

Document loaders_section(const std::vector<LoaderRow>& rows) {
  if (rows.empty()) return {};
  document::TextTable table;
  table.rows.resize(rows.size());
  for (const Part& part : parts()) {
    if (std::ranges::none_of(rows, part.is_shown)) continue;
    table.columns.push_back(part.column);
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].push_back(part.cell(rows[i]));
  }
  return {document::Heading{1, "Loader"}, std::move(table),
          document::Paragraph{{{"Times per batch; iteration = wait + step, measured together. No "
                                "wait from step: with a step of this length or longer, hardly any "
                                "iteration waits (interpolated between measured lengths).",
                                document::Tone::dim}}}};
}

}  // namespace batchscope::report
