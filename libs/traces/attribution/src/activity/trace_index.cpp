#include "index_found.hpp"

namespace batchscope::attribution {

TraceIndex::TraceIndex(const trace::Trace& trace)
    : trace_(trace), found_(std::make_unique<const Found>(trace)) {}

TraceIndex::~TraceIndex() = default;

}  // namespace batchscope::attribution
