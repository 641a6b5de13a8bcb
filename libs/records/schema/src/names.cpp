#include <array>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/visit.hpp"

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
constexpr std::array kOptimizers = {
    Name<Optimizer>{Optimizer::sgd, "sgd"}, Name<Optimizer>{Optimizer::adam, "adam"},
    Name<Optimizer>{Optimizer::adamw, "adamw"}, Name<Optimizer>{Optimizer::rmsprop, "rmsprop"}};
constexpr std::array kPurposes = {Name<Purpose>{Purpose::measure, "measure"},
                                  Name<Purpose>{Purpose::control, "control"},
                                  Name<Purpose>{Purpose::longer, "longer"},
                                  Name<Purpose>{Purpose::intervention, "intervention"},
                                  Name<Purpose>{Purpose::verify, "verify"},
                                  Name<Purpose>{Purpose::diagnostic, "diagnostic"}};

}  // namespace

std::string_view to_string(Precision precision) {
  if (precision == kPrecisionNotStated) return "unknown";
  return name_of(kPrecisions, precision);
}
std::string_view to_string(Mode mode) {
  return name_of(kModes, mode);
}
std::string_view to_string(Optimizer optimizer) {
  return name_of(kOptimizers, optimizer);
}
std::string_view to_string(Purpose purpose) {
  return name_of(kPurposes, purpose);
}

Result<Precision> parse_precision(std::string_view text) {
  return value_of(kPrecisions, "precision", text);
}
Result<Mode> parse_mode(std::string_view text) {
  return value_of(kModes, "mode", text);
}

}  // namespace batchscope::schema
