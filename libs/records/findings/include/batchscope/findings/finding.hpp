#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/diagnostic.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/place.hpp"
#include "batchscope/stats/interval.hpp"

namespace batchscope::findings {

// A value with the interval of the test it stands beside; no interval where it cannot be had.
struct Estimate {
  double value = 0;
  std::optional<stats::Interval> ci;
};

enum class Severity { info, low, medium, high };
// suspect: seen, not shown; proven: shown at the run's error rate; measured: read off the
// measurements, nothing to be shown. The last four are for causes.
enum class Status { suspect, proven, measured, suspected, confirmed, refuted, unexplained };
std::string_view to_string(Severity severity);
std::string_view to_string(Status status);
base::Result<Severity> parse_severity(std::string_view text);

// The unit of what 0.1 is 10 % of.
inline constexpr std::string_view kRatioUnit = "ratio";

struct Evidence {
  std::string metric;
  Estimate estimate;
  std::string unit;
  std::string_view words = {};  // for a reader; empty: the name with blanks
};

// One thing worth telling, the same type for run files, traces and live monitoring. `what` is one
// sentence for a reader, `fix` something a user can paste or do.
struct Finding : base::Diagnostic<Place> {
  std::string id;  // catalogue: scaling.dominated, scaling.departure, ...
  Severity severity = Severity::info;
  Status status = Status::suspect;
  std::string table;                 // which of several tables it is about: "bf16, 2 threads"
  std::vector<int64_t> batch_sizes;  // the sizes meant; several = "one of these"
  std::vector<Evidence> evidence;
  std::optional<double> p_value;  // adjusted for the family it was tested in
  std::string cause;
  std::optional<stats::Interval> gain;  // what mending it is worth
  std::string gain_unit;                // kRatioUnit: of time saved
  std::string doc;                      // how a reader asks for the kind, as doc_link()
};

// As in the findings of every document that has some.
std::string to_json(const Finding& finding);

}  // namespace batchscope::findings
