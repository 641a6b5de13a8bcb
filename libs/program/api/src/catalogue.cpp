#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/analyze/analyze.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/monitor/session.hpp"

namespace batchscope::api {

findings::Catalogue catalogue() {
  return findings::joined({analyze::kinds(), advice::kinds(), monitor::kinds()});
}

}  // namespace batchscope::api
