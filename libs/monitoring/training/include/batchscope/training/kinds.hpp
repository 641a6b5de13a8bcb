#pragma once

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/training/step_watch.hpp"

namespace batchscope::training {

// What is told of training loops, in words of what they are judged by.
findings::Catalogue kinds(const StepOptions& options = {});

}  // namespace batchscope::training
