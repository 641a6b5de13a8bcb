#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "series/totals.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::cell_of;

document::Cell loss_cell(const LoopTotals& totals) {
  if (!totals.last_loss) return cell_of(findings::kAbsent);
  return cell_of(fmt::format("{:.4g} to {:.4g}", *totals.first_loss, *totals.last_loss));
}

document::Cell time_cell(double seconds) {
  return cell_of(seconds > 0 ? base::format_seconds(seconds) : std::string(findings::kAbsent));
}

document::Cell not_finite_cell(const LoopTotals& totals) {
  if (totals.not_finite == 0) return cell_of("none");
  return {fmt::format("{}, first at step {}", totals.not_finite, *totals.first_not_finite), "",
          document::Tone::bad};
}

}  // namespace

document::TextTable loop_table(const RecordedSeries& recorded) {
  document::TextTable table;
  table.columns = {{"training", "", true, false},
                   {"steps", "", false, false},
                   {"throughput", "samples/s", false, false},
                   {"typical", "step", false, false},
                   {"p95", "", false, false},
                   {"wait for", "the loader", false, false},
                   {"loss", "first to last", false, false},
                   {"losses", "not finite", false, false}};
  for (const Loop& loop : recorded.loops) {
    const LoopTotals totals = totals_of(loop);
    table.rows.push_back(
        {cell_of(loop.name.empty() ? "training" : short_name(loop.name)),
         cell_of(fmt::format("{} to {}", totals.first_step, totals.last_step)),
         cell_of(totals.samples_per_second ? findings::brief(*totals.samples_per_second)
                                           : findings::kAbsent),
         time_cell(totals.typical_seconds), time_cell(totals.slow_seconds),
         cell_of(totals.loading_share ? findings::percent(*totals.loading_share)
                                      : findings::kAbsent),
         loss_cell(totals), not_finite_cell(totals)});
  }
  return table;
}

}  // namespace batchscope::monitor_report
