#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"
#include "open_comparison.hpp"

namespace batchscope::compare {

// Configurations of one run that differ in one axis other than batch size and sequence length, the
// first value of the axis in the file against each other one: paired within blocks. Instances are
// compared by the throughput of all of them, with as many samples at once on both sides where such
// sizes were measured.
std::vector<Open> compare_within(const tables::RunView& view, const tables::TestOptions& options);

// Each configuration of the first run against the same one of each later run: independent samples
// of visits (Welch), which say nothing of how runs differ among themselves. `names` has one for
// each run.
std::vector<Open> compare_runs(const std::vector<tables::RunView>& views,
                               const std::vector<std::string>& names,
                               const tables::TestOptions& options);

// Whether the two runs made the batches of this configuration of other texts, or in another order.
bool has_other_texts(const tables::RunView& a, const tables::RunView& b,
                     const schema::RunConfig& config);

// Whether a configuration stands in a later run with other lengths of the same mix, so that its
// times answer another question.
bool has_other_lengths(const std::vector<tables::RunView>& views);

}  // namespace batchscope::compare
