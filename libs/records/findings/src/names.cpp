#include <array>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/gate.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::findings {
namespace {

using base::Name;
using base::name_of;

constexpr std::array kSeverities = {
    Name<Severity>{Severity::info, "info"}, Name<Severity>{Severity::low, "low"},
    Name<Severity>{Severity::medium, "medium"}, Name<Severity>{Severity::high, "high"}};
constexpr std::array kLeftOutReasons = {
    Name<LeftOutReason>{LeftOutReason::latency, "latency"},
    Name<LeftOutReason>{LeftOutReason::latency_unknown, "latency-unknown"},
    Name<LeftOutReason>{LeftOutReason::memory, "memory"},
    Name<LeftOutReason>{LeftOutReason::memory_unknown, "memory-unknown"},
    Name<LeftOutReason>{LeftOutReason::loss, "loss"},
    Name<LeftOutReason>{LeftOutReason::outputs, "outputs"},
    Name<LeftOutReason>{LeftOutReason::out_of_memory, "out-of-memory"},
    Name<LeftOutReason>{LeftOutReason::failed, "failed"},
    Name<LeftOutReason>{LeftOutReason::few_visits, "few-visits"},
    Name<LeftOutReason>{LeftOutReason::warming, "warming"}};
constexpr std::array kComparisonTests = {
    Name<ComparisonTest>{ComparisonTest::paired, "paired"},
    Name<ComparisonTest>{ComparisonTest::welch, "welch"},
    Name<ComparisonTest>{ComparisonTest::paired_runs, "paired-runs"},
    Name<ComparisonTest>{ComparisonTest::welch_runs, "welch-runs"}};
constexpr std::array kGateNames = {Name<GateName>{GateName::regression, "regression"},
                                   Name<GateName>{GateName::finding, "finding"},
                                   Name<GateName>{GateName::width, "precision"}};
constexpr std::array kMemoryPeaks = {
    Name<MemoryPeak>{MemoryPeak::allocated, "peak_allocated_bytes"},
    Name<MemoryPeak>{MemoryPeak::reserved, "peak_reserved_bytes"},
    Name<MemoryPeak>{MemoryPeak::resident, "peak_iterations_rss_bytes"}};
constexpr std::array kStatuses = {
    Name<Status>{Status::suspect, "suspect"},        Name<Status>{Status::proven, "proven"},
    Name<Status>{Status::measured, "measured"},      Name<Status>{Status::suspected, "suspected"},
    Name<Status>{Status::confirmed, "confirmed"},    Name<Status>{Status::refuted, "refuted"},
    Name<Status>{Status::unexplained, "unexplained"}};
constexpr std::array kVerdicts = {
    Name<Verdict>{Verdict::ok, "ok"}, Name<Verdict>{Verdict::suspect, "suspect"},
    Name<Verdict>{Verdict::proven, "proven"}, Name<Verdict>{Verdict::untestable, "untestable"}};
constexpr std::array kDeparts = {Name<Deviation>{Deviation::unknown, "unknown"},
                                 Name<Deviation>{Deviation::slower, "slower"},
                                 Name<Deviation>{Deviation::faster, "faster"}};
constexpr std::array kOutcomes = {Name<Outcome>{Outcome::passed, "passed"},
                                  Name<Outcome>{Outcome::failed, "failed"},
                                  Name<Outcome>{Outcome::inconclusive, "inconclusive"}};

constexpr std::array kAnswerKinds = {Name<AnswerKind>{AnswerKind::setting, "setting"},
                                     Name<AnswerKind>{AnswerKind::comparison, "comparison"},
                                     Name<AnswerKind>{AnswerKind::largest, "largest"},
                                     Name<AnswerKind>{AnswerKind::none, "none"}};
constexpr std::array kConfidences = {Name<Confidence>{Confidence::verified, "verified"},
                                     Name<Confidence>{Confidence::shown, "shown"},
                                     Name<Confidence>{Confidence::suspected, "suspected"},
                                     Name<Confidence>{Confidence::cannot_tell, "cannot-tell"}};
constexpr std::array kFitness = {Name<MachineFitness>{MachineFitness::quiet, "quiet"},
                                 Name<MachineFitness>{MachineFitness::disturbed, "disturbed"},
                                 Name<MachineFitness>{MachineFitness::unknown, "unknown"}};

}  // namespace

std::string_view to_string(AnswerKind kind) {
  return name_of(kAnswerKinds, kind);
}
std::string_view to_string(Confidence confidence) {
  return name_of(kConfidences, confidence);
}
std::string_view to_string(MachineFitness fitness) {
  return name_of(kFitness, fitness);
}
std::string_view to_string(Severity severity) {
  return name_of(kSeverities, severity);
}
std::string_view to_string(LeftOutReason reason) {
  return name_of(kLeftOutReasons, reason);
}
std::string_view to_string(ComparisonTest test) {
  return name_of(kComparisonTests, test);
}
std::string_view to_string(GateName name) {
  return name_of(kGateNames, name);
}
std::string_view to_string(MemoryPeak peak) {
  return name_of(kMemoryPeaks, peak);
}
std::string_view to_string(Status status) {
  return name_of(kStatuses, status);
}
std::string_view to_string(Outcome outcome) {
  return name_of(kOutcomes, outcome);
}
std::string_view to_string(Deviation departs) {
  return name_of(kDeparts, departs);
}
std::string_view to_string(Verdict verdict) {
  return name_of(kVerdicts, verdict);
}

base::Result<Severity> parse_severity(std::string_view text) {
  return base::value_of(kSeverities, "severity", text);
}

}  // namespace batchscope::findings
