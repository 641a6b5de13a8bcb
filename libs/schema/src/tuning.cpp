#include "batchscope/schema/tuning.hpp"

namespace batchscope::schema {

std::string_view kept_in_words(const LatencyCheck& check, double budget_ms) {
  if (check.kept) return "kept";
  const bool over = check.interval_ms && check.interval_ms->low > budget_ms;
  return over ? "not kept" : "not shown to be kept";
}

}  // namespace batchscope::schema
