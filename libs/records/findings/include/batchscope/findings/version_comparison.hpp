#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::findings {

// What is shown of a new version against an old one. slower: by more than the margin. equal: less
// than the margin apart, either way. faster: it takes less time, and nowhere more than the margin
// more. not_slower: nowhere more than the margin more. cannot_tell: none of these.
enum class VersionVerdict { slower, faster, equal, not_slower, cannot_tell };
std::string_view to_string(VersionVerdict verdict);
// What a table says of it: "slower, shown", "equal within 2 %".
std::string in_words(VersionVerdict verdict, double margin);

// One configuration of both versions. Ratios of time are new / old; slow-downs are such a ratio
// less 1, 0.03 = 3 % more time.
struct VersionRow {
  std::string where;  // "batch 4, bf16"
  std::string old_name, new_name;
  schema::RunConfig config;  // the old version's
  VersionVerdict verdict = VersionVerdict::cannot_tell;
  // Absent where one of the two has no times.
  std::optional<double> old_ms, new_ms;
  std::optional<Estimate> ratio;
  // The slow-down is of mean iterations, some of which take far longer, and so are the times; what
  // the typical one takes.
  std::optional<double> typical_ratio;
  std::optional<Reach> reach;
  std::optional<stats::Interval>
      bounds;  // of the slow-down, one-sided each, of all that was tested
  // A true slow-down from here on is called one in at least four of five such experiments.
  std::optional<double> detectable;
  int n = 0;  // pairs of visits, or runs of the smaller side
  std::string message;
};

// Everything that `compare` found, in what every format of it shows.
struct VersionComparison {
  std::string old_name, new_name;
  VersionVerdict verdict = VersionVerdict::cannot_tell;
  std::string message;  // the answer, one sentence
  std::string advice;   // cannot tell: what to add
  double margin = 0;
  double level = 0.95;               // of the intervals, and of each one-sided bound
  std::optional<double> detectable;  // the largest of the rows
  std::string unit;                  // of n: "pairs of visits", "runs a side"
  std::vector<VersionRow> rows;
  std::vector<std::string> warnings;
  Gate gate;  // what the verdict rests on, as a build server is told
};

}  // namespace batchscope::findings
