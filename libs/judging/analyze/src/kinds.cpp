#include "batchscope/analyze/kinds.hpp"

namespace batchscope::analyze {

const findings::Catalogue& kinds() {
  static const findings::Catalogue kKinds = findings::kinds_of_others();
  return kKinds;
}

}  // namespace batchscope::analyze
