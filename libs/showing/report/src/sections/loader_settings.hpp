#pragma once

#include <optional>
#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Of groups that have one row each and differ in nothing but their loader: all rows, as one group.
std::optional<findings::Group> as_loader_settings(const std::vector<findings::Group>& groups);
// Of the table of such a group the first column: which setting a row is, instead of the batch size.
void name_settings(const std::vector<findings::Group>& groups, document::Document& document);

}  // namespace batchscope::report
