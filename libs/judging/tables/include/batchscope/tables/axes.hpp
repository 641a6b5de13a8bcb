#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/schema/axes.hpp"

namespace batchscope::tables {

struct AxisDifference {
  schema::AxisId id{};
  std::string axis;  // it or its part, as in machine output: "precision", "loader_workers"
  std::string a;
  std::string b;
  std::string a_words;  // as in a sentence: "2 threads"
  std::string b_words;
};

// The one axis (other than batch size) in which the configurations differ; nullopt when they do not
// differ, or in more than one. Training and its optimizer count as one axis; so do two engines and
// what is set for the interpreter of one of them, which is told in b_words ("engine python,
// compiled"): where the two were measured, it is a's.
std::optional<AxisDifference> single_difference(const schema::RunConfig& a,
                                                const schema::RunConfig& b);

// Whether the samples of a batch differ in length, as of a mix or of texts of a file: then padding
// grows with the batch size, and by which batches the seed made, so that no law of the size holds.
bool varies_in_length(const schema::RunConfig& config);

// Whether throughputs of the two can be ranked: the same model, sequence length and mode. Other
// axes are choices of whoever runs the model.
bool is_same_work(const schema::RunConfig& a, const schema::RunConfig& b);

using schema::AxisKind;

// What tells `config` from `others`: "bf16, 2 threads"; empty when nothing of that kind does, batch
// size aside. `except` names an axis that is told elsewhere.
std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       schema::AxisKind kind, const std::string& except = "");
// The same of either kind, work first.
std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       const std::string& except = "");

// Each once, without its batch size, in their order: what the sizes of one table share.
std::vector<schema::RunConfig> keys_of(std::span<const schema::RunConfig> configs);
// What tells the configurations of a run apart, made once for all of them.
class Differences {
 public:
  explicit Differences(std::span<const schema::RunConfig> all);
  // What tells one of them from all, the size first: "batch 8, 2 instances".
  std::string of(const schema::RunConfig& config) const;

 private:
  std::vector<const schema::AxisPart*> parts_;  // that differ, work first
};
// Of one configuration alone.
std::string what_differs(const schema::RunConfig& config, std::span<const schema::RunConfig> all);

}  // namespace batchscope::tables
