#pragma once

#include <string>
#include <vector>

#include "batchscope/analyze/test_options.hpp"
#include "batchscope/findings/summary.hpp"
#include "open_comparison.hpp"
#include "tables/run_view.hpp"

namespace batchscope::analyze {

// Configurations of one run that differ in one axis other than batch size and sequence length, the
// first value of the axis in the file against each other one: paired within blocks. Instances are
// compared by the throughput of all of them, with as many samples at once on both sides where such
// sizes were measured.
std::vector<Open> compare_within(const RunView& view, const TestOptions& options);

// Each configuration of the first run against the same one of each later run: independent samples
// of visits (Welch), which say nothing of how runs differ among themselves. `names` has one for
// each run.
std::vector<Open> compare_runs(const std::vector<RunView>& views,
                               const std::vector<std::string>& names, const TestOptions& options);

// Whether the two runs made the batches of this configuration of other texts, or in another order.
bool has_other_texts(const RunView& a, const RunView& b, const schema::RunConfig& config);

// Whether a configuration stands in a later run with other lengths of the same mix, so that its
// times answer another question.
bool has_other_lengths(const std::vector<RunView>& views);

}  // namespace batchscope::analyze
