#include <array>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/schema/finding.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/summary.hpp"
#include "batchscope/schema/visit.hpp"
#include "parse_name.hpp"

namespace batchscope::schema {
namespace {

using base::Name;
using base::name_of;
using base::Result;
using base::value_of;

constexpr std::array kPrecisions = {Name<Precision>{Precision::fp32, "fp32"},
                                    Name<Precision>{Precision::bf16, "bf16"},
                                    Name<Precision>{Precision::fp16, "fp16"}};
constexpr std::array kModes = {Name<Mode>{Mode::infer, "infer"}, Name<Mode>{Mode::train, "train"}};
constexpr std::array kPurposes = {
    Name<Purpose>{Purpose::measure, "measure"}, Name<Purpose>{Purpose::control, "control"},
    Name<Purpose>{Purpose::intervention, "intervention"}, Name<Purpose>{Purpose::verify, "verify"},
    Name<Purpose>{Purpose::diagnostic, "diagnostic"}};
constexpr std::array kSeverities = {
    Name<Severity>{Severity::info, "info"}, Name<Severity>{Severity::low, "low"},
    Name<Severity>{Severity::medium, "medium"}, Name<Severity>{Severity::high, "high"}};
constexpr std::array kStatuses = {
    Name<Status>{Status::suspect, "suspect"},        Name<Status>{Status::proven, "proven"},
    Name<Status>{Status::measured, "measured"},      Name<Status>{Status::suspected, "suspected"},
    Name<Status>{Status::confirmed, "confirmed"},    Name<Status>{Status::refuted, "refuted"},
    Name<Status>{Status::unexplained, "unexplained"}};
constexpr std::array kVerdicts = {
    Name<Verdict>{Verdict::ok, "ok"}, Name<Verdict>{Verdict::suspect, "suspect"},
    Name<Verdict>{Verdict::proven, "proven"}, Name<Verdict>{Verdict::untestable, "untestable"}};
constexpr std::array kOutcomes = {Name<Outcome>{Outcome::passed, "passed"},
                                  Name<Outcome>{Outcome::failed, "failed"},
                                  Name<Outcome>{Outcome::inconclusive, "inconclusive"}};

}  // namespace

std::string_view to_string(Precision precision) {
  if (precision == kPrecisionNotStated) return "unknown";
  return name_of(kPrecisions, precision);
}
std::string_view to_string(Mode mode) {
  return name_of(kModes, mode);
}
std::string_view to_string(Purpose purpose) {
  return name_of(kPurposes, purpose);
}
std::string_view to_string(Severity severity) {
  return name_of(kSeverities, severity);
}
std::string_view to_string(Status status) {
  return name_of(kStatuses, status);
}
std::string_view to_string(Outcome outcome) {
  return name_of(kOutcomes, outcome);
}
std::string_view to_string(Verdict verdict) {
  return name_of(kVerdicts, verdict);
}

Result<Precision> parse_precision(std::string_view text) {
  return value_of(kPrecisions, "precision", text);
}
Result<Mode> parse_mode(std::string_view text) {
  return value_of(kModes, "mode", text);
}
Result<Severity> parse_severity(std::string_view text) {
  return value_of(kSeverities, "severity", text);
}
Result<Purpose> parse_purpose(std::string_view text) {
  return value_of(kPurposes, "purpose", text);
}

}  // namespace batchscope::schema
