#pragma once

#include "batchscope/schema/kinds.hpp"

namespace batchscope::timing {

// What the times of a visit are used for. No figure mixes visits of two uses.
enum class Use {
  measured,      // tables, searches, when to stop; controls too
  fresh,         // verification: they took no part in choosing
  intervention,  // with and without a suspected cause
};

// Whether visits made for that are of the use.
bool serves(schema::Purpose purpose, Use use);

}  // namespace batchscope::timing
