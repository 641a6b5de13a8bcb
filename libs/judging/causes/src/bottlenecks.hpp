#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/finding.hpp"
#include "size_facts.hpp"

namespace batchscope::causes {

// What an accelerator's time goes to beside computing, by the named defaults of
// docs/design/method.md: shares of an iteration that are worth a look whether or not a batch size
// is odd. One finding a kind, at the size where it is worst. They describe; no test stands behind
// them, so their status is `measured`.
std::vector<findings::Finding> bottlenecks_of(const TableFacts& table);

findings::Catalogue bottleneck_kinds();

}  // namespace batchscope::causes
