#include "batchscope/api/program.hpp"

#include "batchscope/analyze/kinds.hpp"
#include "batchscope/monitor/session.hpp"

namespace batchscope::api {

findings::Catalogue catalogue() {
  return findings::joined({analyze::kinds(), monitor::kinds()});
}

}  // namespace batchscope::api
