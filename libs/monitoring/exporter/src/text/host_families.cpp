#include <string>

#include "text/families.hpp"

namespace batchscope::exporter {

std::vector<Family> host_families(const telemetry::Sample& sample) {
  std::vector<Family> families;
  for (const auto& metric : telemetry::host_metrics()) {
    Family family{
        "batchscope_host_" + std::string(metric.name), metric.kind, std::string(metric.help), {}};
    family.add({}, metric.get(sample.host));
    families.push_back(std::move(family));
  }
  return families;
}

}  // namespace batchscope::exporter
