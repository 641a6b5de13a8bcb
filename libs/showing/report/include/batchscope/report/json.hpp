#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/trend.hpp"
#include "batchscope/findings/version_comparison.hpp"

// Documents for programs, indented: docs/reference/schema/.
namespace batchscope::report {

// "recommendation" is the first one or null, "other_recommendations" the rest; one that is
// undecided has the work that it is for, and no setting.
std::string to_json(const findings::Summary& summary);
std::string to_json(const findings::Trend& trend);
std::string to_json(const findings::Tuning& tuning);
std::string to_json(const findings::VersionComparison& comparison);

}  // namespace batchscope::report
