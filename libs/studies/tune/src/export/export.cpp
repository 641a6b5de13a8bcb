#include "batchscope/tune/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "batchscope/schema/not_stated.hpp"
#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array<std::pair<std::string_view, ExportFormat>, 4> kFormats{{
    {"yaml", ExportFormat::yaml},
    {"env", ExportFormat::env},
    {"triton", ExportFormat::triton},
    {"tei", ExportFormat::tei},
}};

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view text) {
  for (const auto& [name, format] : kFormats) {
    if (name == text) return format;
  }
  return Error{ErrorKind::usage, fmt::format("'{}' is not a deployment format", text), "--export",
               "choose yaml, env, triton or tei"};
}

bool takes_texts(const schema::RunConfig& config) {
  return config.shape.seq_len || !config.shape.length_mix.empty() || config.pipeline;
}

Result<void> check_export(ExportFormat format, const schema::RunConfig& config) {
  const bool serves = format != ExportFormat::yaml && format != ExportFormat::env;
  if (!serves) return {};
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& each) { return each.second == format; });
  const auto refuse = [&](std::string what, std::string fix) {
    return Error{ErrorKind::usage, fmt::format("{} {}", found->first, what), "--export",
                 std::move(fix)};
  };
  if (config.mode == schema::Mode::train) {
    return refuse("serves a model, but this run trains one", "choose yaml or env");
  }
  if (!schema::states_engine(config)) return {};  // a table that does not state it: marked
  if (format == ExportFormat::tei && !takes_texts(config)) {
    return refuse(fmt::format("serves text encoders, but {} accepts no texts", config.model),
                  "choose triton, yaml or env");
  }
  return {};
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
      break;
  }
  return tei(deployment);
}

}  // namespace batchscope::tune
