#pragma once

#include <optional>
#include <string>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::analyze {

struct AxisDifference {
  std::string axis;  // as in machine output: "precision"
  std::string a;
  std::string b;
};

// The one axis (other than batch size) in which the configurations differ; nullopt when they do not
// differ, or in more than one. Training and its optimizer count as one axis.
std::optional<AxisDifference> single_difference(const schema::RunConfig& a,
                                                const schema::RunConfig& b);

}  // namespace batchscope::analyze
