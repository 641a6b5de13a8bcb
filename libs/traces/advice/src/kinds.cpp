#include "batchscope/advice/kinds.hpp"

namespace batchscope::advice {

const findings::Catalogue& kinds() {
  static const findings::Catalogue kKinds = findings::kinds_of_others();
  return kKinds;
}

}  // namespace batchscope::advice
