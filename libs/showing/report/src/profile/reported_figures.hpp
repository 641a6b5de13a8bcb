#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/schema/run_file.hpp"

// What text and JSON tell of a profile alike.
namespace batchscope::report {

// Samples a second: work over time.
double throughput(const schema::RunConfig& config, const measure::ConfigEstimate& estimate);

double iteration_share(const schema::RunFile& run);

// Why a configuration has no figures: the last thing that failed; a warning (that it is not tried
// again, say) only where there is nothing more telling.
std::string why_absent(const schema::RunFile& run, int config);

// The quantiles of single iterations that every configuration is told with.
struct ReportedQuantile {
  std::string name;
  findings::Estimate ms;

  bool is_supported() const { return ms.ci.has_value(); }
};

// None where no iterations were timed.
std::vector<ReportedQuantile> quantiles_of(const schema::RunConfig& config,
                                           const findings::Summary& summary);

}  // namespace batchscope::report
