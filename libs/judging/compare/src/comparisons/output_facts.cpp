#include "batchscope/compare/output_facts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/axes.hpp"

namespace batchscope::compare {
namespace {

using findings::label;
using schema::RunConfig;
using tables::RunView;
using tables::single_difference;

// As many digits as it takes to tell it from 1: "at least 0.99998".
std::string cosine_words(double cosine) {
  if (cosine >= 1 - 1e-9) return "of 1";
  const int digits = static_cast<int>(std::ceil(-std::log10(1 - cosine))) + 1;
  const double scale = std::pow(10, digits);  // rounded down: it is at least this
  return fmt::format("at least {:.{}f}", std::floor(cosine * scale) / scale, digits);
}

bool are_alike(const schema::RunFile& run, const RunConfig& a, const RunConfig& b) {
  const auto* const outputs = outputs_between(run, a, b);
  return outputs != nullptr && outputs->cosine >= kEquivalentCosine;
}

RunConfig eager(RunConfig config) {
  if (config.compile) config.compile = false;
  return config;
}

// What is compiled is held against the same model that is not, and that against other engines.
bool is_as_eager(const schema::RunFile& run, const RunConfig& config) {
  return config.compile != true || are_alike(run, config, eager(config));
}

}  // namespace

const schema::OutputDifference* outputs_between(const schema::RunFile& run, const RunConfig& a,
                                                const RunConfig& b) {
  const auto key_of = [&](int config) {
    return schema::computed_by(run.configs[static_cast<std::size_t>(config)]);
  };
  const RunConfig of_a = schema::computed_by(a), of_b = schema::computed_by(b);
  for (const schema::OutputDifference& each : run.outputs) {
    const RunConfig one = key_of(each.config), other = key_of(each.against);
    if ((one == of_a && other == of_b) || (one == of_b && other == of_a)) return &each;
  }
  return nullptr;
}

bool may_compare_engines(const schema::RunFile& run, const RunConfig& a, const RunConfig& b) {
  if (a.engine == b.engine) return true;
  // The outputs were compared at one precision, and on one device.
  RunConfig like_a = b;
  like_a.precision = a.precision;
  like_a.device = a.device;
  return are_alike(run, a, like_a) || (is_as_eager(run, a) && is_as_eager(run, like_a) &&
                                       are_alike(run, eager(a), eager(like_a)));
}

std::string output_words(const schema::OutputDifference& outputs) {
  if (outputs.largest_relative_error == 0) return "on the same input the outputs are the same";
  return fmt::format(
      "on the same input the outputs differ by at most {} times the largest value, cosine "
      "similarity {}",
      findings::relative_difference(outputs.largest_relative_error), cosine_words(outputs.cosine));
}

std::vector<std::string> engines_not_compared(const RunView& view) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < view.groups.size(); ++i) {
    for (std::size_t j = i + 1; j < view.groups.size(); ++j) {
      const RunConfig& base = view.groups[i].key;
      const RunConfig& other = view.groups[j].key;
      const auto axis = single_difference(base, other);
      if (!axis || axis->id != schema::AxisId::engine ||
          may_compare_engines(*view.run, base, other))
        continue;
      const auto* const outputs = outputs_between(*view.run, base, other);
      const std::string why =
          outputs == nullptr ? "their outputs were not compared on the same input"
                             : "they do not compute the same results: " + output_words(*outputs);
      sentences.push_back(
          fmt::format("{}: the speed of engine {} and {} was not compared, because {}.",
                      label(base), other.engine, base.engine, why));
    }
  }
  return sentences;
}

}  // namespace batchscope::compare
