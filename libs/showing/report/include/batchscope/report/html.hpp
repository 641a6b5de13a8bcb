#pragma once

#include <optional>
#include <span>
#include <string>

#include "batchscope/advice/named_traces.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

struct HtmlOptions {
  bool redacted = false;  // said on the page; redact() is what leaves things out
  findings::Commands commands{};
  // A line where compared times differ by so much (0.02: 2 % more); of a summary with a gate on
  // regressions the gate's own is drawn.
  std::optional<double> margin{};
  std::span<const advice::NamedTrace> traces{};  // told of beside the causes
};

// One page that needs nothing but itself: headline, findings, charts that are drawn when it is
// opened, tables, what to measure next, machine, method and the commands that made the runs. Its
// content security policy allows no request and no script but its own. Of many samples it carries
// evenly picked ones beside the exact summaries, and says so. `runs` are those that `summary` was
// made of. Whatever comes from a run file is text on the page. Errors: failed (a build without the
// page's script).
base::Result<std::string> html(const findings::Summary& summary,
                               std::span<const schema::RunFile> runs,
                               const HtmlOptions& options = {});

// Whether html() can work in this build.
bool has_html();

}  // namespace batchscope::report
