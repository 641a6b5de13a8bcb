#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::compare {

// ln(other / base) of one time of a visit: by the method asked for, with every value counting
// alike, with the ends trimmed, and with all but one accident in a dozen at either end. A gate asks
// the last three; absent where there are too few values.
struct LogRatio {
  std::optional<stats::MeanEstimate> estimate, plain, trimmed, but_accidents;
  timing::Unseen unseen{};
};

// A contrast before its family is known.
struct Open {
  findings::Comparison comparison;
  // Of typical iterations, and of mean ones: where only some iterations slow down, only the second
  // tells.
  LogRatio typical, mean;
  bool may_prove = true;
  bool settled = true;  // false: the visits may still hold warm-up, and prove nothing
  // What the sentence names: "2 threads", "1 thread", "batch 4, bf16".
  std::string other;
  std::string base;
  std::string where;
  bool rates = false;  // of instances at once, which are compared by what they do a second
  // Typical time of a batch, ms.
  double base_ms = 0;
  double other_ms = 0;
  // Mean time, ms.
  double mean_base_ms = 0;
  double mean_other_ms = 0;
};

// Which time of a visit, ns: timing::typical_ns or timing::mean_ns.
using TimeOfVisit = double (*)(const timing::SteadyVisit&);

// The centre of ln times; their mean where they are too few for the method; 0 of none.
double centre_of(const std::vector<double>& logs, stats::Method method);
// exp of a centre of ln ns, in ms.
double to_ms(double log_ns);

// Two configurations of one run, paired within blocks.
Open paired(const tables::ConfigData& base, const tables::ConfigData& other,
            const tables::AxisDifference& axis, const tables::RunView& view,
            const tables::TestOptions& options);

// Batch size, and whatever else tells `config` from the rest of the run, but `axis`.
std::string where_words(const schema::RunConfig& config, const tables::RunView& view,
                        const std::string& axis);

// Multiplies the ratio of the times by exp(`shift`).
void shift_ratio(Open& open, double shift);

// One Holm family; each interval at the level its own test had in it.
std::vector<findings::Comparison> judge(std::vector<Open> all, const tables::TestOptions& options);

}  // namespace batchscope::compare
