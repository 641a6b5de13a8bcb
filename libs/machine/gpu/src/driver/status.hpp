#pragma once

#include <string>

#include "driver/abi.hpp"

namespace batchscope::nvml {

// What follows from how a call ended.
enum class Outcome {
  answered,
  refused,       // the GPU does not have it, or does not tell this user: asking again is no use
  failed,        // this time
  gpu_silent,    // nothing else can be had from this GPU for now
  driver_absent  // nor from any, until the driver is loaded anew
};
Outcome outcome_of(Status status);

// "GPU is lost", "NVML error 42".
std::string in_words(Status status);

}  // namespace batchscope::nvml
