#include "advice/learning_rate.hpp"
#include "advice/training_findings.hpp"
#include "batchscope/analyze/analyze.hpp"
#include "batchscope/causes/cause_findings.hpp"
#include "batchscope/compare/accumulation_findings.hpp"
#include "batchscope/tables/tables.hpp"
#include "loaders/loader_findings.hpp"

namespace batchscope::analyze {

const findings::Catalogue& kinds() {
  static const findings::Catalogue kKinds =
      findings::joined({tables::kinds(),
                        causes::kinds(),
                        training_kinds(),
                        loader_kinds(),
                        {compare::accumulation_kind(), learning_rate_kind()}});
  return kKinds;
}

}  // namespace batchscope::analyze
