#pragma once

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/watch/targets.hpp"

namespace batchscope::watch {

// What a watch tells of, in words of what it judges by.
findings::Catalogue kinds(const Targets& targets = {});

}  // namespace batchscope::watch
