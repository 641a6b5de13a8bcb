#pragma once

#include <optional>
#include <string>

#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/recommendation.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::compare {

// What a configuration computes otherwise, so that its speed is none to choose it for.
struct Mismatch {
  findings::LeftOutReason reason{};  // outputs or loss
  std::string message;               // without a full stop
};

// Whether `config` does what `usual` does, as far as the run recorded it: outputs of another engine
// have to be there and equivalent; outputs in another precision than fp32, where they were compared
// with those in fp32, have to be so too; and in training the losses in another precision have to be
// finite, and where fp32 was measured at a size within 5 % of its own after as many steps. nullopt:
// nothing speaks against it.
std::optional<Mismatch> find_mismatch(const schema::RunFile& run, const schema::RunConfig& config,
                                      const schema::RunConfig& usual);

}  // namespace batchscope::compare
