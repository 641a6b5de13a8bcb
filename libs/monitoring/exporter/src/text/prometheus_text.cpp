#include <iterator>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "batchscope/exporter/metrics_snapshot.hpp"
#include "text/families.hpp"

namespace batchscope::exporter {
namespace {

using telemetry::MetricKind;

// As GpuReading::gpu, so that findings join with the series of the GPU.
std::string gpu_of(const findings::Finding& finding) {
  const auto* moment = std::get_if<findings::GpuMoment>(&finding.where);
  if (moment == nullptr) return "";
  return std::to_string(moment->gpu) + (moment->slice ? ":" + std::to_string(*moment->slice) : "");
}

// The same finding may stand for several causes; a series is there once.
Family active_findings(const std::vector<findings::Finding>& findings) {
  std::set<std::tuple<std::string, std::string, std::string, std::string>> known;
  for (const auto& finding : findings) {
    known.emplace(finding.id, findings::to_string(finding.severity), gpu_of(finding),
                  finding.table);
  }
  Family family{"batchscope_finding",
                MetricKind::gauge,
                "1 while the finding is active; gpu is empty if it concerns no GPU, source if it "
                "concerns no training loop",
                {}};
  for (const auto& [id, severity, gpu, source] : known) {
    family.add({{"id", id}, {"severity", severity}, {"gpu", gpu}, {"source", source}}, 1);
  }
  return family;
}

void append(std::vector<Family>& families, std::vector<Family> more) {
  families.insert(families.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

Family one_value(const char* name, const char* help, Labels labels, double value) {
  Family family{name, MetricKind::gauge, help, {}};
  family.add(std::move(labels), value);
  return family;
}

}  // namespace

std::string prometheus_text(const MetricsSnapshot& exposition, Names names,
                            const ExporterInfo& origin) {
  std::vector<Family> families;
  if (names == Names::dcgm) {
    families = dcgm_families(exposition, origin.host);
  } else {
    append(families, gpu_families(exposition));
    append(families, host_families(exposition.sample));
    append(families, process_families(exposition.sample));
  }
  append(families, training_families(exposition));
  families.push_back(active_findings(exposition.findings));
  families.push_back(one_value("batchscope_last_sample_timestamp_seconds",
                               "Time of the last sample, in seconds since the epoch", {},
                               static_cast<double>(exposition.sample.time_ns) / 1e9));
  families.push_back(one_value("batchscope_build_info", "1, with batchscope's version as a label",
                               {{"version", origin.version}}, 1));
  return to_text(families);
}

}  // namespace batchscope::exporter
