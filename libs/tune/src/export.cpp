#include "batchscope/tune/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array<std::pair<std::string_view, ExportFormat>, 5> kFormats{{
    {"yaml", ExportFormat::yaml},
    {"env", ExportFormat::env},
    {"triton", ExportFormat::triton},
    {"tei", ExportFormat::tei},
    {"torchserve", ExportFormat::torchserve},
}};

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view text) {
  for (const auto& [name, format] : kFormats) {
    if (name == text) return format;
  }
  return Error{ErrorKind::usage, fmt::format("'{}' is no format of a deployment", text), "--export",
               "choose yaml, env, triton, tei or torchserve"};
}

Result<void> check_export(ExportFormat format, schema::Mode mode) {
  const bool serves = format != ExportFormat::yaml && format != ExportFormat::env;
  if (!serves || mode != schema::Mode::train) return {};
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& each) { return each.second == format; });
  return Error{ErrorKind::usage,
               fmt::format("{} serves a model, and this trains one", found->first), "--export",
               "choose yaml or env"};
}

int64_t queue_delay_us(const Deployment& deployment) {
  if (!deployment.latency_budget_s) return 0;
  constexpr double kUsASecond = 1e6;
  return std::max<int64_t>(
      std::llround((*deployment.latency_budget_s - 2 * deployment.latency_s) * kUsASecond), 0);
}

std::string export_text(ExportFormat format, const Deployment& deployment) {
  switch (format) {
    case ExportFormat::yaml:
      return yaml(deployment);
    case ExportFormat::env:
      return env(deployment);
    case ExportFormat::triton:
      return triton(deployment);
    case ExportFormat::tei:
      return tei(deployment);
    case ExportFormat::torchserve:
      break;
  }
  return torchserve(deployment);
}

}  // namespace batchscope::tune
