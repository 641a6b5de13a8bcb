#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"

namespace batchscope::findings {
namespace {

constexpr const char* kFindings = "findings";
constexpr const char* kMetricsPage = "metrics";

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> topics{kFindings, kMetricsPage};
  for (const FindingKind& kind : catalogue()) topics.emplace_back(kind.id);
  return topics;
}

std::string help_on(std::string_view topic) {
  if (topic == kFindings) return catalogue_markdown();
  if (topic == kMetricsPage) return metrics_markdown();
  const FindingKind* const kind = find_kind(topic);
  return kind == nullptr ? "" : kind_markdown(*kind);
}

}  // namespace batchscope::findings
