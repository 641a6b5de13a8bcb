#include "batchscope/findings/metrics.hpp"

#include <algorithm>

namespace batchscope::findings {
std::string metric_in_words(const Evidence& evidence) {
  if (!evidence.words.empty()) return std::string(evidence.words);
  std::string words = evidence.metric;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Evidence evidence_of(const Metric& metric, const Estimate& estimate) {
  return {std::string(metric.name), estimate, std::string(metric.unit), metric.words};
}

Evidence evidence_of(const Metric& metric, double value) {
  return evidence_of(metric, Estimate{value, std::nullopt});
}

}  // namespace batchscope::findings
