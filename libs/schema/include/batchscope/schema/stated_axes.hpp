#pragma once

#include "batchscope/schema/run_file.hpp"

// What a run was asked to vary stands in its header as texts, axis by axis. These are questions to
// those that say more than the configurations do.
namespace batchscope::schema {

// Whether the samples of a training step were stated, so that every step takes as many, whichever
// its batch size is.
bool states_effective_batch(const Header& header);

// Whether activations are computed again only where memory would not suffice without.
bool checkpoints_when_needed(const Header& header);
void set_checkpoints_when_needed(Header& header);

}  // namespace batchscope::schema
